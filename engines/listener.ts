import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv4 } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Engines } from './engines.ts';
import { EVENT_STREAM_PATH } from './eventbridge/event-stream.ts';
import { isPresigned } from './signature.ts';
import type { EngineRequest } from './wire.ts';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
  'access-control-max-age': '3000',
  'access-control-expose-headers': '*, ETag, Content-Range, Content-Length, Accept-Ranges',
};

/**
 * Serves the engines over HTTP for clients that need a URL: presigned links, containers, the AWS CLI. Pages of any
 * origin can use presigned links of S3, because the signature in the URL authorizes the request. Pages can use
 * nothing else. The listener refuses host names other than loopback names, because a page can make such a name
 * resolve to this machine (DNS rebinding). @param options `port` 0 takes a free one
 * @throws if the port is taken
 */
export async function listen(
  engines: Engines,
  { host, port }: { host: string; port: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((message, response) => {
    answer(engines, message, response).catch(() => response.destroy());
  });
  // Node responds to malformed HTTP itself. Without this handler, a reset connection would be an uncaught error.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    else socket.destroy();
  });
  await once(server.listen(port, host), 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(engines: Engines, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = requestOf(message);
  const shared = request.path !== EVENT_STREAM_PATH && isPresigned(request);
  const { host, origin } = message.headers;
  if (host === undefined || !isLoopback(host))
    return refuse(message, response, 'The host is not this machine');
  if (origin !== undefined && !shared)
    return refuse(message, response, 'Web pages may use presigned links only');
  if (message.method === 'OPTIONS' && shared) {
    const allowed = message.headers['access-control-request-headers'] ?? '*';
    response.writeHead(204, { ...CORS, 'access-control-allow-headers': allowed }).end();
    return;
  }
  const { status, headers, body } = await engines.dispatch(request);
  // After an early refusal, the rest of the upload is unread. The listener sends the response, drops the rest and
  // closes.
  if (!message.complete) {
    response.setHeader('connection', 'close');
    message.resume();
  }
  response.writeHead(status, origin === undefined ? headers : { ...headers, ...CORS });
  if (body instanceof Readable) await pipeline(body, response);
  else response.end(body);
}

/**
 * True for the name `localhost`, names below it, 127.0.0.0/8 and [::1], with or without a port.
 * Source: RFC 6761 §6.3; RFC 1122 §3.2.1.3; RFC 4291 §2.5.3.
 */
function isLoopback(host: string): boolean {
  const name = host.replace(/:\d*$/, '');
  return (
    /^([\w-]+\.)*localhost$/i.test(name) || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))
  );
}

/** Responds with 403 without reading the body, and closes the connection. */
function refuse(message: IncomingMessage, response: ServerResponse, reason: string): void {
  message.resume();
  response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(`${reason}\n`);
}

function requestOf(message: IncomingMessage): EngineRequest {
  const [path = '/', ...query] = (message.url ?? '/').split('?');
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  return { method: message.method ?? 'GET', path, query: query.join('?'), headers, body: message };
}
