import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients.ts';
import { isNamed, orUnavailable } from '../../aws/faults.ts';
import { type FailedPart, failedPart } from './conflict.ts';

/** Parts of a transaction at most. Source: Amazon DynamoDB API Reference, TransactWriteItems. */
export const MAXIMUM_PARTS = 100;
/** How often a transaction that met another one is tried again, and by how many milliseconds later each time. */
const ATTEMPTS = 5;
const BACK_OFF = 15;

/**
 * Writes all parts or none. Answers undefined when they are written, else the first part whose condition failed.
 * @throws Unavailable when DynamoDB does not answer, or others keep writing the same items.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems; the SDK does not repeat what met another transaction.
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
 * One write outside of transactions, tried again while it meets one on the same item.
 * @throws Unavailable as above; any other error as it came
 *
 * Source: Amazon DynamoDB Developer Guide, "Transaction conflict handling"; the SDK does not repeat these either.
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
