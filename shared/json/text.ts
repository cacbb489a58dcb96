import { escapeToken } from './pointer.ts';
import type { JsonValue } from './value.ts';
import { isObject } from './value.ts';

/** In Unicode mode, a surrogate in the class matches a lone one only. */
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u;

/**
 * Whether XML can carry a text: each character is a Char. This excludes control characters other than tab, LF and
 * CR, lone surrogates, U+FFFE and U+FFFF. Source: XML 1.0 (5th edition) §2.2.
 */
export function isXmlText(text: string): boolean {
  return !unwritable.test(text);
}

/**
 * The JSON Pointer of the first string, or of the property with the first name, that XML cannot carry; undefined if
 * it can carry all of them. Source: XML 1.0 (5th edition) §2.2, RFC 6901; Specification 2.44.
 */
export function findUnwritable(value: JsonValue): string | undefined {
  if (typeof value === 'string') return isXmlText(value) ? undefined : '';
  if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) {
      const found = findUnwritable(element);
      if (found !== undefined) return `/${i}${found}`;
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const found = isXmlText(name) ? findUnwritable(value[name] as JsonValue) : '';
      if (found !== undefined) return `/${escapeToken(name)}${found}`;
    }
  }
  return undefined;
}
