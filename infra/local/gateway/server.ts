import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WireResponse } from './answer.ts';
import { gatewayProblem } from './problem.ts';

/** How long the rest of a body that was refused may keep coming before the connection is closed. */
const LINGER_MS = 2000;

/**
 * An HTTP server around a function that answers requests: what is about the connection, so that every request gets its
 * answer, and every answer is a response of its own.
 */
export function serverOf(respond: (incoming: IncomingMessage) => Promise<WireResponse>): Server {
  /** Requests whose answers are still to come, and what to say after them on a connection that broke. */
  const pending = new WeakMap<Duplex, number>();
  const broken = new WeakMap<Duplex, WireResponse>();

  const server = createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 60_000, requireHostHeader: false });
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    outgoing.once('close', () => {
      pending.set(socket, (pending.get(socket) ?? 1) - 1);
      const last = broken.get(socket);
      if (last && pending.get(socket) === 0) socket.end(rawResponse(last));
    });
    void respond(incoming).then(async (response) => {
      if (outgoing.destroyed) return;
      if (!incoming.complete) outgoing.setHeader('Connection', 'close');
      for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
      outgoing.writeHead(response.status);
      if (incoming.complete) return void outgoing.end(response.body);
      outgoing.write(response.body);
      await drained(incoming);
      outgoing.end();
    });
  });
  // API Gateway keeps Expect to itself: whatever is expected, the request is answered.
  server.on('checkExpectation', (incoming, outgoing) => void server.emit('request', incoming, outgoing));
  // An authority to tunnel to, or a path: no resource has this method.
  server.on('connect', (incoming, socket) => {
    socket.on('error', () => socket.destroy());
    void respond(incoming).then((response) => socket.end(rawResponse(response)));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy();
    const response = unreadable(error.code);
    // What was asked before on this connection is answered first.
    if ((pending.get(socket) ?? 0) > 0) broken.set(socket, response);
    else socket.end(rawResponse(response));
  });
  return server;
}

/** The answer to what the HTTP parser refused. */
function unreadable(code: string | undefined): WireResponse {
  const where = { instance: '/', requestId: randomUUID() };
  if (code === 'HPE_INVALID_METHOD')
    return gatewayProblem('not-implemented', 'The method is unknown here', where);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return gatewayProblem('headers-too-large', 'The header fields are too large', where);
  }
  return gatewayProblem('malformed-body', 'This is not a well-formed HTTP request', where);
}

function rawResponse({ status, headers, body }: WireResponse): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

/**
 * Reads and drops the rest of a body that was refused, for a while: closing at once would reset the connection, and with
 * it the answer on its way. Source: RFC 9112 §9.6.
 */
function drained(incoming: IncomingMessage): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, LINGER_MS);
    const over = () => {
      clearTimeout(timer);
      done();
    };
    incoming.once('end', over).once('close', over).resume();
  });
}
