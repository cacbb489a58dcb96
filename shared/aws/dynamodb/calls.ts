import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { machineTime } from '../clock.ts';
import { awsConfig } from '../config.ts';
import { type Endpoint, endpointIn } from './endpoint.ts';
import { aborted, CallError, type Failure } from './errors.ts';
import { type Output, resultOf } from './response.ts';
import { Retries } from './retries.ts';
import { type Credentials, signed } from './signature.ts';
import { type AttemptOptions, type Handler, type HttpResponse, Sockets, type Timeouts } from './transport.ts';
import { written } from './values.ts';

/** The settings of calls. */
export interface CallSettings {
  /** Another way to DynamoDB, or the time-outs of the usual one. */
  readonly requestHandler?: Handler | Timeouts | undefined;
  /** undefined: the region of the environment. */
  readonly region?: string | undefined;
  /** The maximum number of attempts of a call; 3 by default. */
  readonly maxAttempts?: number | undefined;
  /** Waits between two attempts. Tests replace it. */
  readonly pause?: ((ms: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

/** AWS accepts a difference between the clocks of up to 5 minutes, so a smaller one is not the cause of an error. */
const SKEW_MS = 240_000;
/** The errors of a signature whose time AWS refuses. Source: AWS SDK for JavaScript v3, `CLOCK_SKEW_ERROR_CODES`. */
const SKEWED = new Set([
  'AccessDeniedException',
  'InvalidSignatureException',
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
]);

const sleep = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  setTimeout(ms, undefined, signal && { signal }).catch(() => Promise.reject(aborted()));

/**
 * Calls operations of DynamoDB: one signed request for each attempt, and further attempts after errors that can pass.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB low-level API", "Error handling with DynamoDB".
 */
export class Calls {
  readonly #handler: Handler;
  readonly #region: string | undefined;
  readonly #retries: Retries;
  readonly #pause: NonNullable<CallSettings['pause']>;
  readonly #credentials: () => Promise<Credentials>;
  #endpoint: Endpoint | undefined;
  /** The time of DynamoDB minus the time of this machine in ms, once DynamoDB has refused the latter. */
  #skew = 0;

  /** `credentials` is called for each attempt, because they can change. */
  constructor(
    { requestHandler = {}, region, maxAttempts = 3, pause = sleep }: CallSettings,
    credentials: () => Promise<Credentials>,
  ) {
    this.#handler = 'handle' in requestHandler ? requestHandler : new Sockets(requestHandler);
    this.#region = region;
    this.#retries = new Retries(maxAttempts);
    this.#pause = pause;
    this.#credentials = credentials;
  }

  /**
   * Calls an operation. Returns its output.
   * @throws CallError after the last attempt, or at once if no other attempt could succeed
   */
  async call(operation: string, input: object, options: AttemptOptions): Promise<Output> {
    const body = written(input);
    const id = randomUUID();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const output = await this.#attempt(operation, body, id, options);
        this.#retries.succeeded(attempt);
        output.$metadata.attempts = attempt;
        return output;
      } catch (error) {
        const failure = error as Failure;
        failure.$metadata = { ...failure.$metadata, attempts: attempt };
        const pause = this.#retries.pauseAfter(failure, attempt);
        if (pause === undefined) throw failure;
        await this.#pause(pause, options.abortSignal);
      }
    }
  }

  /** Closes all connections. */
  destroy(): void {
    this.#handler.destroy?.();
  }

  async #attempt(operation: string, body: string, id: string, options: AttemptOptions): Promise<Output> {
    const region = this.#region ?? awsConfig.region();
    this.#endpoint ??= endpointIn(region);
    const { host, path, ...address } = this.#endpoint;
    const parts = {
      method: 'POST',
      path,
      headers: {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        // AWS's logs show by this field which requests are attempts of one call.
        'amz-sdk-invocation-id': id,
      },
      body,
    };
    const skew = this.#skew;
    const scope = { region, service: 'dynamodb' };
    const headers = signed(parts, await this.#credentials(), scope, machineTime() + skew);
    const { response } = await this.#handler.handle({ ...address, ...parts, headers }, options);
    const result = await resultOf(response);
    if (!(result instanceof CallError)) return result;
    if (SKEWED.has(result.name)) this.#correctClock(result, response, skew);
    throw result;
  }

  /** Takes the time of DynamoDB, if it differs from the time of the request, which had `skew`. */
  #correctClock({ $metadata }: CallError, { headers }: HttpResponse, skew: number): void {
    const measured = Date.parse(String(headers.date)) - machineTime();
    if (!(Math.abs(measured - skew) > SKEW_MS)) return;
    this.#skew = measured;
    $metadata.clockSkewCorrected = true;
  }
}
