import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  type Put,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients.ts';
import { config } from '../../aws/config.ts';
import { reach } from '../../aws/faults.ts';
import type { Asked, KeptAnswer, Once } from '../../resource/action.ts';
import type { Item } from '../../resource/item.ts';
import { done, type Outcome, stale } from '../../resource/outcome.ts';
import { failureOf } from '../write/conflict.ts';

/**
 * The table of answers that are kept to be given again, shared by all resources.
 * `key` (S) names the request, `expiresAt` (N, seconds) is DynamoDB's time to live.
 */
export const KEPT_TABLE = { name: 'idempotency', key: 'key', timeToLive: 'expiresAt' } as const;

/** Characters of an answer's JSON above which it is compressed. */
const LARGE = 4096;
/** Bytes of one row at most: an item of DynamoDB holds 400 KB. What is longer goes on in rows of its own. */
const ROW = 350_000;

const seconds = (ms: number): number => Math.ceil(ms / 1000);
const continued = (id: string, at: number): string => `${id}#${at}`;

async function rowOf(key: string): Promise<Record<string, AttributeValue> | undefined> {
  const TableName = config.tableName(KEPT_TABLE.name);
  const Key = { [KEPT_TABLE.key]: { S: key } };
  const { Item: row } = await reach(
    dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
  );
  return row;
}

/** What was answered before, where the request is a repeat. @throws Unavailable when DynamoDB does not answer. */
export const recall = async ({ once, now }: Asked): Promise<Outcome> => (once ? recallOf(once, now) : done);

/** What was answered under a name. @throws Unavailable when DynamoDB does not answer. */
export async function recallOf(once: Pick<Once, 'id'>, now: number): Promise<Outcome> {
  const row = await rowOf(once.id);
  // DynamoDB removes what has expired within days, not at once.
  if (!row || Number(row.expiresAt?.N) <= seconds(now)) return done;
  const text = row.packed?.B ? await unpacked(once.id, row.packed.B, Number(row.rows?.N)) : row.answer?.S;
  return {
    kind: 'answered',
    fingerprint: row.fingerprint?.S as string,
    answer: text === undefined ? undefined : (JSON.parse(text) as KeptAnswer),
  };
}

async function unpacked(id: string, first: Uint8Array, rows: number): Promise<string> {
  const others = Array.from({ length: rows - 1 }, (_, at) => rowOf(continued(id, at + 1)));
  const parts = (await Promise.all(others)).map((row) => row?.packed?.B as Uint8Array);
  return gunzipSync(Buffer.concat([first, ...parts])).toString();
}

/**
 * The writes that keep the answer to an outcome: part of the transaction that has the effect. The first one holds the
 * key; others go on where an answer is too long for one row.
 */
export const keepingOf = async (once: Once, outcome: Outcome, now: number): Promise<[Put, ...Put[]]> =>
  rowsOf(once, await once.answer(outcome), now);

function rowsOf(once: Once, answer: KeptAnswer, now: number): [Put, ...Put[]] {
  const text = JSON.stringify(answer);
  const packed = text.length > LARGE ? gzipSync(text) : undefined;
  const rows = Math.ceil((packed?.length ?? 0) / ROW);
  const TableName = config.tableName(KEPT_TABLE.name);
  const expiry = { [KEPT_TABLE.timeToLive]: { N: String(seconds(once.expiresAt)) } };
  const part = (at: number) => ({ B: (packed as Buffer).subarray(at * ROW, (at + 1) * ROW) });
  const first = {
    TableName,
    Item: {
      [KEPT_TABLE.key]: { S: once.id },
      fingerprint: { S: once.fingerprint },
      ...expiry,
      ...(packed ? { packed: part(0), rows: { N: String(rows) } } : { answer: { S: text } }),
    },
    ConditionExpression: 'attribute_not_exists(#key) OR #expiresAt <= :now',
    ExpressionAttributeNames: { '#key': KEPT_TABLE.key, '#expiresAt': KEPT_TABLE.timeToLive },
    ExpressionAttributeValues: { ':now': { N: String(seconds(now)) } },
  };
  const others = Array.from({ length: Math.max(rows - 1, 0) }, (_, at) => ({
    TableName,
    Item: { [KEPT_TABLE.key]: { S: continued(once.id, at + 1) }, ...expiry, packed: part(at + 1) },
  }));
  return [first, ...others];
}

/** How a write keeps the answer that speaks of the item it leaves; undefined when nothing is to be kept. */
export const keeping = (
  { once, now }: Asked,
  outcomeOf: (item: Item) => Outcome,
): ((item: Item) => Promise<Put[]>) | undefined => once && ((item) => keepingOf(once, outcomeOf(item), now));

/**
 * Keeps the answer to an outcome that had no effect.
 * Answers the outcome, or stale when the same request was answered meanwhile.
 */
export async function keep({ once, now }: Asked, outcome: Outcome): Promise<Outcome> {
  if (!once) return outcome;
  try {
    const [first, ...others] = await keepingOf(once, outcome, now);
    for (const put of [...others, first]) await reach(dynamoDb().send(new PutItemCommand(put)));
    return outcome;
  } catch (error) {
    if (failureOf(error)) return stale;
    throw error;
  }
}

/**
 * Another answer to a request that was answered before, as the client was told more in the end; undefined: the request
 * has no answer any more, and may be sent again.
 */
export async function keepInstead(once: Once, answer: KeptAnswer | undefined, now: number): Promise<void> {
  if (!answer) {
    const Key = { [KEPT_TABLE.key]: { S: once.id } };
    const TableName = config.tableName(KEPT_TABLE.name);
    await reach(dynamoDb().send(new DeleteItemCommand({ TableName, Key })));
    return;
  }
  const [{ TableName, Item }, ...others] = rowsOf(once, answer, now);
  for (const put of [...others, { TableName, Item }]) await reach(dynamoDb().send(new PutItemCommand(put)));
}
