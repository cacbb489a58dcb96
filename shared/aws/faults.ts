import { Unavailable } from '../http/problem.ts';

interface ServiceError {
  readonly name: string;
  readonly $fault?: 'client' | 'server';
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly code?: string;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/** Names of transient errors. Source: AWS SDK retry behavior, "Throttling errors". */
const TRANSIENT =
  /Throttl|TooManyRequests|RequestLimitExceeded|ProvisionedThroughputExceeded|LimitExceeded|SlowDown|TransactionInProgress|TransactionConflict|RequestTimeout|TimeoutError|ServiceUnavailable|InternalServerError|InternalFailure|AbortError|NetworkingError/;
/** An error that the SDK gives the status 503 if S3 sends it after the status 200. A repetition fails again. */
const AFTER_SUCCESS = 'PreconditionFailed';
const NETWORK = /^(ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|UND_ERR)/;

/** True if the engine, and not the request, caused an error of an AWS client. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, $fault, $metadata, code, CancellationReasons: reasons } = error as ServiceError & Error;
  if (reasons) {
    const codes = reasons.map(({ Code }) => Code ?? 'None');
    return !codes.includes('ConditionalCheckFailed') && codes.some((one) => TRANSIENT.test(one));
  }
  if (name === AFTER_SUCCESS) return false;
  if ($fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return TRANSIENT.test(name) || (code !== undefined && NETWORK.test(code));
}

/** Seconds until a full disk may have space again: an operator must free some. Only embedded engines have one. */
const FULL_SECONDS = 300;
const FULL = 'The disk of this service is full. Tell its operator, and try again later';

/**
 * Awaits a call of an AWS client.
 *
 * @throws Unavailable for a transient error, otherwise the error of the SDK
 */
export async function orUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isNamed(error, 'StorageFull')) throw new Unavailable(error, FULL_SECONDS, FULL);
    throw isTransient(error) ? new Unavailable(error) : error;
  }
}

/** True if an error of an AWS client has this name, e.g. `ConditionalCheckFailedException`. */
export function isNamed<Name extends string>(error: unknown, name: Name): error is Error & { name: Name } {
  return error instanceof Error && error.name === name;
}
