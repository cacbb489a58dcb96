import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { faultOf, log } from '../../aws/log.ts';
import type { Call, IdempotentRequest } from '../../resource/actions/action.ts';
import { done, type Outcome, stale } from '../../resource/actions/outcome.ts';
import { expiry, text } from '../form/attributes.ts';
import { WRITE } from '../form/table.ts';
import { failureOf, ownRetry } from '../write/conflict.ts';
import { newWriteToken } from '../write/write-requests.ts';
import { IDEMPOTENCY_TABLE, keyIsFree, replaceAnswer } from './answers.ts';

/** Milliseconds after which the lock of a crashed request expires. A function runs for at most 28 s. */
const LEASE = 60_000;
/** The outcomes of an effect that took place. */
const HAD: readonly Outcome['kind'][] = ['created', 'replaced', 'done', 'several'];

/**
 * Runs an effect that does not fit into a transaction, and runs it once. It locks the idempotency key, runs the effect
 * and records the answer. A repeated request gets `stale` while the lock holds. After a crash, the lock expires and a
 * repeated request runs the effect again. The effect must therefore be harmless if it runs twice.
 *
 * An operation has one runner at a time, so it resumes what the previous run started.
 *
 * @throws Unavailable if DynamoDB does not respond, and any error of the effect
 */
export async function withIdempotencyLock(input: Call, effect: () => Promise<Outcome>): Promise<Outcome> {
  const { idempotency, now, work } = input;
  if (!idempotency) return effect();
  const isFirst = await mark(idempotency, now, work ? idempotency.expiresAt : now + LEASE);
  if (!isFirst && !work) return stale;
  try {
    let outcome = await effect();
    // The previous run removed the item, so its absence is the wanted state.
    if (!isFirst && outcome.kind === 'missing') outcome = done;
    if (!HAD.includes(outcome.kind)) {
      await mark(idempotency, now);
      return outcome;
    }
    // This request holds the lock, so the answer replaces the lock without a condition.
    await replaceAnswer(idempotency, await idempotency.answer(outcome), now);
    return outcome;
  } catch (error) {
    // The lock ends by itself. A failure to unlock must not hide the error of the effect.
    if (!work) await mark(idempotency, now).catch((failure) => log('error', faultOf(failure)));
    throw error;
  }
}

/** Locks the key until a time (ms). Without `until`, unlocks it. Returns false if another request holds the key. */
async function mark({ id, fingerprint }: IdempotentRequest, now: number, until?: number): Promise<boolean> {
  const write = newWriteToken();
  try {
    await orUnavailable(
      dynamoDb().send(
        new PutItemCommand({
          TableName: config.tableName(IDEMPOTENCY_TABLE.name),
          Item: {
            [IDEMPOTENCY_TABLE.key]: text(id),
            fingerprint: text(fingerprint),
            [WRITE]: text(write),
            // A recent time, because DynamoDB never removes items that expired years ago.
            [IDEMPOTENCY_TABLE.timeToLive]: expiry(until ?? now - 1000),
          },
          ...(until === undefined
            ? {}
            : { ...keyIsFree(now), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        }),
      ),
    );
    return true;
  } catch (error) {
    const failure = failureOf(error);
    if (failure) return ownRetry(failure, write) !== undefined;
    throw error;
  }
}
