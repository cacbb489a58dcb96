import { isNamed } from '../../aws/faults.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { WRITE } from '../form/table.ts';
import { MISSING, STALE, type WriteConflict } from './results.ts';

/** The failure of one conditional write. `Item`: the item that failed the condition; undefined if none exists. */
interface Failure {
  readonly Item?: Attributes;
  /** The reason in a transaction: `None` for a part that DynamoDB could have written. */
  readonly Code?: string;
  readonly Message?: string;
}

/** Returns the failed condition of a single write; undefined for any other error. */
export const failureOf = (error: unknown): Failure | undefined =>
  isNamed(error, 'ConditionalCheckFailedException') ? (error as Failure) : undefined;

/** The part of a transaction that failed its condition. */
export interface FailedPart {
  readonly index: number;
  readonly failure: Failure;
  /** All parts that failed, this one first. */
  readonly all: readonly { readonly index: number; readonly failure: Failure }[];
}

/** Returns the reason for each part of a canceled transaction; empty for any other error. */
export const reasonsOf = (error: unknown): readonly Failure[] =>
  (isNamed(error, 'TransactionCanceledException') &&
    (error as { CancellationReasons?: readonly Failure[] }).CancellationReasons) ||
  [];

/**
 * True if DynamoDB refuses a write because an item or a transaction is too large. For a part of a transaction, the
 * reason of the part says so.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems, TransactionCanceledException.
 */
export const isOversized = (error: unknown): boolean =>
  [
    isNamed(error, 'ValidationException') ? error.message : '',
    ...reasonsOf(error).flatMap(({ Code, Message = '' }) => (Code === 'ValidationError' ? [Message] : [])),
  ].some((message) => /\bsize\b.* exceeded|4 ?MB/i.test(message));

/** Returns the part of a canceled transaction that failed its condition; undefined if the cause was another one. */
export function failedPart(error: unknown): FailedPart | undefined {
  const all = reasonsOf(error).flatMap((failure, index) =>
    failure.Code === 'ConditionalCheckFailed' ? [{ index, failure }] : [],
  );
  const [first] = all;
  return first && { ...first, all };
}

/**
 * True if the SDK sent the request more than once. Its first attempt may have succeeded, with a lost response.
 *
 * Source: AWS SDK for JavaScript v3, ResponseMetadata, `attempts`.
 */
export const wasRetried = (error: unknown): boolean =>
  ((error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1) > 1;

/** Returns the reason why a replacement failed. */
export const conflictReason = ({ Item: item }: Failure): WriteConflict => (item ? STALE : MISSING);

/**
 * Returns the item, if an earlier attempt of this write stored it. The SDK retried after a lost response, and the retry
 * failed on the condition that its first attempt had changed.
 *
 * Source: AWS SDKs Reference Guide, "Retry behavior"; writes without a client token are not idempotent.
 */
export const ownRetry = ({ Item: item }: Failure, write: string): Attributes | undefined =>
  item?.[WRITE]?.S === write ? item : undefined;
