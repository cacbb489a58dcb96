import { currentTime } from '../../aws/clock.ts';
import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import type { Problem } from '../../http/problem.ts';
import type { ElementsCall } from '../../resource/actions/action.ts';
import { type Completion, complete, type Outcome } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import type { SentBinary } from '../../resource/sent.ts';
import { checkConstraints } from '../../store/constraints/check-constraints.ts';
import { discardBinaries, withBinaries } from '../../store/write/bind-binaries.ts';
import { itemsPerStep } from '../../store/write/fitting.ts';
import type { ConstraintResult } from '../../store/write/item-change.ts';
import { MAXIMUM_PARTS } from '../../store/write/limits.ts';
import { newIdentifiers, newItem } from '../../store/write/new-item.ts';
import { agree } from '../../store/write/stored-inventory.ts';
import { insertion } from '../../store/write/write-requests.ts';
import { inOneTransaction, severalItems } from './in-one-transaction.ts';
import { failuresOf, refusalOf } from './problems.ts';
import { runSteps } from './steps.ts';

/** A new item, or the problem that prevents its creation. */
type Made =
  | { readonly kind: 'made'; readonly item: Item; readonly binaries: readonly SentBinary[] }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Creates several items. If they fit into one transaction, it creates all of them or none. Otherwise the outcome is
 * `mustDefer`, and the operation creates them in steps. `location`: the path of the list.
 *
 * Source: Specification 9.3 and 9.5.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function createAll(resource: Resource, input: ElementsCall, location: string): Promise<Outcome> {
  const { caller, elements, work, lenient } = input;
  if (elements.length <= MAXIMUM_PARTS && !lenient) {
    const outcome = await whole(resource, input, location);
    if (outcome.kind !== 'mustDefer') return outcome;
  }
  if (!work) return { kind: 'mustDefer' };
  if (work.checkpoint.cursor === undefined && !lenient) {
    // They do not fit into one transaction. Check all of them first, so that a fault prevents every change.
    const refused = await creationFaults(resource, input);
    if (refused) return refused;
  }
  const limit = itemsPerStep(resource, 'creation');
  const begun = { ...work.checkpoint, total: elements.length };
  return runSteps(
    work,
    begun,
    async ({ cursor = '0' }, _, most) => {
      const at = Number(cursor);
      const chunk = elements.slice(at, at + Math.min(limit, most));
      if (chunk.length === 0) return undefined;
      // The current time, not that of acceptance: one millisecond has few identifiers.
      const { made, parts } = await makeAll(resource, {
        elements: chunk,
        now: currentTime(),
        caller,
      });
      const items = await named(resource, made);
      const failures = failuresOf(resource, chunk, made, location);
      const agreed = await agree(resource);
      const puts = items.map((item) => ({ Put: insertion(agreed, item) }));
      return {
        parts: [...puts, ...parts],
        done: items.length,
        first: items.length > 0 ? location : undefined,
        failures,
        cursor: String(at + chunk.length),
      };
    },
    location,
  );
}

/** The refusal of a creation; undefined if nothing prevents it. @throws Unavailable if DynamoDB does not respond */
export const creationFaults = async (resource: Resource, input: ElementsCall): Promise<Outcome | undefined> =>
  refusalOf(input.elements, (await makeAll(resource, input)).made);

const whole = (resource: Resource, input: ElementsCall, location: string): Promise<Outcome> =>
  // If an identifier exists already, another attempt makes all items again.
  inOneTransaction(resource, input, async () => {
    const { made, parts: others } = await makeAll(resource, input);
    const refused = refusalOf(input.elements, made);
    if (refused) return refused;
    const items = await named(resource, made);
    const agreed = await agree(resource);
    return {
      kind: 'attempt',
      changes: items.map((after) => ({ after })),
      parts: items.map((item) => ({ Put: insertion(agreed, item) })),
      others,
      outcome: severalItems(resource, 'created', items, location),
      undo: () => discardBinaries(resource, items),
    };
  });

/** Returns the new items. Their bytes are stored, and each item names its own. */
const named = (resource: Resource, made: readonly Made[]): Promise<Item[]> =>
  mapConcurrently(
    CONCURRENCY.files,
    made.filter((one) => one.kind === 'made'),
    ({ item, binaries }) => withBinaries(resource, item, binaries),
  );

/**
 * Makes items of the elements. `parts`: what the constraints of the resource add to their transaction.
 */
async function makeAll(
  resource: Resource,
  { elements, caller, now, parent }: Pick<ElementsCall, 'caller' | 'elements' | 'now' | 'parent'>,
): Promise<Pick<ConstraintResult, 'parts'> & { readonly made: readonly Made[] }> {
  const completed = await mapConcurrently(
    CONCURRENCY.items,
    elements,
    async ({ values, names = Object.keys(values), problem: wrong }): Promise<Completion> => {
      if (wrong) return { kind: 'refused', problem: wrong };
      return resource.complete ? resource.complete(values, { sent: names }) : complete(values);
    },
  );
  const ids = newIdentifiers(now, elements.length);
  const all = completed.map((one, at): Made => {
    if (one.kind === 'refused') return one;
    return {
      kind: 'made',
      binaries: elements[at]?.binaries ?? [],
      item: newItem(resource, caller, now, one.values, ids[at]),
    };
  });
  const { parts, refusals } = await checkConstraints(
    resource,
    all.map((one) => (one.kind === 'made' ? { after: one.item } : {})),
    parent && [parent],
  );
  const made = all.map((one, at): Made => {
    const refusal = refusals.get(at);
    return refusal ? { kind: 'refused', problem: refusal } : one;
  });
  return { made, parts };
}
