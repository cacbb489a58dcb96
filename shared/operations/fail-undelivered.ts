import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../aws/config.ts';
import { problem } from '../http/problem.ts';
import type { IdempotentRequest } from '../resource/action.ts';
import { IDEMPOTENCY_TABLE } from '../store/idempotency/answers.ts';
import { transact } from '../store/write/transaction.ts';
import { ending, failed } from './finish.ts';
import { changePart, type Origin, text } from './record.ts';

/**
 * Fails an operation whose message could not be sent, and forgets the answer of a keyed request, so that a repeat begins
 * anew: both or neither. Answers false when the operation was begun: the message had arrived.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function failUndelivered(
  id: number,
  origin: Origin,
  once: IdempotentRequest | undefined,
): Promise<boolean> {
  const stated = problem('unavailable', 'The work could not be begun: please send the request again');
  const parts: TransactWriteItem[] = [{ Update: changePart(id, ending(failed(stated, origin), 'unbegun')) }];
  if (once) {
    const Key = { [IDEMPOTENCY_TABLE.key]: text(once.id) };
    parts.push({ Delete: { TableName: config.tableName(IDEMPOTENCY_TABLE.name), Key } });
  }
  return !(await transact(parts));
}
