import type { Problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { FieldLimits } from '../../resource/access/field-access.ts';
import type { Item, StoredBinary } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { validateChanges } from '../custom/validate-changes.ts';
import { goneReferences } from '../history/returning.ts';

/** What a restoration sets, the state that it would change, or the rule that refuses it. */
export type Restoration =
  | {
      readonly kind: 'allowed';
      readonly values: JsonObject;
      readonly binaries: Readonly<Record<string, StoredBinary>>;
    }
  | { readonly kind: 'otherState'; readonly field: string }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Decides what the restoration of a version sets, for a living item and for a removed one alike. `last`: the item as it
 * is, or as it was before its removal. A property that the caller or every caller cannot set has its value of `last`, and
 * so has the state of a process. A removed item keeps no reference that the service would have cleared. Rules of several
 * items are left to the write.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 16.6.
 */
export async function restorationOf(
  resource: Resource,
  wanted: Item,
  last: Item,
  { fieldLimits, isRemoved }: { readonly fieldLimits: FieldLimits | undefined; readonly isRemoved: boolean },
): Promise<Restoration> {
  const { process, complete } = resource;
  if (process && last.values[process.field] !== wanted.values[process.field])
    return { kind: 'otherState', field: process.field };
  const { fields } = descriptionOf(resource);
  const server = Object.keys(fields).filter((name) => fields[name]?.server && !fields[name]?.computed);
  const kept = [...(fieldLimits?.kept ?? []), ...server];
  const values = withKept(wanted.values, last.values, kept);
  for (const name of isRemoved ? await goneReferences(resource, last) : [])
    if (values[name] === last.values[name]) delete values[name];
  const problem = validateChanges(resource, values, last.values);
  if (problem) return { kind: 'refused', problem };
  const completed = await complete?.(values);
  if (completed?.kind === 'refused') return completed;
  const binaries = withKept(wanted.binaries ?? {}, last.binaries ?? {}, kept);
  return { kind: 'allowed', values: completed?.values ?? values, binaries };
}

/** The members of a version, with the present or last ones under the names that the caller cannot set. */
function withKept<Member>(
  wanted: Readonly<Record<string, Member>>,
  last: Readonly<Record<string, Member>>,
  kept: readonly string[],
): Record<string, Member> {
  const members: Record<string, Member> = Object.assign(Object.create(null), wanted);
  for (const name of kept) {
    const value = last[name];
    if (value === undefined) delete members[name];
    else members[name] = value;
  }
  return members;
}
