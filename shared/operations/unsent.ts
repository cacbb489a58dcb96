import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { reach } from '../aws/faults.ts';
import { problem } from '../http/problem.ts';
import type { Once } from '../resource/action.ts';
import { KEPT_TABLE } from '../store/kept.ts';
import { failed, finish } from './finish.ts';
import { type Origin, text } from './record.ts';

/**
 * Fails an operation whose message could not be sent, and forgets the answer of a keyed request, so that a repeat begins
 * anew. Answers false when the operation was begun: the message had arrived.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function unsent(id: number, origin: Origin, once: Once | undefined): Promise<boolean> {
  const stated = problem('unavailable', 'The work could not be begun: please send the request again');
  if (!(await finish(id, failed(stated, origin), 'unbegun'))) return false;
  if (once) {
    const Key = { [KEPT_TABLE.key]: text(once.id) };
    const TableName = config.tableName(KEPT_TABLE.name);
    await reach(dynamoDb().send(new DeleteItemCommand({ TableName, Key })));
  }
  return true;
}
