import type { Failure } from './errors.ts';

/** Names of errors by which DynamoDB asks for fewer requests. Source: AWS SDK for JavaScript v3, `THROTTLING_ERROR_CODES`. */
const THROTTLING = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);
const TRANSIENT = new Set([
  'InternalServerError',
  'RequestTimeout',
  'RequestTimeoutException',
  'TimeoutError',
]);
const STATUSES = new Set([500, 502, 503, 504]);
const NETWORK = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The longest pause before the second attempt, in ms. It doubles with each further attempt. */
const PAUSE_MS = { throttling: 1000, transient: 25 };
/** The price of another attempt. The attempts of all calls share a budget, which successful calls fill again. */
const COST = { throttling: 5, transient: 14 };
const BUDGET = 500;

type Cause = keyof typeof PAUSE_MS;

/** Why another attempt could succeed; undefined if it could not. */
function causeOf({ name, code = '', message, $metadata = {} }: Failure): Cause | undefined {
  const { httpStatusCode: status = 0, clockSkewCorrected } = $metadata;
  if (THROTTLING.has(name) || status === 429) return 'throttling';
  if (name === 'AbortError') return undefined;
  // Lambda can freeze a process between signing and sending.
  const isLate = name === 'InvalidSignatureException' && message.includes('Signature expired');
  const canPass =
    isLate || clockSkewCorrected || TRANSIENT.has(name) || STATUSES.has(status) || NETWORK.has(code);
  return canPass ? 'transient' : undefined;
}

/**
 * Decides about further attempts of calls: exponential pauses with full jitter, and a budget that keeps clients from
 * doubling the load of an engine that fails.
 *
 * Source: AWS SDKs and Tools Reference Guide, "Retry behavior", standard mode.
 */
export class Retries {
  readonly #maximum: number;
  #budget = BUDGET;

  /** `maximum`: the attempts of a call. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /**
   * The pause before the next attempt, in ms. undefined: the call has failed. `attempt`: the number of the failed
   * attempt, from 1.
   */
  pauseAfter(error: Failure, attempt: number): number | undefined {
    const cause = causeOf(error);
    if (!cause || attempt >= this.#maximum || this.#budget < COST[cause]) return undefined;
    this.#budget -= COST[cause];
    return Math.floor(Math.random() * PAUSE_MS[cause] * 2 ** (attempt - 1));
  }

  /** Counts a call that succeeded with its attempt of this number. */
  succeeded(attempt: number): void {
    this.#budget = Math.min(BUDGET, this.#budget + (attempt > 1 ? COST.transient : 1));
  }
}
