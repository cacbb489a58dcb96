import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver of webhooks got. */
export interface Delivered {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { readonly id: string; readonly type: string; readonly data?: Record<string, unknown> };
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  /** The requests to a path, in order. */
  at(path: string): readonly Delivered[];
  stop(): Promise<void>;
}

/**
 * Starts a receiver. The first number in a path is the status of its responses: `/204/a`. A redirect leads to `/moved`.
 * `/fails/{n}` fails n times. `/silent` never responds.
 */
export async function startReceiver(): Promise<Receiver> {
  const all: Delivered[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const body = Buffer.concat(parts).toString();
      all.push({ path, headers, body, event: JSON.parse(body) });
      const [, first = '', most] = path.split('/');
      if (first === 'silent') return;
      const isFailing = first === 'fails' && all.filter((one) => one.path === path).length <= Number(most);
      const status = isFailing ? 500 : Number(first) || 204;
      response.writeHead(status, status === 302 ? { Location: '/moved' } : {}).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    at: (path) => all.filter((one) => one.path === path),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
