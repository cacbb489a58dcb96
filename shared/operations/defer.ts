import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../aws/config.ts';
import { reach } from '../aws/faults.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { JsonObject } from '../json/value.ts';
import type { Action, Asked } from '../resource/action.ts';
import type { Item } from '../resource/item.ts';
import { type Outcome, stale } from '../resource/outcome.ts';
import { toAttributes } from '../store/attributes.ts';
import { newIdentifier } from '../store/identifier.ts';
import { keepingOf } from '../store/kept.ts';
import { DUE_AT, PENDING } from '../store/table.ts';
import { transact } from '../store/transaction.ts';
import { accepted } from './accepted.ts';
import { unsent } from './finish.ts';
import { operations } from './operations.ts';
import { EXPIRES, INPUT, KEPT, number, ownerNumber, text } from './record.ts';

/** Characters of a request that its record holds: each change of a record is paid by its size. */
const INLINE = 32_000;
/** How long a message may take to be sent and begun, in ms, before the sweeper sends another one. */
export const sentWithin = (): number => 2 * config.leaseTime();

/** A new operation, with a request to be worked on or, without one, something to be waited for. */
export interface Beginning {
  readonly kind: string;
  /** Its number, where that is known already. */
  readonly id?: number;
  /** It is not worked on but waited for: it runs from the beginning. */
  readonly waits?: boolean;
  readonly input?: string;
  readonly total?: number;
  /** ms since the epoch after which it is looked after. */
  readonly dueAt: number;
  /** What the outcome adds to the answer alone. */
  readonly more?: JsonObject;
}

/** Writes the record of a new operation, and with it what a keyed request is answered. Stale: that was answered meanwhile. */
export async function begin(
  { owner, once, now }: Pick<Asked, 'owner' | 'once' | 'now'>,
  { kind, id: chosen, waits, input, total, dueAt, more }: Beginning,
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
      internal: { owner: ownerNumber(owner) },
    };
    const inline = input === undefined || input.length <= INLINE;
    if (!inline) await reach((await import('#inputs')).putInput(id, input));
    const shards = config.shards();
    const record = {
      ...toAttributes(operations, item, shards),
      [EXPIRES]: number(Math.ceil((now + KEPT) / 1000)),
      [PENDING]: number(id % shards),
      [DUE_AT]: number(dueAt),
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
    const answers = once ? (await keepingOf(once, outcome, now)).map((Put) => ({ Put })) : [];
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
  const { deferred, now, owner } = asked;
  if (!deferred) throw new Error('There is nothing to be done later');
  const outcome = await begin(asked, {
    kind: deferred.kind,
    input: JSON.stringify(deferred.request),
    total: deferred.total,
    dueAt: now + sentWithin(),
  });
  if (outcome.kind === 'stale') return outcome;
  const id = outcome.item.id as number;
  try {
    await reach((await import('#queue')).sendOperation(id, String(ownerNumber(owner))));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // The message may have arrived although its answer did not: then the operation is on its way.
    if (await unsent(id, asked)) throw error;
  }
  return outcome;
};
