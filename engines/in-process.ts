import { Readable } from 'node:stream';
import type { Engines } from './engines.ts';
import { uriEncoded } from './signature.ts';
import type { EngineRequest, EngineResponse } from './wire.ts';

/** The parts of an SDK client's request that the engines need. */
interface SdkRequest {
  method: string;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * Connects AWS SDK clients to engines in this process: pass it as `requestHandler`. The requests are the signed and
 * serialized network requests, without a socket.
 */
export function inProcess(engines: Engines) {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: object } = {}) {
      // The SDK's type lacks the methods of the platform's AbortSignal.
      const signal = abortSignal as AbortSignal | undefined;
      if (signal?.aborted) throw abortError();
      // Waits for one turn of the event loop, as a socket would. Engines respond in microtasks. A loop of calls
      // would otherwise block timers, sockets and files.
      await new Promise((resolve) => setImmediate(resolve));
      const { method, path, headers: given } = request;
      const headers: Record<string, string> = {};
      for (const name of Object.keys(given)) headers[name.toLowerCase()] = String(given[name]);
      const body = bodyOf(request.body);
      if (Array.isArray(body)) headers['content-length'] ??= String(body[0]?.byteLength ?? 0);
      const answering = engines.dispatch({ method, path, query: queryString(request), headers, body });
      const { status: statusCode, ...answer } = await orAborted(answering, signal);
      return { response: { statusCode, ...answer } };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    // The caller that opened the engines closes them. A client must not close them for other clients.
    destroy() {},
  };
}

function bodyOf(body: unknown): EngineRequest['body'] {
  if (body === undefined || body === null) return [];
  if (typeof body === 'string') return [Buffer.from(body)];
  // A view of the same bytes, because the SDK warns about Buffer.from(body) for its own bodies.
  if (ArrayBuffer.isView(body)) return [Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
  return body as AsyncIterable<Uint8Array>;
}

/** The query in the form of the SDK's own handlers. */
function queryString({ query = {} }: SdkRequest): string {
  const pair = (name: string, value: string | null): string =>
    value === null ? uriEncoded(name) : `${uriEncoded(name)}=${uriEncoded(value)}`;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => pair(name, each)),
  );
  return pairs.join('&');
}

/**
 * Returns the response, or throws an AbortError as soon as the signal aborts. It then destroys a body that arrives
 * later.
 */
function orAborted(answering: Promise<EngineResponse>, signal?: AbortSignal): Promise<EngineResponse> {
  if (!signal) return answering;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(abortError());
      void answering.then(({ body }) => body instanceof Readable && body.destroy(abortError()));
    };
    signal.addEventListener('abort', abort, { once: true });
    answering.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}
