import { createHash } from 'node:crypto';
import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import { type Problem, problem } from '../../http/problem.ts';
import { SERVICE } from '../../resource/access/owner.ts';
import type { Limit } from '../../resource/facts.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { keyAttribute, text } from '../form/attributes.ts';
import { constraintKey, HOLDERS, limitName } from '../form/constraint-rows.ts';
import { CONSTRAINT, VERSION } from '../form/table.ts';
import { readItems, readKeys } from '../items/read-items.ts';
import {
  attributeExists,
  attributeNotExists,
  compare,
  conditionExpression,
  hasAtMost,
  or,
  updateExpression,
} from '../write/expression.ts';
import type { ConstraintResult, ItemChange } from '../write/item-change.ts';
import { MAXIMUM_HOLDERS } from '../write/limits.ts';
import { transact } from '../write/transaction.ts';

/** The identifiers of the items that agree, by the name of the row. */
type Holders = ReadonlyMap<string, ReadonlySet<string>>;

/** An item that begins to agree with others. `at`: the index of its change. `name`: that of the row. */
interface Entry {
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly limit: Limit;
}

/**
 * Holds the limits of a resource: a row for each group of items that agree has their identifiers. The row is written in
 * the transaction of the items. A set of identifiers counts an item once, whatever is repeated. Writers of one group
 * need not wait for each other until it is full. An item that stays in its group costs nothing.
 *
 * A backfill and an import add items that are stored already, also beyond the limit: the refusals name these.
 *
 * Source: docs/decisions/0103-at-most-so-many.md.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function checkLimits(
  resource: Resource,
  changes: readonly ItemChange[],
): Promise<ConstraintResult> {
  const all = changes.map((change) => movesOf(resource, change));
  const names = new Set(all.flatMap(({ left, entered }) => [...left, ...entered.keys()]));
  const refusals = new Map<number, Problem>();
  if (names.size === 0) return { parts: [], refusals };
  let stored = await readHolders(resource, names);
  const asked = new Set<string>();
  for (;;) {
    const { holders, entries, beyond } = grouped(all, changes, stored, refusals);
    const full = [...new Set(beyond.map(({ name }) => name))].filter((name) => !asked.has(name));
    if (full.length > 0) {
      for (const name of full) asked.add(name);
      if (await forgetStale(resource, full, stored)) stored = await readHolders(resource, names);
      continue;
    }
    const refused = beyond.filter(({ at }) => !refusals.has(at));
    if (refused.length === 0) return { parts: partsOf(resource, stored, holders, entries), refusals };
    for (const { at, limit } of refused) refusals.set(at, beyondLimit(limit));
  }
}

/** The groups that an item leaves, and those that it enters, each with its limit. */
interface Moves {
  readonly id: string;
  readonly left: readonly string[];
  readonly entered: ReadonlyMap<string, Limit>;
}

function movesOf(resource: Resource, { before, after }: ItemChange): Moves {
  const [old, wanted] = [groupsOf(resource, before), groupsOf(resource, after)];
  return {
    id: String((after ?? before)?.id),
    left: [...old.keys()].filter((name) => !wanted.has(name)),
    entered: new Map([...wanted].filter(([name]) => !old.has(name))),
  };
}

/** Returns the limits that count an item, by the names of the rows. */
function groupsOf({ name, description, atMost = [] }: Resource, item: Item | undefined): Map<string, Limit> {
  const groups = new Map<string, Limit>();
  if (!description || !item) return groups;
  for (const limit of atMost) {
    const { of, where = {} } = limit;
    const isCounted = Object.entries(where).every(([field, value]) => `${item.values[field]}` === `${value}`);
    const values = of.map((field) => item.values[field]);
    if (!isCounted || values.some((value) => value === undefined || value === null || value === '')) continue;
    // An owner learns nothing of the items of other owners.
    const facets = [
      name,
      limitName(description, limit),
      item.owner ?? null,
      ...values.map((value) => String(value).normalize()),
    ];
    const digest = createHash('sha256').update(JSON.stringify(facets)).digest('base64url');
    groups.set(`at most ${digest}`, limit);
  }
  return groups;
}

/** Returns the rows of these groups, as last written. */
async function readHolders(resource: Resource, names: Iterable<string>): Promise<Holders> {
  const description = descriptionOf(resource);
  const keys = [...names].map((name) => constraintKey(description, name));
  const rows = await readKeys(resource.name, keys);
  return new Map(rows.map((row) => [row[CONSTRAINT]?.S ?? '', new Set(row[HOLDERS]?.SS)]));
}

/** Returns the groups after the changes without refusal, what entered them, and the entries beyond a limit. */
function grouped(
  all: readonly Moves[],
  changes: readonly ItemChange[],
  stored: Holders,
  refusals: ReadonlyMap<number, Problem>,
) {
  const holders = new Map([...stored].map(([name, ids]) => [name, new Set(ids)]));
  const accepted = [...all.entries()].filter(([at]) => !refusals.has(at) || changes[at]?.wasStored);
  for (const [, { id, left }] of accepted) for (const name of left) holders.get(name)?.delete(id);
  const entries: Entry[] = [];
  const beyond: Entry[] = [];
  for (const [at, { id, entered }] of accepted)
    for (const [name, limit] of entered) {
      const ids = holders.get(name) ?? new Set();
      const entry = { at, id, name, limit };
      const isStored = changes[at]?.wasStored === true;
      if (isStored && ids.has(id)) {
        // A repeated backfill names the same items each time.
        if (rankOf(id, ids) >= limit.count) beyond.push(entry);
        continue;
      }
      if (!ids.has(id) && ids.size >= limit.count) beyond.push(entry);
      if (!ids.has(id) && ids.size >= (isStored ? MAXIMUM_HOLDERS : limit.count)) continue;
      entries.push(entry);
      holders.set(name, ids.add(id));
    }
  return { holders, entries, beyond };
}

/** Returns how many of the items are older than this one. */
const rankOf = (id: string, ids: ReadonlySet<string>): number =>
  [...ids].filter((one) => Number(one) < Number(id)).length;

/**
 * Removes from full groups the items that do not agree: a release without the limit changed or removed them. Each
 * transaction requires that the item stays as it is, so an item that agrees again meanwhile stays in its group. Returns
 * true if it removed one.
 */
async function forgetStale(resource: Resource, names: readonly string[], stored: Holders): Promise<boolean> {
  const description = descriptionOf(resource);
  const TableName = config.tableName(resource.name);
  const held = names.flatMap((name) => [...(stored.get(name) ?? [])].map((id) => ({ name, id: Number(id) })));
  if (held.length === 0) return false;
  const ids = [...new Set(held.map(({ id }) => id))];
  const { items } = await readItems({ ...resource, description }, ids, SERVICE);
  let isDone = false;
  for (const { name, id } of held) {
    const item = items.get(id);
    if (item?.unreadable || groupsOf(resource, item).has(name)) continue;
    const isSame = item
      ? compare(VERSION, '=', item.version)
      : attributeNotExists(description.identifier.name);
    const check = { TableName, Key: keyAttribute(description, id), ...conditionExpression(isSame) };
    const left = { TableName, Key: constraintKey(description, name), ...leaving([String(id)]) };
    if (!(await transact([{ ConditionCheck: check }, { Update: left }]))) isDone = true;
  }
  return isDone;
}

const leaving = (ids: readonly string[]) =>
  updateExpression({ without: { [HOLDERS]: { SS: [...ids] } } }, attributeExists(CONSTRAINT));

/** Returns the writes that turn the stored groups into these. */
function partsOf(
  resource: Resource,
  stored: Holders,
  holders: Holders,
  entries: readonly Entry[],
): TransactWriteItem[] {
  const TableName = config.tableName(resource.name);
  const description = descriptionOf(resource);
  return [...new Set([...stored.keys(), ...holders.keys()])].flatMap((name): TransactWriteItem[] => {
    const [before, after] = [stored.get(name) ?? new Set<string>(), holders.get(name) ?? new Set<string>()];
    const entered = entries.filter((one) => one.name === name);
    const gone = [...before].filter((id) => !after.has(id));
    const Key = constraintKey(description, name);
    const [first] = entered;
    if (!first && gone.length === 0) return [];
    const set = { [CONSTRAINT]: text(name) };
    const all = { SS: [...before] };
    const isSame = before.size > 0 ? compare(HOLDERS, '=', all) : attributeNotExists(HOLDERS);
    if (!first && after.size > 0) return [{ Update: { TableName, Key, ...leaving(gone) } }];
    if (!first) return [{ Delete: { TableName, Key, ...conditionExpression(isSame) } }];
    if (gone.length > 0 || entered.some(({ id }) => before.has(id))) {
      const whole = { ...set, [HOLDERS]: { SS: [...after] } };
      return [{ Update: { TableName, Key, ...updateExpression({ set: whole }, isSame) } }];
    }
    const add = { [HOLDERS]: { SS: entered.map(({ id }) => id) } };
    const room = first.limit.count - entered.length;
    const hasRoom = or(attributeNotExists(HOLDERS), hasAtMost(HOLDERS, room));
    // What was stored before is beyond the limit already.
    const condition = room < before.size ? attributeExists(CONSTRAINT) : hasRoom;
    return [{ Update: { TableName, Key, ...updateExpression({ set, add }, condition) } }];
  });
}

/** Returns the refusal of an item beyond a limit, with a pointer to each field that agrees. */
const beyondLimit = ({ of, says }: Limit): Problem =>
  problem(
    'conflict',
    says,
    of.length > 0 ? { errors: of.map((field) => ({ pointer: `/${field}`, detail: says })) } : {},
  );
