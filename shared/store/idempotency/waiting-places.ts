import { createHash, randomBytes } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { expiry, text } from '../form/attributes.ts';
import { WRITE } from '../form/table.ts';
import { failureOf } from '../write/conflict.ts';
import { compare, conditionExpression } from '../write/expression.ts';
import { newWriteToken } from '../write/write-requests.ts';
import { IDEMPOTENCY_TABLE, keyIsFree } from './answers.ts';

/** The most requests of one caller that wait at one time. */
const PLACES_OF_CALLER = 10;
/** Milliseconds after the longest wait, until another request may take the place of one that never left it. */
const LEFT_BEHIND = 10_000;

/** Seconds after which a request that found no place to wait may come again. */
export const RETRY_SECONDS = 5;

/**
 * Runs a wait of at most `ms` ms in a place of its own. Returns undefined at once if all places are taken.
 *
 * A waiting request holds a process, so waits have a number of places of their own: `config.maximumWaits`. A digest of
 * the subject selects up to ten of them, so that no caller takes them all; callers of an open service try any ten. A
 * place is a row of the table of recorded answers with the time of its end. If a process dies, the place is free then.
 *
 * @throws Unavailable if DynamoDB does not respond, and any error of the wait
 *
 * Source: Specification 7.4, 17.4.
 */
export async function waitInPlace<Result>(
  subject: string | undefined,
  ms: number,
  wait: () => Promise<Result>,
): Promise<Result | undefined> {
  const leave = await enter(subject, ms + LEFT_BEHIND);
  if (!leave) return undefined;
  try {
    return await wait();
  } finally {
    // The place ends by itself. A failure must not hide the result of the wait.
    await leave().catch(() => undefined);
  }
}

/** Takes a free place. Returns a function that leaves it. */
async function enter(subject: string | undefined, ms: number): Promise<(() => Promise<boolean>) | undefined> {
  const now = currentTime();
  const write = newWriteToken();
  for (const place of placesFor(subject))
    if (await put(place, write, now + ms, keyIsFree(now)))
      return () => put(place, write, now - 1000, conditionExpression(compare(WRITE, '=', text(write))));
  return undefined;
}

/** Writes the row of a place. Returns false if the condition fails. */
async function put(
  place: number,
  write: string,
  until: number,
  condition: ReturnType<typeof conditionExpression>,
): Promise<boolean> {
  const Item = {
    [IDEMPOTENCY_TABLE.key]: text(`waiting place ${place}`),
    [WRITE]: text(write),
    [IDEMPOTENCY_TABLE.timeToLive]: expiry(until),
  };
  const TableName = config.tableName(IDEMPOTENCY_TABLE.name);
  try {
    await orUnavailable(dynamoDb().send(new PutItemCommand({ TableName, Item, ...condition })));
    return true;
  } catch (error) {
    if (failureOf(error)) return false;
    throw error;
  }
}

/** Returns the places that a caller may take, in an order of chance. */
function placesFor(subject: string | undefined): number[] {
  const digits = subject === undefined ? randomBytes(32) : createHash('sha256').update(subject).digest();
  const all = Array.from(
    { length: PLACES_OF_CALLER },
    (_, at) => digits.readUInt16BE(2 * at) % config.maximumWaits(),
  );
  const first = Math.floor(Math.random() * all.length);
  return [...new Set([...all.slice(first), ...all.slice(0, first)])];
}
