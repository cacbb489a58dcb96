import { MAXIMUM_ELEMENTS } from '../../http/maximum-sizes.ts';
import { type Fault, type Problem, problem } from '../../http/problem.ts';
import { isObject, type JsonValue } from '../../json/value.ts';
import { isOwnBinary } from '../../resource/binary.ts';
import { faultsOfNames } from '../../resource/description/misspelt-names.ts';
import { takeBinaries } from '../../resource/description/sent-binaries.ts';
import {
  isTooLarge,
  removeNulls,
  tooLargeEntity,
  valuesOf,
  withDefaults,
  withUpdateDefaults,
} from '../../resource/description/values.ts';
import { numberOfId } from '../../resource/kinds/numbers.ts';
import { faultsOfState, sentState } from '../../resource/process.ts';
import { descriptionOf, schemaValidatorOf } from '../../resource/resource.ts';
import { problemOfElement, type SentItem } from '../../resource/sent.ts';
import type { Content } from '../content.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Authorized, Preferred, Received, Targeted } from '../exchange.ts';
import { fillFromPath, takeRelated, validateValues } from './body.ts';

/** Maximum number of faults that one response reports. */
const REPORTED = 100;

const TOO_LARGE: Problem = { ...tooLargeEntity(), errors: [{ pointer: '', detail: 'is too large' }] };

/** The list in a request. `pointer` is the JSON Pointer to its elements. */
export interface SentList {
  readonly elements: readonly JsonValue[];
  readonly pointer: string;
  /** What is wrong with the name of the list. */
  readonly faults?: readonly Fault[];
}

/**
 * Reads the items of a list. If any item is faulty, the service reports all faults at once and changes nothing.
 * With `handling=lenient` it processes the valid items and reports a problem for each faulty item.
 */
export function acceptItems(
  exchange: Received & Targeted & Authorized & Preferred,
  { elements, pointer }: SentList,
): Content | Ending<400 | 403 | 413> {
  const { endpoint, preferences } = exchange;
  if (elements.length === 0 && endpoint.creates) {
    return refuse('validation-error', 'The list is empty: send at least one element', {
      errors: [{ pointer, detail: 'must have an element', rule: 'items' }],
    });
  }
  if (elements.length > MAXIMUM_ELEMENTS) {
    const detail = `A list has at most ${MAXIMUM_ELEMENTS} elements, and this one has ${elements.length}. Send several requests`;
    return refuse('payload-too-large', detail, {
      errors: [{ pointer, detail: `must have at most ${MAXIMUM_ELEMENTS} elements` }],
    });
  }
  const known = new Set<number>();
  const sent = elements.map((one, at) => takeElement(exchange, one, `${pointer}/${at}`, known));
  const lenient = preferences.get('handling') === 'lenient';
  const faults = lenient ? [] : sent.flatMap((one) => problemOfElement(one).errors ?? []);
  const tooLarge = lenient
    ? undefined
    : sent.find(({ problem: found }) => found?.name === 'payload-too-large');
  if (tooLarge?.problem) {
    const { detail, members } = tooLarge.problem;
    return refuse('payload-too-large', detail, { members, errors: problemOfElement(tooLarge).errors ?? [] });
  }
  const forbidden = lenient ? undefined : exchange.fieldLimits?.refusedElements(sent);
  if (forbidden) return end(forbidden);
  if (faults.length > 0) {
    const more =
      faults.length > REPORTED ? `; the first ${REPORTED} of ${faults.length} faults are listed` : '';
    const done = endpoint.creates ? 'created' : 'changed';
    return refuse('validation-error', `Nothing was ${done}. Correct the named elements${more}`, {
      errors: faults.slice(0, REPORTED),
    });
  }
  return { kind: 'items', elements: sent };
}

const wrong = (errors: readonly Fault[]): Problem =>
  problem('validation-error', 'The item is not valid. Correct the named properties', { errors });

function takeElement(
  exchange: Received & Targeted & Authorized,
  element: JsonValue,
  pointer: string,
  known: Set<number>,
): SentItem {
  const { resource, endpoint, fieldLimits } = exchange;
  const description = descriptionOf(resource);
  const { name } = description.identifier;
  const misspelt = isObject(element) ? faultsOfNames(resource.name, description, element) : [];
  const refused = (detail: string, at = ''): SentItem => ({
    pointer,
    values: {},
    problem: wrong([{ pointer: at, detail }, ...misspelt]),
  });
  if (!isObject(element)) return refused('must be an object');
  // `id` is a synonym of another name of the identifier, if that is absent. Source: Specification 9.1.
  const key = Object.hasOwn(element, name) || !Object.hasOwn(element, 'id') ? name : 'id';
  const id = endpoint.creates
    ? undefined
    : Object.hasOwn(element, key)
      ? numberOfId(element[key] ?? null)
      : null;
  const values = valuesOf(description, element);
  if (id !== undefined) {
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0)
      return refused('must be the number of the item', `/${key}`);
    if (known.has(id)) return { ...refused('repeats the identifier of another element', `/${key}`), id };
    known.add(id);
    if (key !== name) delete values[key];
  }
  const { binaries, faults: faultyBinaries } = takeBinaries(description, values, (value, one) =>
    isOwnBinary(value, one, { collection: resource.name, id }),
  );
  const state = sentState(resource.process, element);
  const faults = [
    ...faultyBinaries,
    ...misspelt,
    ...takeRelated(resource.relations, element, values),
    ...(endpoint.creates ? faultsOfState(resource.process, state) : []),
  ];
  const removed = removeNulls(description, values);
  const refusal = endpoint.creates && fieldLimits?.refusedCreation({ values, binaries });
  if (refusal) return { pointer, id, values: {}, problem: refusal };
  const kept = endpoint.creates ? [] : fieldLimits?.kept;
  const isEmpty = Object.keys(values).length === 0;
  fillFromPath(exchange, values);
  const { problem: wrongValues } =
    validateValues(schemaValidatorOf(resource), values, { kept, faults }) ?? {};
  // An element of a PUT has an identifier, so it may have no other property. Source: Specification 2.14, 2.15.
  if (endpoint.creates && !wrongValues && isEmpty && !binaries.some(({ sent }) => sent))
    return { ...refused(`must have a property other than ${name}, times and links`), id };
  const names = [...Object.keys(values), ...removed];
  if (endpoint.creates) withDefaults(description, values);
  else withUpdateDefaults(description, values, { removed, kept });
  const stated = wrongValues ? wrong(wrongValues.errors ?? []) : isTooLarge(values) ? TOO_LARGE : undefined;
  const synonym = key === name ? undefined : key;
  return { pointer, id, synonym, values, names, binaries, state, ...(stated ? { problem: stated } : {}) };
}
