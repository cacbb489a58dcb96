import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { aborted, type CallError, disconnected, timedOut } from './errors.ts';

/** A signed request. `port`: undefined for the default port of the protocol. `body`: JSON. */
export type HttpRequest = {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

/** A response. `body`: bytes, or chunks of bytes. The names of header fields are in lower case. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

/** The options of one attempt. `requestTimeout`: ms until the end of the response. */
export interface AttemptOptions {
  readonly abortSignal?: AbortSignal | undefined;
  readonly requestTimeout?: number | undefined;
}

/** The way of requests to DynamoDB: `requestHandler` in the settings of the SDK's clients. */
export type Handler = {
  handle(request: HttpRequest, options?: AttemptOptions): Promise<{ readonly response: HttpResponse }>;
  destroy?(): void;
};

/** The time-outs of an attempt in ms. */
export type Timeouts = { readonly connectionTimeout?: number; readonly requestTimeout?: number };

/** Connections at the same time. */
const AGENT = { keepAlive: true, maxSockets: 50 };

/**
 * Sends requests over connections that it keeps open. Node's agents close a connection after `Connection: close`.
 * @throws CallError `TimeoutError`, `NetworkingError` or `AbortError`
 */
export class Sockets {
  readonly #timeouts: Timeouts;
  readonly #agents = { 'http:': new HttpAgent(AGENT), 'https:': new HttpsAgent(AGENT) };

  constructor(timeouts: Timeouts = {}) {
    this.#timeouts = timeouts;
  }

  handle(
    { protocol, hostname, port, method, path, headers, body }: HttpRequest,
    { abortSignal, requestTimeout = this.#timeouts.requestTimeout }: AttemptOptions = {},
  ): Promise<{ response: HttpResponse }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ response: HttpResponse }>();
    if (abortSignal?.aborted) return Promise.reject(aborted());
    const isSecure = protocol === 'https:';
    const address = { hostname, port, method, path, headers };
    const request = isSecure
      ? httpsRequest({ ...address, agent: this.#agents['https:'] })
      : httpRequest({ ...address, agent: this.#agents['http:'] });
    const stop = (error: CallError): void => {
      reject(error);
      request.destroy();
    };
    const fail = ({ message, code }: NodeJS.ErrnoException) => reject(disconnected(message, code));
    const abort = () => stop(aborted());
    abortSignal?.addEventListener('abort', abort, { once: true });
    const timer = later(requestTimeout, (ms) => stop(timedOut('response', ms)));
    request.on('error', fail).on('close', () => {
      clearTimeout(timer);
      abortSignal?.removeEventListener('abort', abort);
    });
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const waiting = later(this.#timeouts.connectionTimeout, (ms) => stop(timedOut('connection', ms)));
      const connected = () => clearTimeout(waiting);
      socket.once(isSecure ? 'secureConnect' : 'connect', connected).once('close', connected);
    });
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail);
      response.on('end', () =>
        resolve({
          response: {
            statusCode: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          },
        }),
      );
    });
    request.end(body);
    return promise;
  }

  /** Closes all connections. */
  destroy(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

const later = (ms: number | undefined, act: (ms: number) => void): NodeJS.Timeout | undefined =>
  ms ? setTimeout(act, ms, ms) : undefined;
