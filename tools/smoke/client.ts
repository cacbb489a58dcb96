/** Sends the requests of the smoke test. */

import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** Time-out in ms, above that of API Gateway. */
const TIMEOUT_MS = 35_000;

export interface Answer {
  readonly status: number;
  /** Names in lower case; a repeated field joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  json(): Readonly<Record<string, unknown>>;
}

export interface SentRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  readonly json?: unknown;
}

/**
 * Sends one request to an absolute URI, with path and method unchanged. It follows no redirect. `fetch` cannot send
 * TRACE and hides parts of the response.
 */
export async function exchange(
  method: string,
  uri: string,
  { headers = {}, body, json }: SentRequest = {},
): Promise<Answer> {
  const [, origin = '', path = '/'] = /^(https?:\/\/[^/?#]+)(.*)$/.exec(uri) ?? [];
  const { protocol, hostname, port } = new URL(origin);
  const content = json === undefined ? Buffer.from(body ?? '') : Buffer.from(JSON.stringify(json));
  const all: OutgoingHttpHeaders = {
    // Firewall rules refuse requests without User-Agent.
    'User-Agent': 'resource-api-smoke',
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(json === undefined && body === undefined ? {} : { 'Content-Length': content.length }),
    ...headers,
  };
  const request = protocol === 'https:' ? requestSecure : requestPlain;
  const outgoing = request({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: all,
    agent: false,
    timeout: TIMEOUT_MS,
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer to ${method} ${path}`)));
  const answered = once(outgoing, 'response');
  // An error before the response rejects `answered`. After it, the response itself has the error.
  outgoing.on('error', () => {});
  outgoing.end(content.length > 0 ? content : undefined);
  const [incoming] = (await answered) as [IncomingMessage];
  const bytes = await buffer(incoming);
  outgoing.destroy();
  const fields = Object.entries(incoming.headersDistinct).map(([name, values]) => [name, values?.join(', ')]);
  const text = bytes.toString('utf8');
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(fields),
    bytes,
    text,
    json: () => JSON.parse(text),
  };
}
