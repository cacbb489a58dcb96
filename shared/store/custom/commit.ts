import { config } from '../../aws/config.ts';
import { SERVICE } from '../../resource/access/owner.ts';
import type { ActionItems } from '../../resource/actions/capabilities.ts';
import type { Resource } from '../../resource/resource.ts';
import { expiry, text } from '../form/attributes.ts';
import { IDEMPOTENCY_TABLE, keyIsFree, recordedAnswerOf } from '../idempotency/answers.ts';
import { MAXIMUM_PARTS } from '../write/limits.ts';
import { transact } from '../write/transaction.ts';
import { Unit } from './unit.ts';

/** A stream repeats a change for a day at most. Unit: ms. */
const REPEATED_MS = 2 * 24 * 3600 * 1000;

/**
 * Calls the code of an author that reacts to an event, and commits its writes in one transaction. The transaction also
 * records the event, so a repeated call writes nothing again. `now`: ms since the epoch.
 *
 * @throws Error if the rules of a field forbid a write, or if an item has changed since the code read it. The caller
 * repeats the call.
 */
export async function commitOnce(
  resource: Resource,
  eventId: string,
  now: number,
  react: (items: ActionItems<Resource>) => Promise<void>,
): Promise<void> {
  const unit = new Unit(resource, { caller: SERVICE, now });
  await react(unit.items());
  try {
    await commit(unit, eventId, now);
  } catch (error) {
    // An earlier call for this event has committed its writes, which can now forbid the same ones.
    if ((await recordedAnswerOf({ id: keyOf(eventId) }, now)).kind !== 'answered') throw error;
  }
}

/** Commits the writes of a unit, and records the event. */
async function commit(unit: Unit, eventId: string, now: number): Promise<void> {
  const { name } = unit.own.resource;
  const planned = await unit.plan();
  if (planned.kind === 'refused') throw new Error(`onChange of ${name}: ${planned.problem.detail}`);
  if (planned.parts.length === 0) return;
  const parts = [{ Put: recordOf(eventId, now) }, ...planned.parts];
  if (parts.length > MAXIMUM_PARTS)
    throw new Error(
      `onChange of ${name} needs ${parts.length} parts of a transaction, of at most ${MAXIMUM_PARTS}`,
    );
  if (await transact(parts))
    throw new Error(`onChange of ${name}: an item has changed since the code read it`);
}

const keyOf = (eventId: string): string => `change ${eventId}`;

/** Returns the row that says that the writes for an event are committed. */
const recordOf = (eventId: string, now: number) => ({
  TableName: config.tableName(IDEMPOTENCY_TABLE.name),
  Item: {
    [IDEMPOTENCY_TABLE.key]: text(keyOf(eventId)),
    [IDEMPOTENCY_TABLE.timeToLive]: expiry(now + REPEATED_MS),
  },
  ...keyIsFree(now),
});
