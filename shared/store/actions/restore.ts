import { formatLinks } from '../../http/fields/link.ts';
import type { Problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { FieldLimits } from '../../resource/access/field-access.ts';
import type { Caller } from '../../resource/access/owner.ts';
import type { Calls } from '../../resource/actions/action.ts';
import { created, missing, type Outcome, refused, replaced, stale } from '../../resource/actions/outcome.ts';
import { isDerived } from '../../resource/description/plan.ts';
import type { Item, StoredBinary } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { validateChanges } from '../custom/validate-changes.ts';
import { readable } from '../form/attributes.ts';
import { unlist } from '../history/removed.ts';
import { goneReferences } from '../history/returning.ts';
import { Versions } from '../history/versions.ts';
import { answerWrites } from '../idempotency/answers.ts';
import { itemsOf } from '../items/items.ts';
import { conflictOutcome } from '../items/outcomes.ts';
import type { BinaryChanges } from '../write/bind-binaries.ts';
import { newItem } from '../write/new-item.ts';
import { wholeValues } from '../write/replacement.ts';

/** The values and the bytes that a restoration sets. */
type Allowed = Extract<Restoration, { kind: 'allowed' }>;

const pathOf = ({ name }: Resource, { id }: Pick<Item, 'id'>): string => `/${name}/${id}`;

/** Returns the outcome for a version that an item does not have. */
export const unknownVersion = (resource: Resource, version: number): Outcome =>
  missing(
    Number.isNaN(version)
      ? undefined
      : `There is no version ${version} of this ${descriptionOf(resource).singular}`,
  );

/**
 * Restores a version: replaces the item, or creates it again after a removal.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 16.6.
 */
export async function restore(resource: Resource, input: Calls['version']): Promise<Outcome> {
  const { caller, id, fieldLimits } = input;
  const versions = new Versions(resource, caller, id);
  const wanted = await versions.version(input.version);
  if (!wanted) return unknownVersion(resource, input.version);
  const present = input.current ?? (await itemsOf(resource, caller).get(id));
  const removed = present ? undefined : await versions.newest();
  const last = present ?? (removed?.removal && removed.item);
  // The item exists again, or its removal is not visible yet.
  if (!last) return stale;
  for (const one of [wanted.item, last]) readable(resource.name, one);
  const result = await restorationOf(resource, wanted.item, last, {
    fieldLimits,
    isRemoved: !present,
    now: input.now,
  });
  if (result.kind === 'refused') return result;
  if (result.kind === 'otherState') {
    const newest = versions.newestFirst(undefined, 2);
    await newest.next();
    const older = present && (await newest.next()).value?.item;
    const isSame = older?.values[result.field] === last.values[result.field];
    return otherState(resource, input, result.field, wanted.item, isSame && older ? older : last);
  }
  return present ? replace(resource, input, result, present) : recreate(resource, input, result, last);
}

/** Refuses to change the state. `restorable`: the newest version with the present or last state. */
function otherState(
  resource: Resource,
  { id, basePath }: Calls['version'],
  field: string,
  wanted: Item,
  restorable: Item,
): Outcome {
  const state = restorable.values[field];
  const href = `${basePath}${pathOf(resource, { id })}/versions/${restorable.version}`;
  const links = [{ rel: 'restorable', href, method: 'GET' }];
  return refused(
    'conflict',
    `The state is ${state}, and was ${wanted.values[field]} in this version. A restoration makes no transition. Restore a version with the state ${state}: the newest is in links`,
    { members: { currentStatus: state, links }, headers: { Link: formatLinks(links) } },
  );
}

/** Gives an item the values and the bytes of a version. */
async function replace(
  resource: Resource,
  input: Calls['version'],
  { values, binaries }: Allowed,
  item: Item,
): Promise<Outcome> {
  const { caller, now, idempotency, expected } = input;
  if (expected && (expected.kind !== 'version' || expected.version !== item.version)) return stale;
  const result = await itemsOf(resource, caller).replace(
    item.id,
    wholeValues(descriptionOf(resource).plan, values),
    {
      now,
      version: item.version,
      before: item,
      stored: binariesSet(item, binaries),
      restores: true,
      answersOf:
        idempotency && ((one) => answerWrites(idempotency, replaced(one, pathOf(resource, one)), now)),
    },
  );
  return result.kind === 'written'
    ? replaced(result.item, pathOf(resource, result.item))
    : conflictOutcome(result);
}

/** Creates a removed item anew, with its old identifier and the next version. */
async function recreate(
  resource: Resource,
  input: Calls['version'],
  { values, binaries }: Allowed,
  last: Item,
): Promise<Outcome> {
  const { caller, now, idempotency } = input;
  const item = returnedItem(resource, { values, binaries }, { last, caller, now });
  const outcomeOf = (one: Item) => created(one, pathOf(resource, one));
  const result = await itemsOf(resource, caller).insert(item, {
    restores: true,
    last,
    others: [unlist(resource, last)],
    answersOf: idempotency && ((one) => answerWrites(idempotency, outcomeOf(one), now)),
  });
  if (result.kind === 'written') return outcomeOf(result.item);
  return result.kind === 'refused' ? result : stale;
}

/** Returns a removed item as it exists again: with its identifier, its creation and the next version. */
export const returnedItem = (
  resource: Resource,
  { values, binaries }: Omit<Allowed, 'kind'>,
  { last, caller, now }: { readonly last: Item; readonly caller: Caller; readonly now: number },
): Item => ({
  ...newItem(resource, caller, now, values, Number(last.id)),
  version: last.version + 2,
  createdAt: last.createdAt,
  createdBy: last.createdBy,
  owner: last.owner,
  binaries,
});

/** Returns the changes of the bytes that make an item name just these. */
export const binariesSet = (item: Item, binaries: Allowed['binaries']): BinaryChanges => ({
  set: binaries,
  remove: Object.keys(item.binaries ?? {}).filter((name) => !Object.hasOwn(binaries, name)),
});

/** What a restoration sets, the state that it would change, or the rule that refuses it. */
type Restoration =
  | {
      readonly kind: 'allowed';
      readonly values: JsonObject;
      readonly binaries: Readonly<Record<string, StoredBinary>>;
    }
  | { readonly kind: 'otherState'; readonly field: string }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Decides what the restoration of a version sets, for a living item and for a removed one alike. `last`: the item as it
 * is, or as it was before its removal. A property that the caller or every caller cannot set has its value of `last`, and
 * so has the state of a process, except after an undo: all values come back. A removed item keeps no reference that the service would have cleared. Rules of several
 * items are left to the write.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 16.6.
 */
export async function restorationOf(
  resource: Resource,
  wanted: Item,
  last: Item,
  {
    fieldLimits,
    isRemoved,
    isUndo = false,
    now,
  }: {
    readonly fieldLimits?: FieldLimits | undefined;
    readonly isRemoved: boolean;
    readonly isUndo?: boolean;
    readonly now: number;
  },
): Promise<Restoration> {
  const { process, complete } = resource;
  if (process && !isUndo && last.values[process.field] !== wanted.values[process.field])
    return { kind: 'otherState', field: process.field };
  const { fields } = descriptionOf(resource);
  const server = Object.entries(fields).flatMap(([name, one]) =>
    !isUndo && one.server && !isDerived(one) ? [name] : [],
  );
  const kept = [...(fieldLimits?.kept ?? []), ...server];
  const values = withKept(wanted.values, last.values, kept);
  for (const name of isRemoved ? await goneReferences(resource, last) : [])
    if (values[name] === last.values[name]) delete values[name];
  const problem = validateChanges(resource, values, last.values);
  if (problem) return { kind: 'refused', problem };
  const completed = await complete?.(values, { sent: Object.keys(values), before: last.values });
  if (completed?.kind === 'refused') return completed;
  const binaries = withKept(wanted.binaries ?? {}, last.binaries ?? {}, kept);
  // Other bytes than the last ones are a change now. Source: Specification 3.10.
  for (const [name, one] of Object.entries(binaries))
    if (one.key !== last.binaries?.[name]?.key) binaries[name] = { ...one, storedAt: now };
  return { kind: 'allowed', values: completed?.values ?? values, binaries };
}

/** Returns the members of a version, with the present or last ones under the names that the caller cannot set. */
function withKept<Member>(
  wanted: Readonly<Record<string, Member>>,
  last: Readonly<Record<string, Member>>,
  kept: readonly string[],
): Record<string, Member> {
  const members: Record<string, Member> = Object.assign(Object.create(null), wanted);
  for (const name of kept) {
    const value = last[name];
    if (value === undefined) delete members[name];
    else members[name] = value;
  }
  return members;
}
