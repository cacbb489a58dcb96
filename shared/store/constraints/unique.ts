import { createHash } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import { type Problem, problem } from '../../http/problem.ts';
import { Decimal } from '../../json/decimal.ts';
import { SERVICE } from '../../resource/access/owner.ts';
import { attributeOf, isUnique } from '../../resource/description/attribute.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { number } from '../form/attributes.ts';
import { constraintKey, constraintRow, HOLDER, SINCE } from '../form/constraint-rows.ts';
import { CONSTRAINT } from '../form/table.ts';
import { readItems, readKeys } from '../items/read-items.ts';
import { and, attributeNotExists, compare, conditionExpression } from '../write/expression.ts';
import type { ConstraintResult, ItemChange } from '../write/item-change.ts';

/** The item that holds a unique value, and the version with which it took the value. */
interface Holder {
  readonly id: number;
  readonly since: number;
}

type Holders = ReadonlyMap<string, Holder>;

/**
 * Holds the unique values of items: one row for each value names the item that has it. The row is written in the
 * transaction of the item. A change that keeps its value is allowed even if another item has the value, because both
 * stored it before the field was unique. A backfill and an import pass each item as new, and thereby find such values:
 * the refusal names them, and the parts hold the other values of the item.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function checkUnique(
  resource: Resource,
  changes: readonly ItemChange[],
): Promise<ConstraintResult> {
  const stored = await readHolders(resource, changes);
  const left = new Set<string>();
  const refusals = new Map<number, Problem>();
  for (;;) {
    const accepted = changes.map((change, at) => (refusals.has(at) && !change.wasStored ? {} : change));
    const { holders, conflicts: all } = assigned(resource, accepted, stored, left);
    const conflicts = all.filter(({ at }) => !refusals.has(at));
    if (conflicts.length === 0) return { parts: partsOf(resource, stored, holders), refusals };
    const names = conflicts.map(({ name }) => name).filter((name) => !left.has(name));
    const found = await leftBehind(resource, names, stored);
    for (const name of found) left.add(name);
    if (found.length > 0) continue;
    for (const { at, field } of conflicts) refusals.set(at, taken(resource, field));
  }
}

/**
 * Returns the names of the rows for the unique values of an item, by field. An empty text is not a value. A text has one
 * row in all its Unicode forms: it looks the same to people. Source: Unicode Standard Annex #15.
 */
function namesOf({ name: resource, description }: Resource, item: Item | undefined): Map<string, string> {
  const described = description as Description;
  const names = new Map<string, string>();
  for (const [field, facts] of Object.entries(described.fields)) {
    const value = item?.values[field];
    if (!isUnique(facts) || !isScalar(value) || value === '') continue;
    const attribute = attributeOf(described, field);
    // An owner learns nothing of the values of other owners.
    const facets = [resource, attribute, item?.owner ?? null, `${value}`.normalize()];
    const digest = createHash('sha256').update(JSON.stringify(facets)).digest('base64url');
    names.set(field, `unique ${attribute} ${digest}`);
  }
  return names;
}

const isScalar = (value: unknown): value is string | number | Decimal =>
  typeof value === 'string' || typeof value === 'number' || value instanceof Decimal;

/** Returns the rows of all values before and after the changes, as last written. */
async function readHolders(resource: Resource, changes: readonly ItemChange[]): Promise<Holders> {
  const description = descriptionOf(resource);
  const names = changes.flatMap(({ before, after }) => [
    ...namesOf(resource, before).values(),
    ...namesOf(resource, after).values(),
  ]);
  const keys = [...new Set(names)].map((name) => constraintKey(description, name));
  const rows = await readKeys(resource.name, keys);
  return new Map(
    rows.map((row) => [
      row[CONSTRAINT]?.S as string,
      { id: Number(row[HOLDER]?.N), since: Number(row[SINCE]?.N) },
    ]),
  );
}

interface Conflict {
  readonly at: number;
  readonly field: string;
  readonly name: string;
}

/** Returns the holders after the changes, and the values that another item holds. `left`: rows that count as free. */
function assigned(
  resource: Resource,
  changes: readonly ItemChange[],
  stored: Holders,
  left: ReadonlySet<string>,
): { readonly holders: Holders; readonly conflicts: readonly Conflict[] } {
  const holders = new Map([...stored].filter(([name]) => !left.has(name)));
  const conflicts: Conflict[] = [];
  const all = changes.map(({ before, after }) => {
    return { before, after, old: namesOf(resource, before), wanted: namesOf(resource, after) };
  });
  for (const { before, old, wanted } of all) {
    for (const [field, name] of old)
      if (wanted.get(field) !== name && holders.get(name)?.id === before?.id) holders.delete(name);
  }
  for (const [at, { before, after, old, wanted }] of all.entries()) {
    if (!after) continue;
    for (const [field, name] of wanted) {
      const holder = holders.get(name);
      const isNew = old.get(field) !== name;
      if (!holder || (before && holder.id === after.id && isNew))
        holders.set(name, { id: Number(after.id), since: after.version });
      else if (holder.id !== after.id && isNew) conflicts.push({ at, field, name });
    }
  }
  return { holders, conflicts };
}

/**
 * Returns the rows whose items do not have the value: a release that did not know the constraint removed or changed
 * them. The row names the version. If the item takes the value again meanwhile, the condition on this version fails.
 */
async function leftBehind(resource: Resource, names: readonly string[], stored: Holders): Promise<string[]> {
  const rows = names.flatMap((name) => {
    const holder = stored.get(name);
    return holder ? [{ name, id: holder.id }] : [];
  });
  const source = { ...resource, description: descriptionOf(resource) };
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const { items } = await readItems(source, ids, SERVICE);
  return rows
    .filter(({ name, id }) => {
      const item = items.get(id);
      return !item?.unreadable && ![...namesOf(resource, item).values()].includes(name);
    })
    .map(({ name }) => name);
}

/** Returns the writes that turn the stored holders into these. */
function partsOf(resource: Resource, stored: Holders, holders: Holders): TransactWriteItem[] {
  const TableName = config.tableName(resource.name);
  const description = descriptionOf(resource);
  return [...new Set([...stored.keys(), ...holders.keys()])].flatMap((name): TransactWriteItem[] => {
    const [before, after] = [stored.get(name), holders.get(name)];
    if (before?.id === after?.id && before?.since === after?.since) return [];
    const isSame = conditionExpression(
      before
        ? and(compare(HOLDER, '=', number(before.id)), compare(SINCE, '=', number(before.since)))
        : attributeNotExists(CONSTRAINT),
    );
    if (!after) return [{ Delete: { TableName, Key: constraintKey(description, name), ...isSame } }];
    const row = {
      ...constraintRow(description, name),
      [HOLDER]: number(after.id),
      [SINCE]: number(after.since),
    };
    return [{ Put: { TableName, Item: row, ...isSame } }];
  });
}

/** Returns the refusal of a value that another item has. */
function taken({ description }: Resource, field: string): Problem {
  const { singular = 'item', fields } = description ?? {};
  const label = fields?.[field]?.label ?? field;
  return problem(
    'conflict',
    `Another ${singular} has this ${label}. Choose another value, or change that ${singular}`,
    {
      errors: [{ pointer: `/${field}`, detail: `is the value of another ${singular}` }],
    },
  );
}
