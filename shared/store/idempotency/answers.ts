import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  type Put,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Call, IdempotentRequest } from '../../resource/actions/action.ts';
import type { Idempotency } from '../../resource/actions/capabilities.ts';
import { done, type Outcome, type RecordedAnswer, stale } from '../../resource/actions/outcome.ts';
import { expiry, number, text } from '../form/attributes.ts';
import { failureOf } from '../write/conflict.ts';
import { attributeNotExists, compare, conditionExpression, or } from '../write/expression.ts';

/**
 * The table of recorded answers, which all resources share.
 * `key` (S) identifies the request. `expiresAt` (N, seconds) is DynamoDB's time to live.
 */
export const IDEMPOTENCY_TABLE = { name: 'idempotency', key: 'key', timeToLive: 'expiresAt' } as const;

/** Characters of an answer's JSON above which the service compresses it. */
const LARGE = 4096;
/** Maximum bytes of one row. A DynamoDB item holds 400 KB, so a longer answer continues in further rows. */
const ROW = 350_000;

/** Returns the condition of a write that takes an idempotency key: no record has the key, or the record has expired. */
export const keyIsFree = (now: number) =>
  conditionExpression(
    or(attributeNotExists(IDEMPOTENCY_TABLE.key), compare(IDEMPOTENCY_TABLE.timeToLive, '<=', expiry(now))),
  );

const continued = (id: string, at: number): string => `${id}#${at}`;

async function rowOf(key: string): Promise<Record<string, AttributeValue> | undefined> {
  const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
  const Key = { [IDEMPOTENCY_TABLE.key]: text(key) };
  const { Item: row } = await orUnavailable(
    dynamoDb().send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
  );
  return row;
}

/**
 * Finds the recorded answer under an id. `now`: ms since the epoch. Returns `done` if the service has recorded
 * nothing. An `answered` outcome without an answer means that the first request still runs.
 * @throws Unavailable if DynamoDB does not respond.
 */
export async function recordedAnswerOf(
  idempotency: Pick<IdempotentRequest, 'id'>,
  now: number,
): Promise<Outcome> {
  const row = await rowOf(idempotency.id);
  // DynamoDB removes expired items within days, not at once.
  if (!row || Number(row.expiresAt?.N) <= now / 1000) return done;
  const json = row.packed?.B
    ? await unpacked(idempotency.id, row.packed.B, Number(row.rows?.N))
    : row.answer?.S;
  return {
    kind: 'answered',
    fingerprint: row.fingerprint?.S as string,
    answer: json === undefined ? undefined : (JSON.parse(json) as RecordedAnswer),
  };
}

async function unpacked(id: string, first: Uint8Array, rows: number): Promise<string> {
  const others = Array.from({ length: rows - 1 }, (_, at) => rowOf(continued(id, at + 1)));
  const parts = (await Promise.all(others)).map((row) => row?.packed?.B as Uint8Array);
  return gunzipSync(Buffer.concat([first, ...parts])).toString();
}

/**
 * Returns the writes that record the answer to an outcome. They belong into the transaction of the effect. The first
 * one has the key and the condition that the key is free. The others continue an answer that is too long for one row.
 */
export const answerWrites = async (
  idempotency: IdempotentRequest,
  outcome: Outcome,
  now: number,
): Promise<[Put, ...Put[]]> => rowsOf(idempotency, await idempotency.answer(outcome), now);

function rowsOf(idempotency: IdempotentRequest, answer: RecordedAnswer, now: number): [Put, ...Put[]] {
  const json = JSON.stringify(answer);
  const packed = json.length > LARGE ? gzipSync(json) : undefined;
  const rows = Math.ceil((packed?.length ?? 0) / ROW);
  const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
  const ends = { [IDEMPOTENCY_TABLE.timeToLive]: expiry(idempotency.expiresAt) };
  const part = (at: number) => ({ B: (packed as Buffer).subarray(at * ROW, (at + 1) * ROW) });
  const first = {
    TableName,
    Item: {
      [IDEMPOTENCY_TABLE.key]: text(idempotency.id),
      fingerprint: text(idempotency.fingerprint),
      ...ends,
      ...(packed ? { packed: part(0), rows: number(rows) } : { answer: text(json) }),
    },
    ...keyIsFree(now),
  };
  const others = Array.from({ length: Math.max(rows - 1, 0) }, (_, at) => ({
    TableName,
    Item: {
      [IDEMPOTENCY_TABLE.key]: text(continued(idempotency.id, at + 1)),
      ...ends,
      packed: part(at + 1),
    },
  }));
  return [first, ...others];
}

/** These writes as parts of a transaction; none for a request without idempotency key. */
export const answerParts = async (
  { idempotency, now }: Pick<Call, 'idempotency' | 'now'>,
  outcome: Outcome,
): Promise<{ readonly Put: Put }[]> =>
  idempotency ? (await answerWrites(idempotency, outcome, now)).map((Put) => ({ Put })) : [];

/**
 * Records the answer to an outcome without effect.
 * Returns the outcome, or `stale` if another request has recorded an answer under the same key.
 * @throws Unavailable if DynamoDB does not respond.
 */
export async function recordAnswer(
  { idempotency, now }: Pick<Call, 'idempotency' | 'now'>,
  outcome: Outcome,
): Promise<Outcome> {
  if (!idempotency) return outcome;
  try {
    const [first, ...others] = await answerWrites(idempotency, outcome, now);
    for (const put of [...others, first]) await orUnavailable(dynamoDb().send(new PutItemCommand(put)));
    return outcome;
  } catch (error) {
    if (failureOf(error)) return stale;
    throw error;
  }
}

/**
 * Replaces the recorded answer, after the client got a more complete response. undefined deletes the record, so that
 * the client can retry with the same key.
 * @throws Unavailable if DynamoDB does not respond.
 */
export async function replaceAnswer(
  idempotency: IdempotentRequest,
  answer: RecordedAnswer | undefined,
  now: number,
): Promise<void> {
  if (!answer) {
    const Key = { [IDEMPOTENCY_TABLE.key]: text(idempotency.id) };
    const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
    await orUnavailable(dynamoDb().send(new DeleteItemCommand({ TableName, Key })));
    return;
  }
  const [{ TableName, Item }, ...others] = rowsOf(idempotency, answer, now);
  for (const put of [...others, { TableName, Item }])
    await orUnavailable(dynamoDb().send(new PutItemCommand(put)));
}

/** The capability to record answers in the table that all resources share. */
export const recordedAnswers: Idempotency = { replay: recordedAnswerOf, record: recordAnswer };
