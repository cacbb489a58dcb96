import type { Put, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { CreateCall, ItemCall } from '../../resource/actions/action.ts';
import {
  created,
  done,
  found,
  missing,
  type Outcome,
  replaced,
  stale,
} from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import type { CollectionActions } from '../../resource/styles/collection.ts';
import { answerWrites } from '../idempotency/answers.ts';
import { itemsOf } from '../items/items.ts';
import { conflictOutcome, expectedVersion, listingOutcome, replacementOutcome } from '../items/outcomes.ts';
import { Pages } from '../lists/pages.ts';
import { relatedReader } from '../lists/related.ts';
import { bytesOf } from '../write/bind-binaries.ts';
import { newItem } from '../write/new-item.ts';

/** What a new item brings with it: rows, and parts of the transaction that count it. */
interface Additions {
  readonly rowsOf?: (item: Item) => readonly Put[];
  readonly counts?: readonly TransactWriteItem[];
}

/** Stores a new item under a fresh identifier, together with the recorded answer and with further parts. */
export async function insertNew(
  resource: Resource,
  input: CreateCall,
  outcomeOf: (item: Item) => Outcome,
  { rowsOf, counts }: Additions = {},
): Promise<Outcome> {
  const { caller, idempotency, now, values, binaries, parent } = input;
  const items = itemsOf(resource, caller);
  const answersOf =
    (idempotency || rowsOf) &&
    (async (item: Item) => [
      ...(idempotency ? await answerWrites(idempotency, outcomeOf(item), now) : []),
      ...(rowsOf?.(item) ?? []),
    ]);
  for (;;) {
    const result = await items.insert(newItem(resource, caller, now, values), {
      answersOf,
      binaries,
      parent,
      ...(counts && { others: counts }),
    });
    if (result.kind === 'written') return outcomeOf(result.item);
    if (result.kind === 'refused') return result;
    if (result.kind === 'repeated') return stale;
  }
}

/** The outcome for an item that does not exist, with its versions, if it has some. `detail`: as in `missing`. */
export const missingItem = async (
  resource: Resource,
  call: Pick<ItemCall, 'caller' | 'id'>,
  detail?: string,
): Promise<Outcome> =>
  resource.history
    ? (await import('./history-actions.ts')).missingItem(resource, call, detail)
    : missing(detail);

/** Returns the actions of a collection in DynamoDB. A resource overrides those that differ. */
export function itemActions(resource: Resource) {
  const pages = new Pages(resource);
  const pathOf = (item: Item) => `/${resource.name}/${item.id}`;

  return {
    list: async ({ caller, page }) => listingOutcome(await pages.list(caller, page)),

    read: async ({ caller, id, binary }) => {
      const item = await itemsOf(resource, caller).get(id);
      if (!item) return missingItem(resource, { caller, id });
      // An undeclared name selects the bytes only if the item has some under this name.
      const bytes = binary === undefined ? undefined : bytesOf(resource, item, binary);
      return bytes ? found({ kind: 'bytes', bytes }) : found({ kind: 'item', item, related: relatedReader });
    },

    create: (input) => insertNew(resource, input, (item) => created(item, pathOf(item))),

    replace: async (input) => {
      const { caller, values, idempotency, now } = input;
      const result = await itemsOf(resource, caller).replace(input.id, values, {
        now,
        version: expectedVersion(input),
        before: input.current,
        binaries: input.binaries,
        answersOf: idempotency && ((item) => answerWrites(idempotency, replaced(item, pathOf(item)), now)),
      });
      return replacementOutcome(result, pathOf);
    },

    remove: async (input) => {
      const { caller, id, idempotency, now } = input;
      const answers = idempotency && (await answerWrites(idempotency, done, now));
      const result = await itemsOf(resource, caller).remove(id, {
        version: expectedVersion(input),
        before: input.current,
        answers,
      });
      return result.kind === 'removed' ? done : conflictOutcome(result);
    },
  } satisfies CollectionActions;
}
