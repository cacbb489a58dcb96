import { Decimal } from '../../json/decimal.ts';

/** A value that orders items. undefined: the item has no such property. */
export type SortValue = string | number | Decimal | undefined;

const ABSENT = 0x00;
const PRESENT = 0x01;

/** Bytes of a text in a key. With tag, separator and a numeric id, a key has at most DynamoDB's 1,024 bytes. */
const TEXT_BYTES = 1000;
/** Bytes of tag, text, separator and a text id together. */
const KEY_BYTES = 1024;
/** Bytes of a text in a key with the longest text id (255 bytes), and in every lower bound. */
const SHORTEST_TEXT_BYTES = 767;

/** Significant digits in a key, and the largest exponent that keys distinguish. DynamoDB's numbers have no more. */
const DIGITS = 38;
const EXPONENTS = 4000;

const utf8 = new TextEncoder();

/**
 * The key that sorts items by value and then by id. DynamoDB compares keys byte by byte. A key has at most 1,024
 * bytes: a tag (absent values sort first), the value, a separator and the id.
 *
 * Texts sort by code point and numbers by value, whatever their spelling. The order is exact for texts without NUL of
 * up to 1,000 bytes of UTF-8 (767 with an id of 255 bytes). It is exact for numbers of up to 38 digits. A longer
 * value sorts as if it ended there.
 *
 * Ids are integers from 0 to 2^53-1 (8 bytes, big-endian) or texts (UTF-8). Do not mix both kinds of ids in one index,
 * nor texts and numbers.
 *
 * Source: Specification 4.7 and D.4.
 */
export function sortKey(value: SortValue, id: number | string): Uint8Array {
  const idBytes = typeof id === 'number' ? 8 : utf8.encode(id);
  const idLength = typeof idBytes === 'number' ? idBytes : idBytes.length;
  const most = Math.min(TEXT_BYTES, Math.max(SHORTEST_TEXT_BYTES, KEY_BYTES - 2 - idLength));
  const head = valueBytes(value, most);
  const key = new Uint8Array(head.length + idLength);
  key.set(head);
  if (typeof idBytes !== 'number') key.set(idBytes, head.length);
  else {
    const view = new DataView(key.buffer, head.length);
    view.setUint32(0, Math.floor((id as number) / 2 ** 32));
    view.setUint32(4, (id as number) >>> 0);
  }
  return key;
}

/**
 * The key at which a query for `minCost` begins. Items whose value is at least `value` sort after it, and all others
 * sort before it. Items without a value sort before every bound. If texts share their first 767 bytes, some smaller
 * ones may sort after it.
 *
 * Source: Specification 4.15.
 */
export function lowerBound(value: SortValue): Uint8Array {
  return valueBytes(value, SHORTEST_TEXT_BYTES);
}

/** Tag, value and separator. */
function valueBytes(value: SortValue, most: number): Uint8Array {
  if (value === undefined) return Uint8Array.of(ABSENT);
  if (typeof value !== 'string') return numberBytes(Decimal.from(value));
  const text = utf8.encode(value);
  const length = Math.min(text.length, most);
  // The last byte stays 0, and no text contains this byte. A text therefore sorts before its own continuations.
  const bytes = new Uint8Array(length + 2);
  bytes[0] = PRESENT;
  bytes.set(length === text.length ? text : text.subarray(0, length), 1);
  return bytes;
}

/**
 * Tag; sign and exponent in two bytes around 0x8000, which is zero; two digits a byte (1 to 100); 0. For a negative
 * number, all bytes after the tag are complemented, so that greater magnitudes sort first.
 */
function numberBytes(decimal: Decimal): Uint8Array {
  const { sign, significand, exponent } = decimal;
  // Numbers beyond the largest exponent sort as equal, so their digits must not decide.
  const digits = Math.abs(exponent) > EXPONENTS ? '' : significand.slice(0, DIGITS);
  const pairs = (digits.length + 1) >> 1;
  const bytes = new Uint8Array(pairs + 4);
  bytes[0] = PRESENT;
  const magnitude =
    sign === 0 ? 0 : Math.max(-EXPONENTS - 1, Math.min(EXPONENTS + 1, exponent)) + 2 * EXPONENTS;
  const head = 0x8000 + sign * magnitude;
  bytes[1] = head >> 8;
  bytes[2] = head & 0xff;
  const flip = sign < 0 ? 0xff : 0;
  for (let i = 0; i < pairs; i++) {
    const tens = digits.charCodeAt(2 * i) - 0x30;
    const ones = 2 * i + 1 < digits.length ? digits.charCodeAt(2 * i + 1) - 0x30 : 0;
    bytes[3 + i] = flip ^ (tens * 10 + ones + 1);
  }
  bytes[3 + pairs] = flip;
  return bytes;
}
