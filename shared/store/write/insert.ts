import { type Put, PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { failureOf, ownRetry } from './conflict.ts';
import { retryingConflicts, transact } from './transaction.ts';

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
