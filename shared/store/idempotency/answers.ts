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
import { orUnavailable } from '../../aws/faults.ts';
import type { ActionInput, IdempotentRequest, RecordedAnswer } from '../../resource/action.ts';
import type { Item } from '../../resource/item.ts';
import { done, type Outcome, stale } from '../../resource/outcome.ts';
import { failureOf } from '../write/conflict.ts';

/**
 * The table of answers that are kept to be given again, shared by all resources.
 * `key` (S) names the request, `expiresAt` (N, seconds) is DynamoDB's time to live.
 */
export const IDEMPOTENCY_TABLE = { name: 'idempotency', key: 'key', timeToLive: 'expiresAt' } as const;

/** Characters of an answer's JSON above which it is compressed. */
const LARGE = 4096;
/** Bytes of one row at most: an item of DynamoDB holds 400 KB. What is longer goes on in rows of its own. */
const ROW = 350_000;

const seconds = (ms: number): number => Math.ceil(ms / 1000);
const continued = (id: string, at: number): string => `${id}#${at}`;

async function rowOf(key: string): Promise<Record<string, AttributeValue> | undefined> {
  const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
  const Key = { [IDEMPOTENCY_TABLE.key]: { S: key } };
  const { Item: row } = await orUnavailable(
    dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
  );
  return row;
}

/** What was answered before, where the request is a repeat. @throws Unavailable when DynamoDB does not answer. */
export const findRecordedAnswer = async ({ once, now }: ActionInput): Promise<Outcome> =>
  once ? recordedAnswerOf(once, now) : done;

/** What was answered under a name. @throws Unavailable when DynamoDB does not answer. */
export async function recordedAnswerOf(once: Pick<IdempotentRequest, 'id'>, now: number): Promise<Outcome> {
  const row = await rowOf(once.id);
  // DynamoDB removes what has expired within days, not at once.
  if (!row || Number(row.expiresAt?.N) <= seconds(now)) return done;
  const text = row.packed?.B ? await unpacked(once.id, row.packed.B, Number(row.rows?.N)) : row.answer?.S;
  return {
    kind: 'answered',
    fingerprint: row.fingerprint?.S as string,
    answer: text === undefined ? undefined : (JSON.parse(text) as RecordedAnswer),
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
export const answerWrites = async (
  once: IdempotentRequest,
  outcome: Outcome,
  now: number,
): Promise<[Put, ...Put[]]> => rowsOf(once, await once.answer(outcome), now);

function rowsOf(once: IdempotentRequest, answer: RecordedAnswer, now: number): [Put, ...Put[]] {
  const text = JSON.stringify(answer);
  const packed = text.length > LARGE ? gzipSync(text) : undefined;
  const rows = Math.ceil((packed?.length ?? 0) / ROW);
  const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
  const expiry = { [IDEMPOTENCY_TABLE.timeToLive]: { N: String(seconds(once.expiresAt)) } };
  const part = (at: number) => ({ B: (packed as Buffer).subarray(at * ROW, (at + 1) * ROW) });
  const first = {
    TableName,
    Item: {
      [IDEMPOTENCY_TABLE.key]: { S: once.id },
      fingerprint: { S: once.fingerprint },
      ...expiry,
      ...(packed ? { packed: part(0), rows: { N: String(rows) } } : { answer: { S: text } }),
    },
    ConditionExpression: 'attribute_not_exists(#key) OR #expiresAt <= :now',
    ExpressionAttributeNames: { '#key': IDEMPOTENCY_TABLE.key, '#expiresAt': IDEMPOTENCY_TABLE.timeToLive },
    ExpressionAttributeValues: { ':now': { N: String(seconds(now)) } },
  };
  const others = Array.from({ length: Math.max(rows - 1, 0) }, (_, at) => ({
    TableName,
    Item: { [IDEMPOTENCY_TABLE.key]: { S: continued(once.id, at + 1) }, ...expiry, packed: part(at + 1) },
  }));
  return [first, ...others];
}

/** How a write keeps the answer that speaks of the item it leaves; undefined when nothing is to be kept. */
export const answerWriter = (
  { once, now }: ActionInput,
  outcomeOf: (item: Item) => Outcome,
): ((item: Item) => Promise<Put[]>) | undefined =>
  once && ((item) => answerWrites(once, outcomeOf(item), now));

/**
 * Keeps the answer to an outcome that had no effect.
 * Answers the outcome, or stale when the same request was answered meanwhile.
 */
export async function recordAnswer({ once, now }: ActionInput, outcome: Outcome): Promise<Outcome> {
  if (!once) return outcome;
  try {
    const [first, ...others] = await answerWrites(once, outcome, now);
    for (const put of [...others, first]) await orUnavailable(dynamoDb().send(new PutItemCommand(put)));
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
export async function replaceAnswer(
  once: IdempotentRequest,
  answer: RecordedAnswer | undefined,
  now: number,
): Promise<void> {
  if (!answer) {
    const Key = { [IDEMPOTENCY_TABLE.key]: { S: once.id } };
    const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
    await orUnavailable(dynamoDb().send(new DeleteItemCommand({ TableName, Key })));
    return;
  }
  const [{ TableName, Item }, ...others] = rowsOf(once, answer, now);
  for (const put of [...others, { TableName, Item }])
    await orUnavailable(dynamoDb().send(new PutItemCommand(put)));
}
