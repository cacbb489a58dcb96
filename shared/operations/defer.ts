import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../aws/config.ts';
import { orUnavailable } from '../aws/faults.ts';
import { sendOperation } from '../aws/queue.ts';
import { keepRequest } from '../http/kept-request.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { JsonObject } from '../json/value.ts';
import type { Action, ActionInput } from '../resource/action.ts';
import type { Item } from '../resource/item.ts';
import { type Outcome, stale } from '../resource/outcome.ts';
import { ownerNumber } from '../resource/owner.ts';
import { answerWrites } from '../store/idempotency/answers.ts';
import { toAttributes } from '../store/items/attributes.ts';
import { newIdentifier } from '../store/items/identifier.ts';
import { DUE_AT, PENDING } from '../store/items/table.ts';
import { transact } from '../store/write/transaction.ts';
import { accepted } from './accepted.ts';
import { failUndelivered } from './fail-undelivered.ts';
import { operations } from './operations.ts';
import { redeliveryDelay } from './overdue.ts';
import { EXPIRES, INPUT, KEPT, number, ORIGIN, type Origin, structure, text } from './record.ts';

/** Characters of a request that its record holds: each change of a record is paid by its size. */
const INLINE = 4000;

/** A new operation, with a request to be worked on or, without one, something to be waited for. */
export interface Beginning {
  readonly kind: string;
  /** Its number, where that is known already. */
  readonly id?: number;
  /** It is not worked on but waited for: it runs from the beginning. */
  readonly waits?: boolean;
  readonly input?: string;
  readonly origin?: Origin;
  readonly total?: number;
  /** ms since the epoch after which it is looked after. */
  readonly dueAt: number;
  /** What the outcome adds to the answer alone. */
  readonly more?: JsonObject;
}

/** Writes the record of a new operation, and with it what a keyed request is answered. Stale: that was answered meanwhile. */
export async function begin(
  { owner, once, now }: Pick<ActionInput, 'owner' | 'once' | 'now'>,
  { kind, id: chosen, waits, input, origin, total, dueAt, more }: Beginning,
): Promise<Extract<Outcome, { kind: 'accepted' | 'stale' }>> {
  for (;;) {
    const id = chosen ?? newIdentifier(now);
    const item: Item = {
      id,
      version: 1,
      createdAt: now,
      updatedAt: now,
      values: {
        kind,
        ...(waits ? { status: 'Running', startedAt: now } : { status: 'NotStarted' }),
        percentComplete: 0,
        progress: { done: 0, ...(total === undefined ? {} : { total }), failed: 0 },
        expiresAt: now + KEPT,
      },
      internal: { owner: ownerNumber(owner), ...(waits ? { waits: 1 } : {}) },
    };
    const inline = input === undefined || input.length <= INLINE;
    if (!inline) await orUnavailable((await import('#inputs')).putInput(id, input));
    const shards = config.shards();
    const record = {
      ...toAttributes(operations, item, shards),
      [EXPIRES]: number(Math.ceil((now + KEPT) / 1000)),
      [PENDING]: number(id % shards),
      [DUE_AT]: number(dueAt),
      ...(origin === undefined ? {} : { [ORIGIN]: structure(origin) }),
      ...(inline && input !== undefined ? { [INPUT]: text(input) } : {}),
    };
    const outcome = { ...accepted(item), more };
    const put: TransactWriteItem = {
      Put: {
        TableName: config.tableName(operations.name),
        Item: record,
        ConditionExpression: 'attribute_not_exists(#id)',
        ExpressionAttributeNames: { '#id': 'operationId' },
      },
    };
    const answers = once ? (await answerWrites(once, outcome, now)).map((Put) => ({ Put })) : [];
    const failed = await transact([put, ...answers]);
    if (!failed) return outcome;
    if (failed.index > 0 || chosen !== undefined) return stale as Extract<Outcome, { kind: 'stale' }>;
  }
}

/**
 * The action that makes an operation of a request: first the record, then the message. A message that cannot be sent
 * fails the operation; one that was not sent because of a crash in between is sent by the sweeper.
 *
 * @throws Unavailable when DynamoDB, S3 or SQS does not answer
 */
export const defer: Action = async (asked) => {
  const { deferred, now, owner, once } = asked;
  if (!deferred) throw new Error('There is nothing to be done later');
  const { basePath, path, requestId } = deferred.request;
  const origin = { basePath, path, requestId };
  const outcome = await begin(asked, {
    kind: deferred.kind,
    input: JSON.stringify(keepRequest(deferred.request)),
    origin,
    total: deferred.total,
    dueAt: now + redeliveryDelay(),
  });
  if (outcome.kind === 'stale') return outcome;
  const id = outcome.item.id as number;
  try {
    await orUnavailable(sendOperation(id, String(ownerNumber(owner))));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // The message may have arrived although its answer did not: then the operation is on its way.
    if (await failUndelivered(id, origin, once)) throw error;
  }
  return outcome;
};
