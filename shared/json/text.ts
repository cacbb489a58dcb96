import { escapeToken } from './pointer.ts';
import type { JsonValue } from './value.ts';
import { isObject } from './value.ts';

/**
 * The characters that a name without colon can begin with, and those that can follow, as classes of a regular
 * expression in Unicode mode. The characters themselves are in it, because engines disagree about escapes.
 *
 * Source: XML 1.0 (5th edition) §2.3, productions 4 and 4a.
 */
const BASIC =
  'A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd';
const START = `${BASIC}\u{10000}-\u{effff}`;
const LATER = '.0-9\u00b7\u0300-\u036f\u203f\u2040-';
export const NAME_START = `[${START}]`;
export const NAME_PART = `[${START}${LATER}]`;

/** The same classes without characters above U+FFFF: a regular expression outside of Unicode mode can have them. */
export const BASIC_NAME_START = `[${BASIC}]`;
export const BASIC_NAME_PART = `[${BASIC}${LATER}]`;

const NAME = new RegExp(`^${NAME_START}${NAME_PART}*$`, 'u');

/** True if a text is an XML name without colon, of any length. Source: Namespaces in XML 1.0 §3, NCName. */
export const isXmlName = (text: string): boolean => NAME.test(text);

/** In Unicode mode, a surrogate in the class matches a lone one only. */
const unwritable = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u;

/**
 * True if XML can carry a text: each character is a Char. This excludes control characters other than tab, LF and
 * CR, lone surrogates, U+FFFE and U+FFFF. Source: XML 1.0 (5th edition) §2.2.
 */
export function isXmlText(text: string): boolean {
  return !unwritable.test(text);
}

/**
 * Returns the JSON Pointer of the first string, or of the property with the first name, that XML cannot carry;
 * undefined if it can carry all of them. Source: XML 1.0 (5th edition) §2.2, RFC 6901; Specification 2.44.
 */
export function findUnwritable(value: JsonValue): string | undefined {
  if (typeof value === 'string') return isXmlText(value) ? undefined : '';
  if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) {
      const found = findUnwritable(element);
      if (found !== undefined) return `/${i}${found}`;
    }
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const found = isXmlText(name) ? findUnwritable(inner) : '';
      if (found !== undefined) return `/${escapeToken(name)}${found}`;
    }
  }
  return undefined;
}
