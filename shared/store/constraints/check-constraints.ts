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

type Constrained = Pick<Resource, 'description' | 'referredBy'>;

/** The rules of a resource that its facts state: made once. */
interface Rules {
  /** True if a change can add parts to its transaction. */
  readonly addParts: boolean;
  /** True if the removal of an item needs the item, or other items. */
  readonly concernRemoval: boolean;
  readonly immutable: readonly string[];
}

const rules = new WeakMap<Constrained, Rules>();

function rulesOf(resource: Constrained): Rules {
  const found = rules.get(resource);
  if (found) return found;
  const { description, referredBy } = resource;
  const made = {
    addParts: constraintParts(resource) > 0,
    concernRemoval: referredBy.length > 0 || Object.values(description?.fields ?? {}).some(isUnique),
    immutable: description ? description.plan.immutable : [],
  };
  rules.set(resource, made);
  return made;
}

/** True if a change of an item needs the item before it, or other items. */
export function hasConstraints(resource: Constrained): boolean {
  const { addParts, immutable } = rulesOf(resource);
  return addParts || immutable.length > 0;
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
  const { addParts, immutable } = rulesOf(resource);
  if (changes.length === 0 || (!addParts && immutable.length === 0)) return NOTHING;
  const fixed = refusedImmutable(immutable, changes);
  if (!addParts || !concerns(resource, changes, known)) return { parts: [], refusals: fixed };
  const { applyConstraints } = await import('./apply-constraints.ts');
  const others = changes.map((change, at) => (fixed.has(at) ? {} : change));
  const { parts, refusals } = await applyConstraints(resource, others, known);
  return { parts, refusals: new Map([...fixed, ...refusals]) };
}

/** True if a rule of several items concerns the changes. */
const concerns = (resource: Resource, changes: readonly ItemChange[], known: readonly KnownItem[]): boolean =>
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

/** The problems of the changes that change or remove the value of such a field, by the index of the change. */
export function refusedImmutable(
  fields: readonly string[],
  changes: readonly ItemChange[],
): Map<number, Problem> {
  return new Map(
    changes.flatMap(({ last, before = last, after }, at): [number, Problem][] => {
      if (!before || !after) return [];
      const changed = fields.filter((name) => !sameMember(before.values[name], after.values[name]));
      return changed.length > 0 ? [[at, fixed(changed)]] : [];
    }),
  );
}

const fixed = (names: readonly string[]): Problem =>
  problem('conflict', `${names.join(', ')} cannot change after creation. Send the present value`, {
    errors: names.map((name) => ({ pointer: `/${name}`, detail: 'cannot change after creation' })),
  });
