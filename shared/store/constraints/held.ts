import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Problem } from '../../http/problem.ts';
import { constraintParts } from '../../resource/constraint-parts.ts';
import type { Resource } from '../../resource/resource.ts';
import type { ItemChange } from './change.ts';
import { hasImmutable, refusedImmutable } from './immutable.ts';

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

/** True if a write needs the item before it, or other items. */
export const hasConstraints = (resource: Constrained): boolean =>
  constraintParts(resource) > 0 || hasImmutable(resource);

/**
 * Decides whether the constraints of the resource allow some changes, which one transaction writes. The versions in
 * `before` must be conditions of the same transaction.
 *
 * Source: docs/decisions/0054-rules-of-several-items.md.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function held(resource: Resource, changes: readonly ItemChange[]): Promise<Held> {
  const fixed = refusedImmutable(resource, changes);
  if (changes.length === 0 || constraintParts(resource) === 0) return { parts: [], refusals: fixed };
  const { plan } = await import('#constraints');
  const others = changes.map((change, at) => (fixed.has(at) ? {} : change));
  const { parts, refusals } = await plan(resource, others);
  return { parts, refusals: new Map([...fixed, ...refusals]) };
}
