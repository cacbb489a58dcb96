import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { send } from '../../../shared/aws/clients/queue.ts';
import { currentTime } from '../../../shared/aws/clock.ts';
import { config } from '../../../shared/aws/config.ts';
import { orUnavailable } from '../../../shared/aws/faults.ts';
import { problem } from '../../../shared/http/problem.ts';
import { begin } from '../../../shared/operations/accepting/defer.ts';
import { isFinal } from '../../../shared/operations/record/fields.ts';
import { attributesOf, itemOf, originOf, redeliveryDelay } from '../../../shared/operations/record/record.ts';
import { failureWith, finish, NO_LEASE } from '../../../shared/operations/running/finish.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { runnerOf, type Schedule } from '../../../shared/resource/schedule.ts';
import { number, text } from '../../../shared/store/form/attributes.ts';
import { DUE_AT } from '../../../shared/store/form/table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { failureOf } from '../../../shared/store/write/conflict.ts';
import { attributeNotExists, compare, conditionExpression } from '../../../shared/store/write/expression.ts';
import { firstIdentifier, lastIdentifier } from '../../../shared/store/write/new-item.ts';

/** Without a sign for so long, in ms, a run has lost its message, which SQS repeats after 30 minutes. Source: Specification 21.5. */
const SILENCE = 2 * 3600 * 1000;

/**
 * A message of the queue of a schedule. `tick`: EventBridge Scheduler has sent it at this time, RFC 3339. `time`: a run for
 * this time in ms since the epoch begins or goes on.
 */
export type RunMessage = { readonly tick: string } | { readonly time: number };

/** Sends a message to the queue of a schedule, later if the run waits for an earlier one. */
export const sendRun = (name: string, time: number, begins: 'now' | 'waits' = 'now'): Promise<void> => {
  const message: RunMessage = { time };
  const delay = begins === 'now' ? 0 : Math.ceil(redeliveryDelay() / 1000);
  return orUnavailable(send(() => config.scheduleQueue(name), message, undefined, delay));
};

/**
 * Writes the record of a run, unless an earlier message for the same time did. Returns its identifier, which follows from the
 * name and the time. Another operation of the same millisecond can have an identifier: then the next one is tried.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function beginRun({ name }: Pick<Schedule, 'name'>, time: number): Promise<number> {
  const first = firstIdentifier(time);
  const room = lastIdentifier(time) - first + 1;
  for (let at = hashOf(name) % room; ; at = (at + 1) % room) {
    const id = first + at;
    const fresh = { kind: `${name}.run`, owner: runnerOf(name), id, handler: 'schedule' } as const;
    const known = await attributesOf(id);
    const isNew = !known && (await begin({ caller: SERVICE, now: currentTime() }, fresh)).kind === 'accepted';
    const found = isNew ? undefined : (known ?? (await attributesOf(id)));
    // After its end a run has no input, so its kind decides.
    if (isNew || found?.kind?.S === fresh.kind) return id;
  }
}

/** Returns a number from a name, FNV-1a. Source: draft-eastlake-fnv. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/**
 * Takes the turn of a schedule for a run. Returns false while an earlier run has not ended. A run that has lost its message
 * fails after two hours, so that it does not block later ones.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function takeTurn(name: string, id: number): Promise<boolean> {
  const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
  const Key = { [IDEMPOTENCY_TABLE.key]: text(`turn ${name}`) };
  const read = new GetItemCommand({ TableName, Key, ConsistentRead: true });
  const { Item: row } = await orUnavailable(dynamoDb().send(read));
  const holder = row && Number(row.operation?.N);
  if (holder === id) return true;
  if (holder !== undefined && !(await isOver(holder, Number(row?.since?.N ?? 0)))) return false;
  const isUnchanged =
    holder === undefined
      ? attributeNotExists(IDEMPOTENCY_TABLE.key)
      : compare('operation', '=', number(holder));
  const put = new PutItemCommand({
    TableName,
    Item: { ...Key, operation: number(id), since: number(currentTime()) },
    ...conditionExpression(isUnchanged),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await orUnavailable(dynamoDb().send(put));
    return true;
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    // The SDK may have repeated a write that had succeeded.
    return failure.Item?.operation?.N === String(id);
  }
}

/** True if a run has ended, or ends here because its message is lost. `since`: when it took its turn. */
async function isOver(id: number, since: number): Promise<boolean> {
  const attributes = await attributesOf(id);
  if (!attributes) return true;
  const item = itemOf(attributes);
  if (isFinal(item)) return true;
  // Each lease that a run takes, renews or gives back sets this time.
  const heard = Math.max(item.createdAt, since, Number(attributes[DUE_AT]?.N ?? 0));
  if (currentTime() - heard < SILENCE) return false;
  const stated = problem('unavailable', 'The run has lost its message. A later run does its work');
  await finish(id, failureWith(stated, originOf(attributes, id)), NO_LEASE);
  return true;
}
