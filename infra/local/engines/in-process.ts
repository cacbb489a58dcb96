import { Readable } from 'node:stream';
import type { Body } from './body.ts';
import type { Engines } from './engines.ts';
import { uriEncoded } from './signature.ts';

/** What an SDK client hands to its request handler, as far as it is needed here. */
interface SdkRequest {
  method: string;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

interface SdkResponse {
  statusCode: number;
  headers: Record<string, string>;
  body?: Uint8Array | Readable;
}

/** The SDK's own type lacks the method that the platform's signals have. */
type SdkSignal = Pick<AbortSignal, 'aborted'> & { onabort?: unknown };

/** A request handler for AWS SDK clients of version 3. */
export interface InProcessHandler {
  metadata: { handlerProtocol: string };
  handle(request: SdkRequest, options?: { abortSignal?: SdkSignal }): Promise<{ response: SdkResponse }>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): Record<string, never>;
  destroy(): void;
}

/**
 * Attaches SDK clients to engines in this process: pass it as `requestHandler`. The requests are the ones
 * that would go over the network, signed and serialized, only without a socket.
 */
export function inProcess(engines: Engines): InProcessHandler {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle({ method, path, query = {}, headers: given, body: content }, { abortSignal } = {}) {
      if (abortSignal?.aborted) throw abortError();
      // A turn of the event loop, as a socket would take one: engines answer in microtasks, and a loop of calls
      // would otherwise keep timers, sockets and files from ever being served.
      await new Promise((resolve) => setImmediate(resolve));
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = String(value);
      const body = bodyOf(content);
      if (ArrayBuffer.isView(body)) headers['content-length'] ??= String(body.byteLength);
      const answering = engines.dispatch({ method, path, query: queryString(query), headers, body });
      const answer = await orAborted(answering, abortSignal as AbortSignal | undefined);
      const response = { statusCode: answer.status, headers: answer.headers };
      return { response: answer.body ? { ...response, body: answer.body } : response };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    // The engines belong to whoever opened them; a client must not close them for the others.
    destroy() {},
  };
}

function bodyOf(body: unknown): Body {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  // A view on the same bytes: the SDK warns when a body of its own is copied by Buffer.from(body).
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return body as AsyncIterable<Uint8Array>;
}

/** The query as the SDK's own handlers spell it. */
function queryString(query: Record<string, string | string[] | null>): string {
  return Object.entries(query)
    .flatMap(([name, value]) =>
      [value].flat().map((each) => uriEncoded(name) + (each === null ? '' : `=${uriEncoded(each)}`)),
    )
    .join('&');
}

/** The result of `work`, or an AbortError as soon as the signal says so; then a body still to come is destroyed. */
function orAborted<Result extends { body?: unknown }>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(abortError());
      void work.then(({ body }) => body instanceof Readable && body.destroy(abortError()));
    };
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });
}

function abortError(): Error {
  const error = new Error('Request aborted');
  error.name = 'AbortError';
  return error;
}
