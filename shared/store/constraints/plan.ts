import type { Resource } from '../../resource/resource.ts';
import type { Held, ItemChange, KnownItem } from '../write/item-change.ts';
import { missingReferences, referenceParts } from './references.ts';
import { heldReferrers } from './referrers.ts';
import { heldUnique } from './unique.ts';

/** Applies all rules of several items: see `Held`. @throws Unavailable if DynamoDB does not respond */
export async function plan(
  resource: Resource,
  changes: readonly ItemChange[],
  known: readonly KnownItem[],
): Promise<Held> {
  const missing = await missingReferences(resource, changes, known);
  const referrers = await heldReferrers(resource, changes);
  const refusals = new Map([...missing, ...referrers.refusals]);
  const left = (): ItemChange[] => changes.map((change, at) => (refusals.has(at) ? {} : change));
  const unique = await heldUnique(resource, left());
  for (const [at, problem] of unique.refusals) refusals.set(at, problem);
  return { parts: [...unique.parts, ...referenceParts(resource, left()), ...referrers.parts], refusals };
}
