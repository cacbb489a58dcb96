import type { Resource } from '../../resource/resource.ts';
import type { ConstraintResult, ItemChange, KnownItem } from '../write/item-change.ts';
import { checkLimits } from './check-limits.ts';
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
  // An item that was stored before stays, also against a rule.
  const left = (): ItemChange[] =>
    changes.map((change, at) => (refusals.has(at) && !change.wasStored ? {} : change));
  const unique = await checkUnique(resource, left());
  for (const [at, problem] of unique.refusals) refusals.set(at, problem);
  const limits = await checkLimits(resource, left());
  for (const [at, problem] of limits.refusals) refusals.set(at, problem);
  // A value that a refused change would have taken is free for another attempt of the others.
  const { parts } =
    limits.refusals.size > 0 && unique.parts.length > 0 ? await checkUnique(resource, left()) : unique;
  return {
    parts: [...parts, ...limits.parts, ...referenceParts(resource, left()), ...referrers.parts],
    refusals,
  };
}
