import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { isNamed, orUnavailable } from '../../aws/faults.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/unavailable.ts';
import { type FailedPart, failedPart } from './conflict.ts';

/** The maximum number of parts of a transaction. Source: Amazon DynamoDB API Reference, TransactWriteItems. */
export const MAXIMUM_PARTS = 100;

/**
 * Writes all parts or none. Returns undefined on success, else the first part whose condition failed.
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems.
 */
export async function transact(parts: readonly TransactWriteItem[]): Promise<FailedPart | undefined> {
  try {
    await retryingConflicts(() =>
      dynamoDb().send(new TransactWriteItemsCommand({ TransactItems: [...parts] })),
    );
    return undefined;
  } catch (error) {
    const failed = failedPart(error);
    if (failed) return failed;
    throw error;
  }
}

/**
 * Runs a write, and repeats it while a transaction on the same items conflicts with it.
 * @throws Unavailable as `transact`, and any other error of the write unchanged.
 *
 * Source: Amazon DynamoDB Developer Guide, "Transaction conflict handling"; the SDK does not retry these conflicts.
 */
export async function retryingConflicts<Output>(write: () => Promise<Output>): Promise<Output> {
  let conflict: unknown;
  for await (const _ of attempts(RETRIES.transaction)) {
    try {
      return await write();
    } catch (error) {
      if (!isTransactionConflict(error)) return orUnavailable(Promise.reject(error));
      conflict = error;
    }
  }
  throw new Unavailable(conflict);
}

/** True if another transaction is the only obstacle: with a failed condition, another attempt would fail too. */
const isTransactionConflict = (error: unknown): boolean =>
  isNamed(error, 'TransactionConflictException') ||
  (isNamed(error, 'TransactionCanceledException') &&
    !failedPart(error) &&
    ((error as { CancellationReasons?: readonly { Code?: string }[] }).CancellationReasons ?? []).some(
      ({ Code }) => Code === 'TransactionConflict',
    ));
