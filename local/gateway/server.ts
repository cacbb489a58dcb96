import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { WireResponse } from './answer.ts';
import { gatewayProblem } from './problem.ts';

/** Time limits for the arrival of a request, and the interval of the check, in ms. */
export interface Patience {
  /** For the header section, in ms. */
  readonly headersTimeout: number;
  /** For the whole request, in ms. */
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const PATIENCE: Patience = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
};

/**
 * Milliseconds between the last response of a connection and its end. Meanwhile the server reads and drops the rest of
 * the request, so that the client can still read the response.
 */
const LINGER_MS = 2000;

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Returns an HTTP server around a function that responds to requests. It handles the connections: each request gets
 * exactly one response.
 */
export function serverOf(
  respond: (incoming: IncomingMessage) => Promise<WireResponse>,
  patience = PATIENCE,
): Server {
  /** For each connection: requests without a complete response, and the last response of a broken connection. */
  const pending = new WeakMap<Duplex, Set<Exchange>>();
  const broken = new WeakMap<Duplex, WireResponse>();

  const server = createServer({ maxHeaderSize: 64 * 1024, requireHostHeader: false, ...patience });
  // A client that half-closes the connection has sent all its requests and still gets their responses. Source: RFC
  // 9112 §9.6.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const exchange = { incoming, outgoing };
    const exchanges = pending.get(socket) ?? new Set();
    pending.set(socket, exchanges.add(exchange));
    // HTTP/1.0 has no transfer codings, so the end of the request is unknown. Source: RFC 9112 §6.1.
    if (incoming.httpVersion === '1.0' && incoming.headers['transfer-encoding'])
      outgoing.shouldKeepAlive = false;
    outgoing.once('close', () => {
      exchanges.delete(exchange);
      endBroken(socket);
    });
    void respond(incoming).then(async (response) => {
      if (outgoing.destroyed || (broken.has(socket) && !incoming.complete)) return;
      // The date that Node keeps can be older than Last-Modified if the process was busy. Source: RFC 9110 §8.8.2.1.
      const fields = [...response.headers.flat(), 'Date', new Date().toUTCString()];
      outgoing.writeHead(response.status, incoming.complete ? fields : [...fields, 'Connection', 'close']);
      if (incoming.complete) return void outgoing.end(response.body);
      outgoing.write(response.body);
      await drained(incoming);
      outgoing.end();
    });
  });
  // Sends 100 (Continue) only when the service reads the body. If the header section alone decides, the response
  // comes first. Source: RFC 9110 §10.1.1.
  server.on('checkContinue', (incoming, outgoing) => {
    incoming.once('resume', () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
    server.emit('request', incoming, outgoing);
  });
  // API Gateway ignores Expect. A request with any other expectation gets a normal response.
  server.on('checkExpectation', (incoming, outgoing) => void server.emit('request', incoming, outgoing));
  // CONNECT names an authority or a path. No resource has this method.
  server.on('connect', (incoming, socket) => {
    socket.on('error', () => socket.destroy());
    void respond(incoming).then((response) => socket.end(rawResponse(response)));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The server drops everything after the fault on a broken connection.
    if (broken.has(socket)) return;
    broken.set(socket, unreadable(error.code));
    endBroken(socket);
  });
  return server;

  /** Sends the last response of a broken connection, after the responses to all earlier requests. */
  function endBroken(socket: Duplex): void {
    const last = broken.get(socket);
    const exchanges = [...(pending.get(socket) ?? [])];
    if (!last || exchanges.some(({ incoming, outgoing }) => incoming.complete || outgoing.headersSent))
      return;
    if (socket.writable) socket.end(rawResponse(last));
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  }
}

/** Returns the response to a request that the HTTP parser refused, or that arrived too late. */
function unreadable(code: string | undefined): WireResponse {
  const where = { instance: '/', requestId: randomUUID() };
  if (code === 'HPE_INVALID_METHOD')
    return gatewayProblem('not-implemented', 'The method is unknown here', where);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return gatewayProblem('headers-too-large', 'The header fields are too large', where);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return gatewayProblem('request-timeout', 'The request did not arrive in time', where);
  return gatewayProblem('malformed-request', 'This is not a well-formed HTTP request', where);
}

function rawResponse({ status, headers, body }: WireResponse): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/**
 * Reads and drops the rest of a refused body for a limited time. An immediate close would reset the connection, and
 * the client could lose the response. Source: RFC 9112 §9.6.
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
