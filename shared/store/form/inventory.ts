import { Unavailable } from '../../http/problem.ts';
import type { Ownership } from '../../resource/access/owner.ts';
import { attributeOf, isUnique, type Kinds, kindsOf } from '../../resource/description/attribute.ts';
import { descriptionOf } from '../../resource/resource.ts';
import { limitName, totalName } from './constraint-rows.ts';
import { type Tabled, tableOf } from './table.ts';

/** The form in which a release writes items. */
export interface Form {
  /** The version of the description. */
  readonly version: number;
  /** The names of the indexes whose keys an item has. */
  readonly indexes: readonly string[];
  /** The attributes whose values have a row, so that no other item can take them, and the names of limits and kept totals. */
  readonly unique: readonly string[];
}

/** What a release needs from the inventory before it writes. */
export interface Wanted {
  readonly form: Form;
  readonly fields: Kinds;
  readonly shards: number;
  readonly owner: Ownership | 'none';
  readonly history: boolean;
}

/**
 * The inventory of a table: what its items have. A row of the table holds it, so each environment has its own, and a
 * restored table has that of its items.
 */
export interface Inventory {
  /** The kind of each attribute that a release has written, also of those without a field now. */
  readonly fields: Kinds;
  /** Who owns the items, since the first of them. An inventory of an earlier release does not say it. */
  readonly owner?: Ownership | 'none';
  /** True if the release that wrote last keeps a history. An inventory of an earlier release does not say it. */
  readonly history?: boolean;
  /** The latest version of the description that an item has. */
  readonly latest: number;
  /** Every function writes items in this form since `since`, in ms since the epoch. */
  readonly written: Form;
  readonly since: number;
  /** Every item has at least this form. Readers use only these indexes. */
  readonly complete: Form;
  /** The partitions of the lists that readers read. They never become fewer. */
  readonly shards: number;
  /** Before `since`, other functions may still read only this number of partitions. */
  readonly earlierShards: number;
}

/** Times that the rules need, in ms. `now`: since the epoch. `settling`: after it, each function knows a change. */
export interface Times {
  readonly now: number;
  readonly settling: number;
}

const known = new WeakMap<Tabled, Omit<Wanted, 'shards'>>();

/** Returns the form in which this release writes the items of a resource. */
export function formOf(resource: Tabled): Omit<Wanted, 'shards'> {
  const found = known.get(resource);
  if (found) return found;
  const description = descriptionOf(resource);
  const form: Form = {
    version: description.version,
    indexes: tableOf(resource)
      .indexes.map(({ name }) => name)
      .sort(),
    unique: [
      ...Object.entries(description.fields).flatMap(([name, field]) =>
        isUnique(field) ? [attributeOf(description, name)] : [],
      ),
      ...(resource.atMost ?? []).map((limit) => limitName(description, limit)),
      ...(resource.keptTotals ?? []).map((total) => totalName(description, total)),
    ].sort(),
  };
  const made = {
    form,
    fields: kindsOf(description),
    owner: resource.owner ?? 'none',
    history: Boolean(resource.history),
  } as const;
  known.set(resource, made);
  return made;
}

/** Returns the inventory of a new table. */
export const newInventory = ({ form, fields, shards, owner, history }: Wanted): Inventory => ({
  fields,
  owner,
  history,
  latest: form.version,
  written: form,
  since: 0,
  complete: form,
  shards,
  earlierShards: shards,
});

/**
 * Returns the inventory that a function needs before it writes in this form; undefined: the present one. It keeps only
 * those facts of all items that the form keeps. Readers of another release therefore stop to use an index before this
 * function writes an item without its key.
 */
export function agreement(
  before: Inventory,
  { form, fields, shards, owner, history }: Wanted,
  times: Times,
): Inventory | undefined {
  const isKnown = Object.keys(fields).every((attribute) => before.fields[attribute] === fields[attribute]);
  if (isKnown && isSameForm(before.written, form) && shards <= before.shards)
    return before.history === history ? undefined : { ...before, history };
  return {
    fields: { ...before.fields, ...fields },
    owner: before.owner ?? owner,
    history,
    latest: Math.max(before.latest, form.version),
    written: form,
    since: times.now,
    complete: both(before.complete, form),
    shards: Math.max(before.shards, shards),
    earlierShards: writableShards(before, before.shards, times),
  };
}

/** Returns the partitions that a function may write into: every function reads them. */
export const writableShards = (inventory: Inventory, wanted: number, times: Times): number =>
  Math.min(wanted, isSettled(inventory, times) ? inventory.shards : inventory.earlierShards);

/** True if no function writes items in an earlier form. */
export const isSettled = ({ since }: Inventory, { now, settling }: Times): boolean => now >= since + settling;

/** Returns the refusal of a request that needs an index which lacks older items. */
export function incompleteIndex(resource: string): Unavailable {
  const detail = `An index of ${resource} lacks older items. A backfill completes it`;
  return new Unavailable(new Error(detail), 60, detail);
}

/**
 * Returns the refusal of a request to a resource whose items have other owners than the definition says: the service
 * would hide them from their owners, or show them to others.
 */
export function otherOwners(resource: string): Unavailable {
  const detail = `Items of ${resource} have other owners. Deploy the release before`;
  return new Unavailable(new Error(detail), 60, detail);
}

/** Returns what all items have by both statements. */
const both = (one: Form, other: Form): Form => ({
  version: Math.min(one.version, other.version),
  indexes: one.indexes.filter((name) => other.indexes.includes(name)),
  unique: one.unique.filter((name) => other.unique.includes(name)),
});

/** True if two forms are the same. Their names are sorted. */
export const isSameForm = (one: Form, other: Form): boolean => JSON.stringify(one) === JSON.stringify(other);
