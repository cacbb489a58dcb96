import {
  type Put,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { isNamed, orUnavailable } from '../../aws/faults.ts';
import { attempts } from '../../concurrency/retry.ts';
import * as RETRIES from '../../concurrency/retry-policies.ts';
import { Unavailable } from '../../http/problem.ts';
import { OversizedWrite } from '../../resource/store-refusal.ts';
import { type FailedPart, failedPart, failureOf, isOversized, ownRetry, reasonsOf } from './conflict.ts';

/**
 * Writes all parts or none. Returns undefined on success, else the first part whose condition failed.
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue
 * @throws OversizedWrite if the items are too large
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
      if (isOversized(error)) throw new OversizedWrite(error);
      if (!isTransactionConflict(error)) return orUnavailable(Promise.reject(error));
      conflict = error;
    }
  }
  throw new Unavailable(conflict);
}

/** True if another transaction is the only obstacle: with a failed condition, another attempt would fail too. */
const isTransactionConflict = (error: unknown): boolean =>
  isNamed(error, 'TransactionConflictException') ||
  (!failedPart(error) && reasonsOf(error).some(({ Code }) => Code === 'TransactionConflict'));

/**
 * Stores a new item. With other parts, it writes all of them in one transaction, which takes twice the units.
 * `put`: the insertion of the item with the token `write`. `others`: recorded answers and constraints. `taken`: the
 * identifier exists. `repeated`: the condition of another part failed, so another request was faster.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function insert(
  put: Put,
  write: string,
  others: readonly TransactWriteItem[] = [],
): Promise<'written' | 'taken' | 'repeated'> {
  if (others.length > 0) {
    const failed = await transact([{ Put: put }, ...others]);
    if (!failed) return 'written';
    return failed.index === 0 ? 'taken' : 'repeated';
  }
  try {
    await retryingConflicts(() => dynamoDb().send(new PutItemCommand(put)));
    return 'written';
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return ownRetry(failure, write) ? 'written' : 'taken';
  }
}
