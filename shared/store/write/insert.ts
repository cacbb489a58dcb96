import type { Put } from '@aws-sdk/client-dynamodb';
import { PutItemCommand } from '#dynamodb';
import { dynamoDb } from '../../aws/clients.ts';
import { failureOf, ownRetry } from './conflict.ts';
import { retryingConflicts, transact } from './transaction.ts';

/**
 * Stores a new item. With answers to record, it stores all of them in one transaction, which takes twice the units.
 * `put`: the insertion of the item with the token `write`. `taken`: the identifier exists. `repeated`: another request
 * recorded an answer under the same idempotency key.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function insert(
  put: Put,
  write: string,
  answers: readonly Put[] = [],
): Promise<'written' | 'taken' | 'repeated'> {
  if (answers.length > 0) {
    const failed = await transact([put, ...answers].map((Put) => ({ Put })));
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
