import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { type Problem, problem } from '../../http/problem.ts';
import { sameMember } from '../../json/value.ts';
import { isUnique } from '../../resource/description/attribute.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { constraintParts } from '../form/constraint-rows.ts';
import {
  type ConstraintResult,
  type ItemChange,
  isKnown,
  type KnownItem,
  newReferences,
} from '../write/item-change.ts';

type Constrained = Pick<Resource, 'description' | 'referredBy' | 'process' | 'atMost' | 'checkRemoval'>;

/** The rules of a resource that its facts state: made once. */
interface Rules {
  /** True if a change can add parts to its transaction. */
  readonly addParts: boolean;
  /** True if the removal of an item needs the item, or other items. */
  readonly concernRemoval: boolean;
  /** True if fields keep their values: always, or in a state. */
  readonly fixValues: boolean;
}

const rules = new WeakMap<Constrained, Rules>();

function rulesOf(resource: Constrained): Rules {
  const found = rules.get(resource);
  if (found) return found;
  const { description, referredBy, atMost, checkRemoval } = resource;
  const made = {
    addParts: constraintParts(resource) > 0,
    concernRemoval:
      referredBy.length > 0 ||
      atMost !== undefined ||
      checkRemoval !== undefined ||
      Object.values(description?.fields ?? {}).some(isUnique),
    fixValues:
      description !== undefined && description.plan.immutable.length + description.plan.locked.length > 0,
  };
  rules.set(resource, made);
  return made;
}

/** True if a change of an item needs the item before it, or other items. */
export function hasConstraints(resource: Constrained): boolean {
  const { addParts, fixValues } = rulesOf(resource);
  return addParts || fixValues;
}

const NOTHING: ConstraintResult = { parts: [], refusals: new Map() };

/** True if the removal of an item needs the item, or other items. */
export const constrainsRemoval = (resource: Constrained): boolean => rulesOf(resource).concernRemoval;

/** True if an item has a value that must be unique. */
const hasUniqueValue = ({ description }: Constrained, item: Item | undefined): boolean =>
  Object.entries(description?.fields ?? {}).some(
    ([name, field]) => isUnique(field) && item?.values[name] !== undefined,
  );

/**
 * Decides whether the constraints of the resource allow some changes, which one transaction writes. The versions in
 * `before` must be conditions of the same transaction. `known`: items that exist, so no reference to them needs a read.
 *
 * Source: docs/decisions/0054-rules-of-several-items.md.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function checkConstraints(
  resource: Resource,
  changes: readonly ItemChange[],
  known: readonly KnownItem[] = [],
): Promise<ConstraintResult> {
  const { addParts, fixValues } = rulesOf(resource);
  const { checkRemoval } = resource;
  if (changes.length === 0 || (!addParts && !fixValues && !checkRemoval)) return NOTHING;
  const fixed = refusedChanges(resource, changes);
  if (checkRemoval)
    await mapConcurrently(CONCURRENCY.items, [...changes.entries()], async ([at, { before, after }]) => {
      const problem = before && !after && (await checkRemoval(before.values));
      if (problem) fixed.set(at, problem);
    });
  if (!addParts || !concerns(resource, changes, known)) return { parts: [], refusals: fixed };
  const { applyConstraints } = await import('./apply-constraints.ts');
  const others = changes.map((change, at) => (fixed.has(at) ? {} : change));
  const { parts, refusals } = await applyConstraints(resource, others, known);
  return { parts, refusals: new Map([...fixed, ...refusals]) };
}

/** True if a rule of several items concerns the changes. */
const concerns = (resource: Resource, changes: readonly ItemChange[], known: readonly KnownItem[]): boolean =>
  resource.atMost !== undefined ||
  (constrainsRemoval(resource) &&
    changes.some(
      ({ before, after }) =>
        (before && !after && resource.referredBy.length > 0) ||
        hasUniqueValue(resource, before) ||
        hasUniqueValue(resource, after),
    )) ||
  newReferences(resource, changes).some(
    (one) => changes[one.at]?.before || one.to.onDelete === 'restrict' || !isKnown(one, known),
  );

/** Returns the problems of the changes of fields that keep their values, by the index of the change. */
export function refusedChanges(
  { description, process }: Pick<Constrained, 'description' | 'process'>,
  changes: readonly ItemChange[],
): Map<number, Problem> {
  if (!description) return new Map();
  const { immutable, locked } = description.plan;
  return new Map(
    changes.flatMap(({ last, before = last, after, wasStored, isUndo }, at): [number, Problem][] => {
      if (!before || !after) return [];
      const isChanged = (name: string) => !sameMember(before.values[name], after.values[name]);
      const changed = immutable.filter(isChanged);
      if (changed.length > 0) return [[at, fixed(changed, 'after creation')]];
      const state = process && before.values[process.field];
      const inState = locked.flatMap(([name, states]) =>
        !wasStored && !isUndo && states.some((one) => one === state) && isChanged(name) ? [name] : [],
      );
      return inState.length > 0
        ? [[at, fixed(inState, `in the state ${state}`, { currentStatus: state })]]
        : [];
    }),
  );
}

const fixed = (names: readonly string[], when: string, members: Problem['members'] = {}): Problem =>
  problem('conflict', `${names.join(', ')} cannot change ${when}. Send the present value`, {
    errors: names.map((name) => ({ pointer: `/${name}`, detail: `cannot change ${when}` })),
    members,
  });
