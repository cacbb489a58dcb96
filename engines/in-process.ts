import { Readable } from 'node:stream';
import type { EngineRequest, EngineResponse, Engines } from './engines.ts';
import { uriEncoded } from './signature.ts';

/** What an SDK client hands to its request handler, as far as it is needed here. */
interface SdkRequest {
  method: string;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

/**
 * Attaches AWS SDK clients to engines in this process: pass it as `requestHandler`. The requests are the ones
 * that would go over the network, signed and serialized, only without a socket.
 */
export function inProcess(engines: Engines) {
  return {
    metadata: { handlerProtocol: 'h1' },
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: object } = {}) {
      // The SDK's own type lacks the methods that the platform's signals have.
      const signal = abortSignal as AbortSignal | undefined;
      if (signal?.aborted) throw abortError();
      // A turn of the event loop, as a socket would take one: engines answer in microtasks, and a loop of calls
      // would otherwise keep timers, sockets and files from ever being served.
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
    // The engines belong to whoever opened them; a client must not close them for the others.
    destroy() {},
  };
}

function bodyOf(body: unknown): EngineRequest['body'] {
  if (body === undefined || body === null) return [];
  if (typeof body === 'string') return [Buffer.from(body)];
  // A view on the same bytes: the SDK warns when a body of its own is copied by Buffer.from(body).
  if (ArrayBuffer.isView(body)) return [Buffer.from(body.buffer, body.byteOffset, body.byteLength)];
  return body as AsyncIterable<Uint8Array>;
}

/** The query as the SDK's own handlers spell it. */
function queryString({ query = {} }: SdkRequest): string {
  const pair = (name: string, value: string | null): string =>
    value === null ? uriEncoded(name) : `${uriEncoded(name)}=${uriEncoded(value)}`;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => pair(name, each)),
  );
  return pairs.join('&');
}

/** The answer, or an AbortError as soon as the signal says so; then a body still to come is destroyed. */
function orAborted(answering: Promise<EngineResponse>, signal?: AbortSignal): Promise<EngineResponse> {
  if (!signal) return answering;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(abortError());
      void answering.then(({ body }) => body instanceof Readable && body.destroy(abortError()));
    };
    signal.addEventListener('abort', abort, { once: true });
    answering.then(resolve, reject);
  });
}

function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError' });
}
