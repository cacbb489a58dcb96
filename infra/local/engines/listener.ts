import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EngineRequest, EngineResponse, Engines } from './engines.ts';

const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, PUT, HEAD',
  'access-control-expose-headers': '*, ETag, Content-Range, Content-Length, Accept-Ranges',
};

/**
 * Serves the engines over HTTP, for what needs a URL: presigned links, containers, the AWS CLI. Browsers may
 * read from any origin, because the signature in the URL is what admits a request.
 *
 * @param options `port` 0 takes a free one
 * @throws when the port is taken
 */
export function listen(
  engines: Engines,
  options: { host: string; port: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((message, response) => {
    answer(engines, message, response).catch(() => response.destroy());
  });
  // Node answers malformed HTTP itself; without this a reset connection would be an uncaught error.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    else socket.destroy();
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      const { port } = server.address() as AddressInfo;
      const host = options.host.includes(':') ? `[${options.host}]` : options.host;
      resolve({
        url: `http://${host}:${port}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function answer(engines: Engines, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const cors = message.headers.origin === undefined ? {} : CORS;
  if (message.method === 'OPTIONS') {
    const allowed = message.headers['access-control-request-headers'] ?? '*';
    response.writeHead(204, {
      ...CORS,
      'access-control-allow-headers': allowed,
      'access-control-max-age': '3000',
    });
    response.end();
    return;
  }
  const { status, headers, body } = await engines.dispatch(requestOf(message));
  // An early refusal leaves the rest of the upload unread: say so, take it off the wire and close.
  if (!message.complete) {
    response.setHeader('connection', 'close');
    message.resume();
  }
  response.writeHead(status, { ...headers, ...cors });
  await send(body, response);
}

async function send(body: EngineResponse['body'], response: ServerResponse): Promise<void> {
  if (body instanceof Readable) await pipeline(body, response);
  else response.end(body);
}

function requestOf(message: IncomingMessage): EngineRequest {
  const [path = '/', ...query] = (message.url ?? '/').split('?');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return { method: message.method ?? 'GET', path, query: query.join('?'), headers, body: message };
}
