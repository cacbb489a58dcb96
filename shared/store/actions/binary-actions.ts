import type { Action, BinaryCall, Expected } from '../../resource/actions/action.ts';
import {
  type Bytes,
  done,
  found,
  foundItem,
  missing,
  type Outcome,
  refused,
  stale,
} from '../../resource/actions/outcome.ts';
import { binaryHref, binaryTag, MAXIMUM_BINARIES } from '../../resource/binary.ts';
import { capitalize } from '../../resource/description/fields.ts';
import type { Item, StoredBinary } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import type { SentBinary } from '../../resource/sent.ts';
import type { BinaryActions } from '../../resource/styles/store-and-binaries.ts';
import { answerWrites } from '../idempotency/answers.ts';
import { itemsOf } from '../items/items.ts';
import { conflictOutcome } from '../items/outcomes.ts';
import { bytesOf } from '../write/bind-binaries.ts';

/**
 * Returns the actions of the binary properties of items. The item names the bytes, so the condition of DynamoDB decides
 * between concurrent writes.
 *
 * Source: Specification 2.26, 2.27.
 */
export function binaryActions(resource: Resource): BinaryActions {
  const singular = resource.description?.singular ?? resource.name;
  const noItem = (id: number) => missing(`There is no ${singular} ${id}`);
  const noBytes = (id: number, name: string) => missing(`${capitalize(singular)} ${id} has no ${name}`);

  const whole: Action<'item'> = async ({ caller, id }) => {
    const item = await itemsOf(resource, caller).get(id);
    return item ? foundItem(item) : noItem(id);
  };

  /** Changes one property of the item that the caller has read. */
  async function change(
    input: BinaryCall,
    item: Item,
    sent: SentBinary['sent'],
    outcomeOf: (after: Item) => Outcome,
  ): Promise<Outcome> {
    const { caller, id, binary: name, idempotency, now } = input;
    const { [name]: _, ...values } = item.values;
    const result = await itemsOf(resource, caller).replace(id, values, {
      now,
      version: item.version,
      before: item,
      binaries: [{ name, sent }],
      answersOf: idempotency && ((after) => answerWrites(idempotency, outcomeOf(after), now)),
    });
    return result.kind === 'written' ? outcomeOf(result.item) : conflictOutcome(result);
  }

  return {
    whole,

    read: async ({ caller, id, binary }) => {
      const item = await itemsOf(resource, caller).get(id);
      if (!item) return noItem(id);
      const bytes = bytesOf(resource, item, binary);
      return bytes ? found({ kind: 'bytes', bytes }) : noBytes(id, binary);
    },

    write: async (input) => {
      const { caller, id, binary: name, sent, expected } = input;
      const item = await itemsOf(resource, caller).get(id);
      if (!item) return noItem(id);
      const before = bytesOf(resource, item, name);
      if (!holds(expected, before)) return stale;
      if (!before && Object.keys(item.binaries ?? {}).length >= MAXIMUM_BINARIES)
        return refused(
          'conflict',
          `An item has at most ${MAXIMUM_BINARIES} binary properties. Remove one first`,
        );
      const kind = before ? 'replaced' : 'created';
      const location = binaryHref(resource.name, id, name);
      return change(input, item, sent, (after) => ({
        kind,
        state: { kind: 'item', item: after },
        location,
        etag: binaryTag(after.binaries?.[name] as StoredBinary),
      }));
    },

    remove: async (input) => {
      const { caller, id, binary: name, expected } = input;
      const item = await itemsOf(resource, caller).get(id);
      if (!item) return noItem(id);
      const before = bytesOf(resource, item, name);
      if (!before) return noBytes(id, name);
      if (!holds(expected, before)) return stale;
      return change(input, item, undefined, () => done);
    },
  };
}

/** True if the bytes are those that the preconditions have accepted. */
const holds = (expected: Expected, before: Bytes | undefined): boolean => {
  if (!expected) return true;
  return expected.kind === 'etag' ? before?.etag.opaque === expected.etag.opaque : !before;
};
