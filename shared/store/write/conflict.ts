import { isNamed } from '../../aws/faults.ts';
import type { Attributes } from '../items/attributes.ts';
import { VERSION, WRITE } from '../items/table.ts';

/** Why a conditional write did nothing: there is no such item, or it is another version now. */
export type WriteConflict = 'missing' | 'stale';

/** The failure of one conditional write. DynamoDB returns the item that failed the condition: without one, there is none. */
interface Failure {
  readonly Item?: Attributes;
}

/** The failed condition of a single write; undefined for any other error. */
export const failureOf = (error: unknown): Failure | undefined =>
  isNamed(error, 'ConditionalCheckFailedException') ? (error as Failure) : undefined;

/** The part of a transaction that failed its condition. */
export interface FailedPart {
  readonly index: number;
  readonly failure: Failure;
  /** All that failed, this one first. */
  readonly all: readonly { readonly index: number; readonly failure: Failure }[];
}

/** Which part of a canceled transaction failed its condition, and how; undefined when that was not the cause. */
export function failedPart(error: unknown): FailedPart | undefined {
  if (!isNamed(error, 'TransactionCanceledException')) return undefined;
  const { CancellationReasons: reasons = [] } = error as {
    CancellationReasons?: readonly (Failure & { readonly Code?: string })[];
  };
  const all = reasons.flatMap((reason, index) =>
    reason.Code === 'ConditionalCheckFailed' ? [{ index, failure: reason as Failure }] : [],
  );
  const [first] = all;
  return first && { ...first, all };
}

/**
 * Whether the client had tried before: its first attempt may have been done, and only the answer was lost.
 *
 * Source: AWS SDK for JavaScript v3, ResponseMetadata, `attempts`.
 */
export const wasRetried = (error: unknown): boolean =>
  ((error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1) > 1;

/** Why the write was lost; 'unchanged' when neither existence nor version was the cause. */
export function conflictReason(
  { Item: item }: Failure,
  version: number | undefined,
): WriteConflict | 'unchanged' {
  if (!item) return 'missing';
  return version === undefined || item[VERSION]?.N === String(version) ? 'unchanged' : 'stale';
}

/**
 * The item, where it is this very write that stands: the client tried again because the answer to its first attempt was
 * lost, and found its condition consumed by itself.
 *
 * Source: AWS SDKs Reference Guide, "Retry behavior"; writes without a client token are not idempotent.
 */
export const ownRetry = ({ Item: item }: Failure, write: string): Attributes | undefined =>
  item?.[WRITE]?.S === write ? item : undefined;
