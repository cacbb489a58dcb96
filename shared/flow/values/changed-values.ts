import type { ProblemName, StatusOf } from '../../http/problem.ts';
import { jsonEqual } from '../../json/equal.ts';
import { emptyObject, type JsonObject } from '../../json/value.ts';
import type { SentBinary } from '../../resource/actions/sent.ts';
import { MAXIMUM_BINARIES } from '../../resource/binary.ts';
import { descriptionOf, schemaValidatorOf } from '../../resource/description/described.ts';
import { withRemovals, withUpdateDefaults } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import type { Content } from '../content.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Authorized, Ready, Received } from '../exchange.ts';
import { validateValues } from '../request/validate-values.ts';

/** The values to write, and the binary properties that change. */
export interface ChangedValues {
  readonly kind: 'changed';
  readonly values: JsonObject;
  readonly binaries: readonly SentBinary[];
}

/** The values to write. If nothing changes, the item is not written: its version and its entity tag stay. */
export type NewValues = { readonly kind: 'unchanged' } | ChangedValues;

/**
 * Merges the properties in the request into those of the item.
 *
 * Source: Specification 1.7, C.62.
 */
export function changedValues(
  { resource, fieldLimits }: Received & Authorized,
  item: Item,
  { partial, cleared, binaries: sent, faults }: Extract<Content, { kind: 'change' }>,
): NewValues | Ending<400 | 403 | 409 | 413> {
  const values = Object.assign(emptyObject(), item.values, partial);
  for (const name of [...cleared, ...sent.map((one) => one.name)]) delete values[name];
  const description = descriptionOf(resource);
  const binaries = [...sent, ...removedBinaries(item, cleared)].filter(
    (one) => one.sent || Object.hasOwn(item.binaries ?? {}, one.name),
  );
  const named = [...Object.keys(partial), ...cleared, ...sent.map((one) => one.name)];
  const refusal = fieldLimits?.refusedChange(item, { values, binaries }, named);
  if (refusal) return end(refusal);
  const kept = fieldLimits?.lackedBy(item);
  withUpdateDefaults(description, values, { kept });
  const faulty = validateValues(schemaValidatorOf(resource), values, { kept, faults });
  if (faulty) return faulty;
  const present = Object.keys(item.binaries ?? {});
  const names = new Set([...present, ...binaries.flatMap((one) => (one.sent ? one.name : []))]);
  if (names.size > Math.max(MAXIMUM_BINARIES, present.length))
    return refuse('conflict', `An item has at most ${MAXIMUM_BINARIES} binary properties. Remove one first`);
  if (binaries.length === 0 && jsonEqual(values, item.values)) return { kind: 'unchanged' };
  return { kind: 'changed', values: withRemovals(description, values), binaries };
}

/** The binary properties among those that an empty input removes. */
const removedBinaries = ({ binaries = {} }: Item, cleared: readonly string[]): SentBinary[] =>
  cleared.filter((name) => Object.hasOwn(binaries, name)).map((name) => ({ name, sent: undefined }));

/**
 * The values of the item after a PUT by a caller who cannot see or set all fields. Undefined for every other caller,
 * whose content has all values. Look-up has read the item.
 */
export function limitedValues(
  { fieldLimits, state }: Ready,
  { values, binaries }: Extract<Content, { kind: 'item' }>,
): ChangedValues | Ending<StatusOf<ProblemName>> | undefined {
  if (!fieldLimits || state?.kind !== 'item') return undefined;
  const kept = fieldLimits.completed(state.item, { values, binaries });
  return kept.kind === 'refused' ? end(kept.problem) : { kind: 'changed', values: kept.values, binaries };
}
