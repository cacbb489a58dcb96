import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { ActionInput, IdempotentRequest } from '../../resource/action.ts';
import { done, type Outcome, stale } from '../../resource/outcome.ts';
import { WRITE } from '../items/table.ts';
import { failureOf, ownRetry } from '../write/conflict.ts';
import { newWriteToken } from '../write/parts.ts';
import { answerWrites, IDEMPOTENCY_TABLE } from './answers.ts';

/** Milliseconds after which work that did not end is taken for dead. A function runs for 28 s at most. */
const LEASE = 60_000;
const HAD: readonly Outcome['kind'][] = ['created', 'replaced', 'done', 'several'];

/**
 * Has an effect once that DynamoDB cannot take into a transaction: the key is marked as being worked on, then comes
 * the effect, then its answer. A repeat meanwhile is told so; after a crash in between, the mark expires and a repeat
 * has the effect again, which must be harmless.
 *
 * The run of an operation has nobody beside it: it goes on with what the run before began.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function withIdempotencyLock(
  asked: ActionInput,
  effect: () => Promise<Outcome>,
): Promise<Outcome> {
  const { once, now, work } = asked;
  if (!once) return effect();
  const isFirst = await mark(once, now, work ? once.expiresAt : now + LEASE);
  if (!isFirst && !work) return stale;
  try {
    let outcome = await effect();
    // What the run before removed is not there any more.
    if (!isFirst && outcome.kind === 'missing') outcome = done;
    if (!HAD.includes(outcome.kind)) {
      await mark(once, now);
      return outcome;
    }
    // The mark is this request's own: it gives way to the answer.
    const [{ TableName, Item }, ...others] = await answerWrites(once, outcome, now);
    for (const put of [...others, { TableName, Item }])
      await orUnavailable(dynamoDb().send(new PutItemCommand(put)));
    return outcome;
  } catch (error) {
    if (!work) await mark(once, now);
    throw error;
  }
}

/** Marks the key as worked on until a time; without one, as free. Answers false when it is taken. */
async function mark({ id, fingerprint }: IdempotentRequest, now: number, until?: number): Promise<boolean> {
  const seconds = (ms: number) => ({ N: String(Math.ceil(ms / 1000)) });
  const name = newWriteToken();
  try {
    await orUnavailable(
      dynamoDb().send(
        new PutItemCommand({
          TableName: config.tableName(IDEMPOTENCY_TABLE.name),
          Item: {
            [IDEMPOTENCY_TABLE.key]: { S: id },
            fingerprint: { S: fingerprint },
            [WRITE]: { S: name },
            // What expired long ago would never be removed.
            [IDEMPOTENCY_TABLE.timeToLive]: seconds(until ?? now - 1000),
          },
          ...(until === undefined
            ? {}
            : {
                ConditionExpression: 'attribute_not_exists(#key) OR #expiresAt <= :now',
                ExpressionAttributeNames: {
                  '#key': IDEMPOTENCY_TABLE.key,
                  '#expiresAt': IDEMPOTENCY_TABLE.timeToLive,
                },
                ExpressionAttributeValues: { ':now': seconds(now) },
                ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              }),
        }),
      ),
    );
    return true;
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return ownRetry(failure, name) !== undefined;
    throw error;
  }
}
