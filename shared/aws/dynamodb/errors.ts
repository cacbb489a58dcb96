import type { CancellationReason } from '@aws-sdk/client-dynamodb';

/** The facts of a call, in responses and errors. `attempts`: the number of requests that the call took. */
export interface Metadata {
  httpStatusCode?: number;
  requestId?: string | undefined;
  attempts?: number;
  /** The client has learned the time of DynamoDB from this error. */
  clockSkewCorrected?: boolean;
}

/** The optional members of an error. A failed connection has Node's `code`, a failed condition has the `Item`. */
interface Members {
  readonly $fault?: 'client' | 'server';
  readonly code?: string;
  readonly Item?: CancellationReason['Item'];
  readonly CancellationReasons?: readonly CancellationReason[];
}

/**
 * An error of DynamoDB, or of the connection to it. `name` is DynamoDB's name, e.g. `ConditionalCheckFailedException`.
 *
 * Source: Amazon DynamoDB Developer Guide, "Error handling with DynamoDB".
 */
export class CallError extends Error implements Members {
  declare readonly $fault?: Members['$fault'];
  declare readonly code?: Members['code'];
  declare readonly Item?: Members['Item'];
  declare readonly CancellationReasons?: Members['CancellationReasons'];
  $metadata: Metadata;

  constructor(name: string, message: string, members: Members = {}, metadata: Metadata = {}) {
    super(message);
    this.name = name;
    this.$metadata = metadata;
    Object.assign(this, members);
  }
}

/** Any error of an attempt: a CallError, or the error of another transport. */
export interface Failure extends Error {
  readonly code?: string;
  $metadata?: Metadata;
}

/** DynamoDB did not respond in time. `missing`: what did not happen. `ms`: the time-out. */
export const timedOut = (missing: 'connection' | 'response', ms: number): CallError =>
  new CallError('TimeoutError', `DynamoDB gave no ${missing} within ${ms} ms`);

/** The connection failed, or the response arrived incomplete or damaged. `code`: Node's code. */
export const disconnected = (message: string, code = 'ECONNRESET'): CallError =>
  new CallError('NetworkingError', message, { code });

/** The caller's signal ended the call. */
export const aborted = (): CallError => new CallError('AbortError', 'Request aborted');

/** The content of an error response, as far as this client reads it. */
export interface Refusal extends Pick<Members, 'Item' | 'CancellationReasons'> {
  readonly __type?: string;
  readonly message?: string;
  readonly Message?: string;
}

/**
 * The error in a response with a status of 400 or above. The response of a proxy has another content, and the header
 * field `x-amzn-errortype` at most.
 */
export function errorOf(
  { __type, message, Message, Item, CancellationReasons }: Refusal,
  metadata: Metadata & { readonly httpStatusCode: number },
  type = 'UnknownError',
): CallError {
  const { httpStatusCode: status } = metadata;
  const members = {
    $fault: status < 500 ? ('client' as const) : ('server' as const),
    ...(Item && { Item }),
    ...(CancellationReasons && { CancellationReasons }),
  };
  const text = message ?? Message ?? `DynamoDB answered with the status ${status}`;
  return new CallError(nameIn(__type ?? type), text, members, metadata);
}

/** The name in a type such as `com.amazonaws.dynamodb.v20120810#ThrottlingException:http://…`. */
const nameIn = (type: string): string => (type.split(/[,:]/, 1)[0] ?? '').replace(/^.*#/, '');
