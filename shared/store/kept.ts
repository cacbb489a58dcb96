import { gunzipSync, gzipSync } from 'node:zlib';
import { GetItemCommand, type Put, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { reach } from '../aws/faults.ts';
import type { Asked, KeptAnswer, Once } from '../resource/action.ts';
import type { Item } from '../resource/item.ts';
import { done, type Outcome, stale } from '../resource/outcome.ts';
import { failureOf } from './lost.ts';

/**
 * The table of answers that are kept to be given again, shared by all resources.
 * `key` (S) names the request, `expiresAt` (N, seconds) is DynamoDB's time to live.
 */
export const KEPT_TABLE = { name: 'idempotency', key: 'key', timeToLive: 'expiresAt' } as const;

/** Characters of an answer's JSON above which it is compressed: an item of DynamoDB holds 400 KB. */
const LARGE = 4096;

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** What was answered before, where the request is a repeat. @throws Unavailable when DynamoDB does not answer. */
export async function recall({ once, now }: Asked): Promise<Outcome> {
  if (!once) return done;
  const { Item: row } = await reach(
    dynamoDb().send(
      new GetItemCommand({
        TableName: config.tableName(KEPT_TABLE.name),
        Key: { [KEPT_TABLE.key]: { S: once.id } },
        ConsistentRead: true,
      }),
    ),
  );
  // DynamoDB removes what has expired within days, not at once.
  if (!row || Number(row.expiresAt?.N) <= seconds(now)) return done;
  const text = row.packed?.B ? gunzipSync(row.packed.B).toString() : row.answer?.S;
  return {
    kind: 'answered',
    fingerprint: row.fingerprint?.S as string,
    answer: text === undefined ? undefined : (JSON.parse(text) as KeptAnswer),
  };
}

/** The write that keeps the answer to an outcome: part of the transaction that has the effect. */
export async function keepingOf(once: Once, outcome: Outcome, now: number): Promise<Put> {
  const text = JSON.stringify(await once.answer(outcome));
  return {
    TableName: config.tableName(KEPT_TABLE.name),
    Item: {
      [KEPT_TABLE.key]: { S: once.id },
      fingerprint: { S: once.fingerprint },
      [KEPT_TABLE.timeToLive]: { N: String(seconds(once.expiresAt)) },
      ...(text.length > LARGE ? { packed: { B: gzipSync(text) } } : { answer: { S: text } }),
    },
    ConditionExpression: 'attribute_not_exists(#key) OR #expiresAt <= :now',
    ExpressionAttributeNames: { '#key': KEPT_TABLE.key, '#expiresAt': KEPT_TABLE.timeToLive },
    ExpressionAttributeValues: { ':now': { N: String(seconds(now)) } },
  };
}

/** How a write keeps the answer that speaks of the item it leaves; undefined when nothing is to be kept. */
export const keeping = (
  { once, now }: Asked,
  outcomeOf: (item: Item) => Outcome,
): ((item: Item) => Promise<Put>) | undefined => once && ((item) => keepingOf(once, outcomeOf(item), now));

/**
 * Keeps the answer to an outcome that had no effect.
 * Answers the outcome, or stale when the same request was answered meanwhile.
 */
export async function keep({ once, now }: Asked, outcome: Outcome): Promise<Outcome> {
  if (!once) return outcome;
  try {
    await reach(dynamoDb().send(new PutItemCommand(await keepingOf(once, outcome, now))));
    return outcome;
  } catch (error) {
    if (failureOf(error)) return stale;
    throw error;
  }
}
