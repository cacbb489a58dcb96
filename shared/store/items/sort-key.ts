import { Decimal } from '../../json/decimal.ts';

/** What items are sorted by; undefined: the item has no such property. */
export type SortValue = string | number | Decimal | undefined;

const ABSENT = 0x00;
const PRESENT = 0x01;

/** Bytes of a text that count: with tag, separator and a numeric id the key stays within DynamoDB's 1,024 bytes. */
const TEXT_BYTES = 1000;
/** Bytes of tag, separator, text and a text id together. */
const KEY_BYTES = 1024;
/** What of a text counts beside the longest text id (255 bytes), and so in every lower bound. */
const SHORTEST_TEXT_BYTES = 767;

/** Decimal digits of a number that count, and the largest exponent told apart: more than DynamoDB's numbers have. */
const DIGITS = 38;
const EXPONENTS = 4000;

const utf8 = new TextEncoder();

/**
 * The key that sorts items by value, then by id, when keys are compared byte by byte: a tag (absent sorts first), the
 * value, a separator, the id. Texts sort by code point, numbers by value however they are written. Exact for texts of up to
 * 1,000 bytes of UTF-8 without NUL (767 beside an id of 255 bytes), and for numbers of up to 38 digits; what goes beyond
 * sorts as if cut off there. Ids are integers 0 to 2^53-1 (8 bytes, big-endian) or texts (UTF-8); do not mix them, nor
 * texts and numbers, in one index. At most 1,024 bytes. Source: conventions, "Query parameters" (sort).
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
 * A key that no item whose value is at least `value` sorts before, and every other item does: where a query for
 * `minCost` begins. Items without a value are before any value's bound. (Of texts that share their first 767
 * bytes, some smaller ones may follow it.) Source: conventions, "Query parameters" (minCost).
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
  // The last byte stays 0, which no text contains: a text sorts before its own continuations.
  const bytes = new Uint8Array(length + 2);
  bytes[0] = PRESENT;
  bytes.set(length === text.length ? text : text.subarray(0, length), 1);
  return bytes;
}

/**
 * Tag; sign and exponent in two bytes around 0x8000, which is zero; two digits a byte (1 to 100); 0. Below zero everything
 * after the tag is complemented, so that greater magnitudes sort first.
 */
function numberBytes(decimal: Decimal): Uint8Array {
  const { sign, significand, exponent } = decimal;
  // Beyond the exponents told apart digits must not decide either.
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
