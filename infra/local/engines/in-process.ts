import { Readable } from 'node:stream';
import type { Engines } from './engines.ts';

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

/** A request handler for AWS SDK clients of version 3. */
export interface InProcessHandler {
  metadata: { handlerProtocol: string };
  handle(
    request: SdkRequest,
    options?: { abortSignal?: AbortSignalLike },
  ): Promise<{ response: SdkResponse }>;
  updateHttpClientConfig(): void;
  httpHandlerConfigs(): Record<string, never>;
  destroy(): void;
}

interface AbortSignalLike {
  readonly aborted: boolean;
  onabort?: unknown;
}

/**
 * Attaches SDK clients to engines in this process: pass it as `requestHandler`. The requests are the ones
 * that would go over the network, signed and serialized, only without a socket.
 */
export function inProcess(engines: Engines): InProcessHandler {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request, { abortSignal } = {}) {
      if (abortSignal?.aborted) throw abortError();
      // A turn of the event loop, as a socket would take one: engines answer in microtasks, and a loop of calls
      // would otherwise keep timers, sockets and files from ever being served.
      await new Promise((resolve) => setImmediate(resolve));
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(request.headers))
        headers[name.toLowerCase()] = String(value);
      const answering = engines.dispatch({
        method: request.method,
        path: request.path,
        query: queryString(request.query ?? {}),
        headers,
        body: bodyOf(request.body),
      });
      const {
        status,
        headers: answered,
        body,
      } = await orAborted(answering, abortSignal as AbortSignal | undefined);
      if (body instanceof Readable) abortWith(body, abortSignal as AbortSignal | undefined);
      return { response: { statusCode: status, headers: answered, ...(body && { body }) } };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    // The engines belong to whoever opened them; a client must not close them for the others.
    destroy() {},
  };
}

function bodyOf(body: unknown): Uint8Array | AsyncIterable<Uint8Array> | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  // A view on the same bytes: the SDK warns when a body of its own is copied by Buffer.from(body).
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  return body as AsyncIterable<Uint8Array>;
}

/** The query as the SDK's own handlers spell it. */
function queryString(query: Record<string, string | string[] | null>): string {
  return Object.entries(query)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) =>
        each === null ? escaped(name) : `${escaped(name)}=${escaped(each)}`,
      ),
    )
    .join('&');
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortError());
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function abortWith(body: Readable, signal: AbortSignal | undefined): void {
  if (!signal) return;
  const abort = (): void => {
    body.destroy(abortError());
  };
  signal.addEventListener('abort', abort, { once: true });
  body.once('close', () => signal.removeEventListener('abort', abort));
}

function abortError(): Error {
  const error = new Error('Request aborted');
  error.name = 'AbortError';
  return error;
}
