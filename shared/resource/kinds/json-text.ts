import { parseJson } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';

/** The object or the array that a text has, as in a cell of CSV; undefined if it has none. */
export function jsonIn(text: string): JsonValue | undefined {
  const parsed = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  return parsed && 'value' in parsed ? parsed.value : undefined;
}
