import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of another origin or host, which has one page. */
export interface PageServer {
  readonly port: number;
  /** The methods and the paths of the requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a server whose page has this content, and sets a cookie if there is one. */
export async function pageServer(content: string, cookie?: string): Promise<PageServer> {
  const requests: string[] = [];
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.setHeader('Content-Type', 'text/html');
    if (cookie !== undefined) response.setHeader('Set-Cookie', cookie);
    response.end(content);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** A page without content. */
export const EMPTY_PAGE = '<!doctype html><title>Elsewhere</title>';
