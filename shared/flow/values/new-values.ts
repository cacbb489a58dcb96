import type { Fault, ProblemName, StatusOf } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  sameMember,
  setMember,
} from '../../json/value.ts';
import { itemMembers } from '../../representations/item.ts';
import type { Patch } from '../../representations/patches.ts';
import { MAXIMUM_BINARIES } from '../../resource/binary.ts';
import { type Description, SERVER_FIELDS } from '../../resource/description/description.ts';
import { faultsOfNames, faultsOfNewNames } from '../../resource/description/misspelt-names.ts';
import { takeChangedBinaries } from '../../resource/description/sent-binaries.ts';
import { valuesOf, withRemovals, withUpdateDefaults } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import { numberOfId } from '../../resource/kinds/numbers.ts';
import { problemOfState } from '../../resource/process.ts';
import { descriptionOf, schemaValidatorOf } from '../../resource/resource.ts';
import type { SentBinary } from '../../resource/sent.ts';
import type { Content } from '../content.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Authorized, Ready, Received } from '../exchange.ts';
import { refuseTooLarge, takeRelated, validateValues } from '../request/body.ts';

/** The values to write, and the binary properties that change. */
export interface ChangedValues {
  readonly kind: 'changed';
  readonly values: JsonObject;
  /** The names that the request sets. */
  readonly sent: readonly string[];
  readonly binaries: readonly SentBinary[];
  /** The version that the values belong to, if they hold for no other. */
  readonly expected?: { readonly kind: 'version'; readonly version: number };
}

/** The values to write. If nothing changes, the item is not written: its version and its entity tag stay. */
export type NewValues = { readonly kind: 'unchanged' } | ChangedValues;

/**
 * What a client means an item to be. `values`: all that the client can set. `named`: the properties it named. `set`: those
 * that the request sets, if these are fewer.
 */
interface Intended {
  readonly values: JsonObject;
  readonly binaries: readonly SentBinary[];
  readonly named: readonly string[];
  readonly set?: readonly string[];
  readonly faults: readonly Fault[];
}

/** Adds defaults, which an item can lack that is older than its fields. Then it judges the item as a whole. */
export function mergeInto(
  item: Item,
  { values, binaries: sent, named, set = named, faults }: Intended,
  { resource, fieldLimits }: Received & Authorized,
): NewValues | Ending<400 | 403 | 409 | 413> {
  const description = descriptionOf(resource);
  const validate = schemaValidatorOf(resource);
  const present = Object.keys(item.binaries ?? {});
  const binaries = sent.filter((one) => one.sent || present.includes(one.name));
  const refusal = fieldLimits?.refusedChange(item, { values, binaries }, named);
  if (refusal) return end(refusal);
  const kept = fieldLimits?.lackedBy(item);
  withUpdateDefaults(description, values, { kept });
  const stored = valuesOf(description, item.values);
  const whole = withRemovals(description, values);
  const faulty =
    validateValues(validate, values, { kept, stored, faults: faultsOfNewNames(faults, stored, present) }) ??
    refuseTooLarge(values);
  if (faulty) return faulty;
  const names = new Set([...present, ...binaries.flatMap((one) => (one.sent ? one.name : []))]);
  if (names.size > Math.max(MAXIMUM_BINARIES, present.length))
    return refuse('conflict', `An item has at most ${MAXIMUM_BINARIES} binary properties. Remove one first`);
  if (binaries.length === 0 && jsonEqual(values, stored)) return { kind: 'unchanged' };
  return { kind: 'changed', values: whole, sent: set, binaries };
}

/**
 * Merges the properties in the request into those of the item.
 *
 * Source: Specification 1.7, C.62.
 */
export function changedValues(
  exchange: Received & Authorized,
  item: Item,
  { partial, cleared, binaries: sent, state, faults, isForm }: Extract<Content, { kind: 'change' }>,
): NewValues | Ending<400 | 403 | 409 | 413> {
  const other = problemOfState(exchange.resource.process, state, item);
  if (other) return end(other);
  const isSame = (name: string) => isForm && isUntouched(item.values[name], partial[name] ?? '');
  const set = Object.entries(partial).filter(([name]) => !isSame(name));
  const values = valuesOf(descriptionOf(exchange.resource), item.values);
  for (const [name, value] of set) setMember(values, name, value);
  const replaced = [...cleared.filter((name) => !isSame(name)), ...sent.map((one) => one.name)];
  for (const name of replaced) delete values[name];
  const removed = cleared.map((name) => ({ name, sent: undefined }));
  const named = [...set.map(([name]) => name), ...replaced];
  return mergeInto(item, { values, binaries: [...sent, ...removed], named, faults }, exchange);
}

/** True if a form that shows a stored text sends this text for it unchanged. Source: HTML Living Standard §4.10.22.4. */
const isUntouched = (stored: JsonValue | undefined, sent: JsonValue): boolean =>
  typeof stored === 'string' && stored.replaceAll(/\r\n?/g, '\n') === sent;

/**
 * The values of the item after a PUT by a caller who cannot see or set all fields, or with the state of the process.
 * Undefined for every other PUT, whose content has all values. Look-up has read the item, if the service can read it.
 */
export function limitedValues(
  { resource, fieldLimits, state: target }: Ready,
  { values, sent, binaries, state }: Extract<Content, { kind: 'item' }>,
): ChangedValues | Ending<StatusOf<ProblemName>> | undefined {
  if (target?.kind !== 'item') return undefined;
  const { item } = target;
  const other = problemOfState(resource.process, state, item);
  if (other) return end(other);
  const kept = fieldLimits?.completed(item, { values, binaries });
  if (kept?.kind === 'refused') return end(kept.problem);
  const changed = { kind: 'changed', values: kept?.values ?? values, sent, binaries } as const;
  // The item has this state in this version.
  if (state !== undefined) return { ...changed, expected: { kind: 'version', version: item.version } };
  return kept && changed;
}

/**
 * Applies the patch to the current representation.
 *
 * Source: RFC 5789 §2, RFC 6902 §5, RFC 7396 §2.
 */
export function patchedValues(
  exchange: Received & Authorized,
  item: Item,
  patch: Patch,
): NewValues | Ending<400 | 403 | 409 | 413> {
  const { request, resource, sight, fieldLimits } = exchange;
  const description = descriptionOf(resource);
  const before = itemMembers(resource, item, request.basePath, { sight, now: request.receivedAt });
  const result = patch.apply(before, idsOf(description));
  if (result.kind === 'refused') return end(result.problem);
  if (!isObject(result.value)) {
    return refuse('validation-error', 'The patch leaves no object. Change properties of the item instead', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    });
  }
  const forbidden = serverFieldChanged(description, patch, before, result.value);
  if (forbidden !== undefined) {
    const operation = patch.operationOn?.(forbidden);
    return refuse('patch-conflict', `The service alone sets ${forbidden}. Leave it out of the patch`, {
      members: { ...(operation === undefined ? {} : { operation }), pointer: formatPointer([forbidden]) },
    });
  }
  const names = Object.keys(item.binaries ?? {}).filter((name) => Object.hasOwn(before, name));
  const divided = names.find((name) => patch.divides?.(name) !== undefined);
  if (divided !== undefined) {
    return refuse('patch-conflict', `Remove or replace ${divided} as a whole: its bytes cannot move`, {
      members: { operation: patch.divides?.(divided), pointer: formatPointer([divided]) },
    });
  }
  const values = valuesOf(description, result.value);
  const taken = takeChangedBinaries(description, names, { before, values });
  const named = [...Object.keys(values), ...taken.binaries.map((one) => one.name)];
  for (const name of fieldLimits?.unseen ?? []) {
    const present = item.values[name];
    if (present !== undefined && values[name] === undefined && !description.plan.server.has(name))
      values[name] = present;
  }
  const faults = [
    ...taken.faults,
    ...faultsOfNames(resource.name, description, result.value),
    ...takeRelated(resource.relations, result.value, values, before),
  ];
  return mergeInto(item, { values, binaries: taken.binaries, faults, named, set: patch.names }, exchange);
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
  const { server } = description.plan;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].find((name) => {
    if (!server.has(name)) return false;
    if (patch.targets?.(name) !== undefined) return true;
    if (SERVER_FIELDS.has(name)) return false;
    const is = own(after, name);
    // An operation on the whole document may leave the property out.
    if (is === undefined && patch.operationOn?.(name) !== undefined) return false;
    const same = is !== undefined && name === description.identifier.name ? numberOfId(is) : is;
    return !sameMember(own(before, name), same);
  });
}

const own = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
