import { jsonEqual, sameMember } from '../../json/equal.ts';
import { formatPointer } from '../../json/pointer.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { itemMembers } from '../../representations/item.ts';
import type { Patch } from '../../representations/patches.ts';
import { descriptionOf, schemaValidatorOf } from '../../resource/description/described.ts';
import { type Description, isServerField, SERVER_FIELDS } from '../../resource/description/description.ts';
import { takeChangedBinaries } from '../../resource/description/sent-binaries.ts';
import { valuesOf, withRemovals, withUpdateDefaults } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import { numberOfId } from '../../resource/kinds/numbers.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Authorized, Received } from '../exchange.ts';
import { validateValues } from '../request/validate-values.ts';
import type { NewValues } from './changed-values.ts';

/**
 * Applies the patch to the current representation.
 *
 * Source: RFC 5789 §2, RFC 6902 §5, RFC 7396 §2.
 */
export function patchedValues(
  { request, resource, sight, fieldLimits }: Received & Authorized,
  item: Item,
  patch: Patch,
): NewValues | Ending<400 | 403 | 409 | 413> {
  const description = descriptionOf(resource);
  const before = itemMembers(resource, item, request.basePath, { sight });
  const result = patch.apply(before, idsOf(description));
  if (result.kind === 'refused') return end(result.problem);
  if (!isObject(result.value)) {
    return refuse('validation-error', 'The patch leaves no object. Change properties of the item instead', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    });
  }
  const forbidden = serverFieldChanged(description, patch, before, result.value);
  if (forbidden !== undefined) {
    const operation = patch.operationOn(forbidden);
    return refuse('patch-conflict', `The service alone sets ${forbidden}. Leave it out of the patch`, {
      members: { ...(operation === undefined ? {} : { operation }), pointer: formatPointer([forbidden]) },
    });
  }
  const names = Object.keys(item.binaries ?? {}).filter((name) => !fieldLimits?.unseen.includes(name));
  const divided = names.find((name) => patch.divides(name) !== undefined);
  if (divided !== undefined) {
    return refuse('patch-conflict', `Remove or replace ${divided} as a whole: its bytes cannot move`, {
      members: { operation: patch.divides(divided), pointer: formatPointer([divided]) },
    });
  }
  const values = valuesOf(description, result.value);
  const taken = takeChangedBinaries(description, names, { before, values });
  const sent = [...Object.keys(values), ...taken.binaries.map((one) => one.name)];
  for (const name of fieldLimits?.unseen ?? []) {
    const present = item.values[name];
    if (present !== undefined && values[name] === undefined && !isServerField(description, name))
      values[name] = present;
  }
  const refusal = fieldLimits?.refusedChange(item, { values, binaries: taken.binaries }, sent);
  if (refusal) return end(refusal);
  const kept = fieldLimits?.lackedBy(item);
  const faulty = validateValues(schemaValidatorOf(resource), values, { kept, faults: taken.faults });
  if (faulty) return faulty;
  withUpdateDefaults(description, values, { kept });
  if (taken.binaries.length === 0 && jsonEqual(values, valuesOf(description, item.values)))
    return { kind: 'unchanged' };
  return { kind: 'changed', values: withRemovals(description, values), binaries: taken.binaries };
}

/** The properties of an item whose values are identifiers. */
const idsOf = ({ identifier, fields }: Description): string[] => [
  identifier.name,
  ...Object.keys(fields).filter((name) => {
    const field = fields[name];
    return field?.kind === 'integer' && field.isId;
  }),
];

/**
 * The first server property that the patch targets, or whose value it changes. Of a whole representation, the service
 * ignores times and links: a client may send an older one back. It may also leave server properties out.
 *
 * Source: Specification 2.19, 2.20.
 */
function serverFieldChanged(
  description: Description,
  patch: Patch,
  before: JsonObject,
  after: JsonObject,
): string | undefined {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].find((name) => {
    if (!isServerField(description, name)) return false;
    if (patch.targets(name) !== undefined) return true;
    if (SERVER_FIELDS.has(name)) return false;
    const is = own(after, name);
    // An operation on the whole document may leave the property out.
    if (is === undefined && patch.operationOn(name) !== undefined) return false;
    const same = is !== undefined && name === description.identifier.name ? numberOfId(is) : is;
    return !sameMember(own(before, name), same);
  });
}

const own = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
