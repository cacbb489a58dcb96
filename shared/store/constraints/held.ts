import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Problem } from '../../http/problem.ts';
import { constraintParts } from '../../resource/constraint-parts.ts';
import { planOf } from '../../resource/description/plan.ts';
import type { Resource } from '../../resource/resource.ts';
import type { ItemChange } from './change.ts';
import { refusedImmutable } from './immutable.ts';

/**
 * The additions of the constraints of a resource to the transaction of some changes. `parts`: they belong into the
 * transaction of the changes without refusal. If the condition of a part fails, another writer was faster. `refusals`:
 * the problems of the refused changes, by the index of the change.
 */
export interface Held {
  readonly parts: readonly TransactWriteItem[];
  readonly refusals: ReadonlyMap<number, Problem>;
}

type Constrained = Pick<Resource, 'description' | 'referredBy'>;

/** What the constraints of a resource ask of each write: made once. */
interface Rules {
  readonly parts: number;
  readonly immutable: readonly string[];
}

const rules = new WeakMap<Constrained, Rules>();

function rulesOf(resource: Constrained): Rules {
  const found = rules.get(resource);
  if (found) return found;
  const { description } = resource;
  const immutable = description ? planOf(description).immutable : [];
  const made = { parts: constraintParts(resource), immutable };
  rules.set(resource, made);
  return made;
}

/** True if a write needs the item before it, or other items. */
export function hasConstraints(resource: Constrained): boolean {
  const { parts, immutable } = rulesOf(resource);
  return parts > 0 || immutable.length > 0;
}

const NOTHING: Held = { parts: [], refusals: new Map() };

/**
 * Decides whether the constraints of the resource allow some changes, which one transaction writes. The versions in
 * `before` must be conditions of the same transaction.
 *
 * Source: docs/decisions/0054-rules-of-several-items.md.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function held(resource: Resource, changes: readonly ItemChange[]): Promise<Held> {
  const { parts: own, immutable } = rulesOf(resource);
  if (changes.length === 0 || (own === 0 && immutable.length === 0)) return NOTHING;
  const fixed = refusedImmutable(immutable, changes);
  if (own === 0) return { parts: [], refusals: fixed };
  const { plan } = await import('#constraints');
  const others = changes.map((change, at) => (fixed.has(at) ? {} : change));
  const { parts, refusals } = await plan(resource, others);
  return { parts, refusals: new Map([...fixed, ...refusals]) };
}
