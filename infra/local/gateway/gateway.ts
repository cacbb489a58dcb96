import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { BadGateway, type WireResponse, wireResponse } from './answer.ts';
import { proxyEvent, type Stage } from './event.ts';
import { gatewayProblem } from './problem.ts';
import { match, type Route } from './routing.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What the gateway puts in front of: the routes, and the function of each resource. */
export interface Api {
  readonly routes: readonly Route[];
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly stage: Stage;
}

/** Source: API Gateway quotas (payload, URL, headers, integration time-out); Lambda quotas (invocation payload). */
const MAXIMUM_BODY = 10 * 1024 * 1024;
const MAXIMUM_INVOCATION = 6 * 1024 * 1024;
const MAXIMUM_URL = 10_240;
const MAXIMUM_HEADERS = 10_240;
const TIMEOUT_MS = 29_000;

/** An API Gateway REST API with Lambda proxy integrations, in this process. */
export function gateway(api: Api): Server {
  const server = createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 60_000 }, (incoming, outgoing) => {
    void respond(api, incoming).then((response) => {
      if (outgoing.destroyed) return;
      outgoing.writeHead(response.status, response.headers.flat() as string[]);
      if (incoming.complete) return void outgoing.end(response.body);
      outgoing.write(response.body);
      void drained(incoming).then(() => outgoing.end());
    });
  });
  // An authority to tunnel to, or a path: no resource has this method.
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    void respond(api, incoming).then((response) => socket.end(rawResponse(response)));
    socket.on('error', () => socket.destroy());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy();
    const where = { instance: '/', requestId: randomUUID() };
    socket.end(rawResponse(unreadable(error.code, where)));
  });
  return server;
}

/** The answer to what the HTTP parser refused. */
function unreadable(code: string | undefined, where: { instance: string; requestId: string }): WireResponse {
  if (code === 'HPE_INVALID_METHOD')
    return gatewayProblem('not-implemented', 'The method is unknown here', where);
  if (code === 'HPE_HEADER_OVERFLOW')
    return gatewayProblem('headers-too-large', 'The header fields are too large', where);
  return gatewayProblem('malformed-body', 'This is not a well-formed HTTP request', where);
}

function rawResponse({ status, headers, body }: WireResponse): Buffer {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}

async function respond(api: Api, incoming: IncomingMessage): Promise<WireResponse> {
  const requestId = randomUUID();
  const basePath = api.stage.inPath ? `/${api.stage.name}` : '';
  const { path, query } = target(incoming.method as string, incoming.url ?? '/');
  const refuse = (name: Parameters<typeof gatewayProblem>[0], detail: string) =>
    gatewayProblem(name, detail, { instance: path, requestId, basePath });
  try {
    if ((incoming.url?.length ?? 0) > MAXIMUM_URL)
      return refuse('uri-too-long', `A URI has at most ${MAXIMUM_URL} characters`);
    if (headerBytes(incoming) > MAXIMUM_HEADERS) {
      return refuse('headers-too-large', `Header fields have at most ${MAXIMUM_HEADERS} bytes together`);
    }
    // Source: API Gateway Developer Guide, "Known issues": | { } in a query are not supported unencoded.
    if (/[|{}]/.test(query))
      return refuse('malformed-body', 'The characters | { } must be percent-encoded in a query');
    if (path !== basePath && !path.startsWith(`${basePath}/`))
      return refuse('forbidden', 'No stage of the API is at this path');
    // Source: RFC 9112 §3.2: more than one Host field line must be refused.
    const hosts = incoming.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
    if (hosts.length > 1) return refuse('malformed-body', 'There is more than one Host');
    const body = await bodyOf(incoming);
    if (!body) return refuse('payload-too-large', `A body has at most ${MAXIMUM_BODY} bytes`);
    const inner = path.slice(basePath.length) || '/';
    const matched = match(api.routes, inner);
    const event = proxyEvent(incoming, { path: inner, query, body }, matched, {
      stage: api.stage,
      requestId,
      now: Date.now(),
    });
    if (body.length > 1_000_000 && Buffer.byteLength(JSON.stringify(event)) > MAXIMUM_INVOCATION) {
      return refuse(
        'payload-too-large',
        'The body is larger than a function takes: at most 4 MiB can be sent inline',
      );
    }
    return wireResponse(event.httpMethod, await invoke(api.handlers.get(matched.resource), event));
  } catch (error) {
    if (error instanceof TimedOut) return refuse('timeout', 'The function did not answer in time');
    if (error instanceof BadGateway) return refuse('bad-gateway', error.message);
    // A client that went away needs no answer, and is no defect.
    if (incoming.complete) console.error(requestId, error);
    return refuse('internal', `Tell the operators this number: ${requestId}`);
  }
}

/** The path and query of a request target in origin or absolute form; `*` and an authority stand for the root. Source: RFC 9112 §3.2. */
function target(method: string, url: string): { path: string; query: string } {
  if (url === '*' || (method === 'CONNECT' && !url.startsWith('/'))) return { path: '/', query: '' };
  const origin = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/';
  const at = origin.indexOf('?');
  const path = at < 0 ? origin : origin.slice(0, at);
  return { path: path.startsWith('/') ? path : `/${path}`, query: at < 0 ? '' : origin.slice(at + 1) };
}

const headerBytes = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((sum, text) => sum + text.length, 0);

/** How long the rest of a body that was refused may keep coming before the connection is closed. */
const LINGER_MS = 2000;

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

/** The whole body; undefined as soon as it is known to be larger than the gateway takes. */
function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => {
      incoming.removeAllListeners('data').pause();
      done(undefined);
    };
    incoming.on('error', failed);
    incoming.on('close', () => failed(new Error('The client went away')));
    if (Number(incoming.headers['content-length'] ?? 0) > MAXIMUM_BODY) return tooLarge();
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAXIMUM_BODY) return tooLarge();
      chunks.push(chunk);
    });
    incoming.on('end', () => done(Buffer.concat(chunks)));
  });
}

class TimedOut extends Error {}

async function invoke(
  handler: Handler | undefined,
  event: APIGatewayProxyEvent,
): Promise<APIGatewayProxyResult> {
  if (!handler) throw new BadGateway('No function serves this path');
  const deadline = Date.now() + TIMEOUT_MS;
  const context = {
    awsRequestId: event.requestContext.requestId,
    functionName: 'local',
    functionVersion: '$LATEST',
    memoryLimitInMB: '512',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  } as Context;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut()), TIMEOUT_MS);
  });
  try {
    return await Promise.race([handler(event, context), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
