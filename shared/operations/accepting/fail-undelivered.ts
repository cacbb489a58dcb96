import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import { problem } from '../../http/problem.ts';
import type { IdempotentRequest } from '../../resource/actions/action.ts';
import { IDEMPOTENCY_TABLE } from '../../store/idempotency/answers.ts';
import { text } from '../../store/items/attributes.ts';
import { transact } from '../../store/write/transaction.ts';
import { changePart, type Origin } from '../record/record.ts';
import { ending, failureWith } from '../running/finish.ts';

/**
 * Fails an operation after the send of its message failed. The same transaction deletes the recorded answer, so that
 * a retry starts a new operation. Returns false if the message arrived and a worker has already started.
 *
 * Source: Specification 7.12.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function failUndelivered(
  id: number,
  origin: Origin,
  idempotency: IdempotentRequest | undefined,
): Promise<boolean> {
  const stated = problem('unavailable', 'The operation could not start. Send the request again');
  const parts: TransactWriteItem[] = [
    { Update: changePart(id, ending(failureWith(stated, origin), { kind: 'notStarted' })) },
  ];
  if (idempotency) {
    const Key = { [IDEMPOTENCY_TABLE.key]: text(idempotency.id) };
    parts.push({ Delete: { TableName: config.tableName(IDEMPOTENCY_TABLE.name), Key } });
  }
  return !(await transact(parts));
}
