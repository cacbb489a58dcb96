import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients.ts';
import { isNamed, orUnavailable } from '../../aws/faults.ts';
import { type FailedPart, failedPart } from './conflict.ts';

/** The maximum number of parts of a transaction. Source: Amazon DynamoDB API Reference, TransactWriteItems. */
export const MAXIMUM_PARTS = 100;
/** Attempts of a write that conflicts with a transaction, and the ms by which each pause grows. */
const ATTEMPTS = 5;
const BACK_OFF = 15;

/**
 * Writes all parts or none. Returns undefined on success, else the first part whose condition failed.
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems; the SDK does not retry a transaction conflict.
 */
export async function transact(parts: readonly TransactWriteItem[]): Promise<FailedPart | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dynamoDb().send(new TransactWriteItemsCommand({ TransactItems: [...parts] }));
      return undefined;
    } catch (error) {
      const failed = failedPart(error);
      if (failed) return failed;
      if (attempt === ATTEMPTS || !metAnother(error)) await orUnavailable(Promise.reject(error));
      await new Promise((later) => setTimeout(later, attempt * BACK_OFF));
    }
  }
}

/**
 * Runs a single write, and repeats it while a transaction on the same item conflicts with it.
 * @throws Unavailable as `transact`, and any other error of the write unchanged.
 *
 * Source: Amazon DynamoDB Developer Guide, "Transaction conflict handling"; the SDK does not retry these conflicts.
 */
export async function patiently<Output>(write: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS || !isNamed(error, 'TransactionConflictException'))
        return await orUnavailable(Promise.reject(error));
      await new Promise((later) => setTimeout(later, attempt * BACK_OFF));
    }
  }
}

const metAnother = (error: unknown): boolean =>
  isNamed(error, 'TransactionCanceledException') &&
  ((error as { CancellationReasons?: readonly { Code?: string }[] }).CancellationReasons ?? []).some(
    ({ Code }) => Code === 'TransactionConflict',
  );
