import type { Resource } from '../../resource/resource.ts';
import type { ConstraintResult, ItemChange, KnownItem } from '../write/item-change.ts';
import { missingReferences, referenceParts } from './references.ts';
import { checkReferrers } from './referrers.ts';
import { checkUnique } from './unique.ts';

/** Applies all rules of several items: see `ConstraintResult`. @throws Unavailable if DynamoDB does not respond */
export async function applyConstraints(
  resource: Resource,
  changes: readonly ItemChange[],
  known: readonly KnownItem[],
): Promise<ConstraintResult> {
  const missing = await missingReferences(resource, changes, known);
  const referrers = await checkReferrers(resource, changes);
  const refusals = new Map([...missing, ...referrers.refusals]);
  const left = (): ItemChange[] => changes.map((change, at) => (refusals.has(at) ? {} : change));
  const unique = await checkUnique(resource, left());
  for (const [at, problem] of unique.refusals) refusals.set(at, problem);
  return { parts: [...unique.parts, ...referenceParts(resource, left()), ...referrers.parts], refusals };
}
