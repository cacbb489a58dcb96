import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';

/** A link as representations carry it. */
export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly method: string;
  readonly types?: readonly string[];
  readonly title?: string;
  readonly templated?: boolean;
  readonly description?: string;
}

/** One of the errors in a problem. */
export interface Fault {
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** A JSON body as the tests read it: the properties that they use, and unknown others. */
export interface Body {
  readonly [name: string]: unknown;
  readonly id: number;
  readonly orderId: number;
  readonly filename: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly items: readonly Body[];
  readonly limit: number;
  readonly offset: number;
  readonly links: readonly Link[];
  readonly type: string;
  readonly detail: string;
  readonly errors: readonly Fault[];
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. Commas join repeated fields. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values alternately, in their original order. */
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly text: string;
  json(): Body;
}

export interface SentRequest {
  /** An array sends the field once for each value. */
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** A body of application/json, unless the headers name another type. */
  readonly json?: unknown;
}

/** Sends one request with exactly this path and method. Follows no redirect. */
export type Client = (method: string, path: string, sent?: SentRequest) => Promise<Answer>;

/** The Accept of tests that name none. Usually absent, for a service that needs one. */
const ACCEPT = process.env.BASE_ACCEPT;

/** Connections stay open, as those of most clients do: a new one costs as much as a small request. */
const PLAIN = { request: requestPlain, agent: new Agent({ keepAlive: true }) };
const SECURE = { request: requestSecure, agent: new SecureAgent({ keepAlive: true }) };

/** A client of the service at `url`. */
export function clientOf(url: string): Client {
  const { protocol, hostname, port, pathname } = new URL(url);
  const { request, agent } = protocol === 'https:' ? SECURE : PLAIN;
  const base = pathname.replace(/\/$/, '');
  return (method, path, { headers = {}, body, json } = {}) =>
    new Promise((answered, failed) => {
      const bytes = json === undefined ? Buffer.from(body ?? '') : Buffer.from(JSON.stringify(json));
      const accepts = Object.keys(headers).some((name) => /^accept$/i.test(name));
      const typed = Object.keys(headers).some((name) => /^content-type$/i.test(name));
      const all: OutgoingHttpHeaders = {
        ...(ACCEPT === undefined || accepts ? {} : { Accept: ACCEPT }),
        ...(json === undefined || typed ? {} : { 'Content-Type': 'application/json' }),
        ...(json === undefined && body === undefined ? {} : { 'Content-Length': bytes.length }),
        ...headers,
      };
      const outgoing = request({
        hostname,
        port,
        method,
        path: `${base}${path}`,
        headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
        agent,
        timeout: 30_000,
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer to ${method} ${path}`)));
      outgoing.on('error', failed);
      outgoing.on('response', (incoming) => {
        const answer = collect(incoming).then(async (chunks) => {
          if (incoming.statusCode === 201) await nextMillisecond();
          answered(answerOf(incoming, chunks));
        });
        answer.catch(failed);
      });
      outgoing.on('connect', (incoming, socket, head) => {
        collect(socket).then((rest) => answered(answerOf(incoming, Buffer.concat([head, rest]))), failed);
      });
      outgoing.end(bytes.length > 0 ? bytes : undefined);
    });
}

/** Waits for the next millisecond. Lists have no order for items of one, and a test expects the later one to be newer. */
async function nextMillisecond(): Promise<void> {
  for (const now = Date.now(); Date.now() === now; ) await new Promise((turn) => setImmediate(turn));
}

async function collect(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answerOf(incoming: IncomingMessage, bytes: Buffer): Answer {
  const headers: Record<string, string> = {};
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    const name = (incoming.rawHeaders[at] as string).toLowerCase();
    const value = incoming.rawHeaders[at + 1] as string;
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const text = bytes.toString('utf8');
  return {
    status: incoming.statusCode ?? 0,
    headers,
    rawHeaders: incoming.rawHeaders,
    bytes,
    text,
    json: () => JSON.parse(text) as Body,
  };
}
