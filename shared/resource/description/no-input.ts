import type { Fault } from '../../http/problem.ts';
import { formatPointer } from '../../json/pointer.ts';
import { isObject, type JsonValue } from '../../json/value.ts';
import { describe } from './plan.ts';

/** The description of a request without input. A reader finds every name in its content by it. */
export const NO_INPUT = describe({ singular: 'input', fields: {}, open: true });

/**
 * Returns the faults of content that a request without input has: a client that sends names means an effect which they do not
 * have. An empty object, array or text, and null, say nothing.
 *
 * Source: Specification 8.3.
 */
export function faultsOfInput(value: JsonValue): Fault[] {
  const detail = 'is not an input of this request, which has none';
  if (isObject(value))
    return Object.keys(value).map((name) => ({ pointer: formatPointer([name]), detail, rule: 'name' }));
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? [] : [{ pointer: '', detail }];
}
