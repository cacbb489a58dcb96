/** Sends the requests of the smoke test. */

import { type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

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

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  readonly json?: unknown;
}

/**
 * Sends one request to an absolute URI, with path and method unchanged. It follows no redirect. `fetch` cannot send
 * TRACE and hides parts of the response.
 */
export function exchange(
  method: string,
  uri: string,
  { headers = {}, body, json }: Sent = {},
): Promise<Answer> {
  const [, origin = '', path = '/'] = /^(https?:\/\/[^/?#]+)(.*)$/.exec(uri) ?? [];
  const { protocol, hostname, port } = new URL(origin);
  const bytes = json === undefined ? Buffer.from(body ?? '') : Buffer.from(JSON.stringify(json));
  const all: OutgoingHttpHeaders = {
    // Firewall rules refuse requests without User-Agent.
    'User-Agent': 'resource-api-smoke',
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(json === undefined && body === undefined ? {} : { 'Content-Length': bytes.length }),
    ...headers,
  };
  const request = protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((answered, failed) => {
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
    outgoing.on('error', failed);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', failed);
      incoming.on('end', () => {
        outgoing.destroy();
        answered(answerOf(incoming.statusCode ?? 0, incoming.rawHeaders, Buffer.concat(chunks)));
      });
    });
    outgoing.end(bytes.length > 0 ? bytes : undefined);
  });
}

function answerOf(status: number, rawHeaders: readonly string[], bytes: Buffer): Answer {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    const value = rawHeaders[at + 1] as string;
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const text = bytes.toString('utf8');
  return { status, headers, bytes, text, json: () => JSON.parse(text) };
}
