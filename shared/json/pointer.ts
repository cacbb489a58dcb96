import type { JsonValue } from './value.ts';
import { isObject } from './value.ts';

/**
 * Returns the reference tokens of a JSON Pointer, unescaped; undefined if it is malformed. `''` is the whole document.
 * Source: RFC 6901 §3, §4.
 */
export function parsePointer(text: string): readonly string[] | undefined {
  if (text === '') return [];
  if (text[0] !== '/') return undefined;
  const tokens = text.slice(1).split('/');
  if (!text.includes('~')) return tokens;
  if (/~(?![01])/.test(text)) return undefined;
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Reference tokens as a JSON Pointer, in its string form. Source: RFC 6901 §3, §5. */
export function formatPointer(tokens: readonly string[]): string {
  let pointer = '';
  for (const token of tokens) pointer += `/${escapeToken(token)}`;
  return pointer;
}

/** Returns one reference token, escaped. Source: RFC 6901 §3. */
export function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** Returns the array index of a token: digits without leading zeros; undefined for any other. Source: RFC 6901 §4. */
export function arrayIndex(token: string): number | undefined {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(token) ? Number(token) : undefined;
}

/** The child of a value that a token refers to: own properties and existing elements only. Source: RFC 6901 §4. */
export function child(value: JsonValue, token: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const index = arrayIndex(token);
    return index === undefined ? undefined : value[index];
  }
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** Returns the value at the end of reference tokens. `-` never refers to a value. Source: RFC 6901 §4. */
export function resolve(
  document: JsonValue,
  tokens: readonly string[],
): { found: true; value: JsonValue } | { found: false } {
  let value = document;
  for (const token of tokens) {
    const next = child(value, token);
    if (next === undefined) return { found: false };
    value = next;
  }
  return { found: true, value };
}
