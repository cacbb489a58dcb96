import { Decimal } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Scalar } from '../../resource/description/description.ts';

/** A value that orders items. undefined: the item has no such property. */
export type SortValue = JsonValue | undefined;

// The first byte of a value. Stored keys are of one type each, so numbers and texts share PRESENT in them.
const ABSENT = 0x00;
const PRESENT = 0x01;
const TEXT = 0x02;
const BOOLEAN = 0x03;
const OTHER = 0x04;

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
 * Returns the key that sorts items by value and then by id. DynamoDB compares keys byte by byte. A key has at most
 * 1,024 bytes: a tag (absent values sort first), the value, a separator and the id.
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
  if (value !== undefined || typeof id === 'string')
    return Buffer.concat([valueBytes(value, mostOf(id), PRESENT), identifierBytes(id)]);
  // Each row of a list in the order of its identifiers needs this key.
  const key = Buffer.allocUnsafe(9);
  key[0] = ABSENT;
  return writeInteger(key, id, 1);
}

/** One value of an order with several keys. `isText`: the field has texts only. */
interface KeyPart {
  readonly value: SortValue;
  readonly isText: boolean;
  /** The value orders in the direction that is opposite to the direction of the last one. */
  readonly reversed: boolean;
}

/**
 * Returns the key that sorts items by several values and then by id. With one part it is the key of the index. Values
 * of different types have the order of Specification 4.7 and D.4. The order is exact in the first 1,000 bytes (769 with
 * an id of 255 bytes) of all values together.
 */
export function composedKey(parts: readonly KeyPart[], id: number | string): Uint8Array {
  const heads = parts.map(({ value, isText, reversed }) => {
    const bytes = valueBytes(value, mostOf(id), isText ? PRESENT : TEXT);
    return reversed ? bytes.map((byte) => byte ^ 0xff) : bytes;
  });
  const head = Buffer.concat(heads.length > 0 ? heads : [Uint8Array.of(ABSENT)]);
  return Buffer.concat([head.subarray(0, mostOf(id) + 2), identifierBytes(id)]);
}

/** The first and the last key that items with some value can have. `isExact`: no other item has a key between them. */
interface KeyRange {
  readonly low: Uint8Array;
  readonly high: Uint8Array;
  readonly isExact: boolean;
}

/** Greater than the first byte of every identifier and of every UTF-8 text. */
const LAST = Uint8Array.of(0xff);

/** Returns the keys of the items with this value. */
export function keysOf(value: Scalar): KeyRange {
  const whole = valueBytes(value, SHORTEST_TEXT_BYTES, PRESENT);
  // Stored texts contain no NUL. In a key, it would end the text.
  const isExact =
    typeof value === 'string'
      ? whole.length < SHORTEST_TEXT_BYTES + 2 && !value.includes('\0')
      : typeof value === 'boolean' || (value.digits <= DIGITS && Math.abs(value.exponent) <= EXPONENTS);
  const low = isExact || typeof value !== 'string' ? whole : whole.subarray(0, -1);
  return { low, high: Buffer.concat([low, LAST]), isExact };
}

/** Returns the keys of the items whose text begins with this. */
export function keysOfPrefix(prefix: string): KeyRange {
  const { low, isExact } = keysOf(prefix);
  const start = isExact ? low.subarray(0, -1) : low;
  return { low: start, high: Buffer.concat([start, LAST]), isExact };
}

/** The least key of an item that has a value. */
export const LEAST_PRESENT = Uint8Array.of(PRESENT);

function identifierBytes(id: number | string): Uint8Array {
  if (typeof id === 'string') return utf8.encode(id);
  return writeInteger(Buffer.allocUnsafe(8), id, 0);
}

/** Writes an integer id into the eight bytes from `at`. */
function writeInteger(bytes: Buffer, id: number, at: number): Buffer {
  bytes.writeUInt32BE(Math.floor(id / 2 ** 32), at);
  bytes.writeUInt32BE(id >>> 0, at + 4);
  return bytes;
}

/** Returns the bytes of a text in a key with this identifier. */
const mostOf = (id: number | string): number =>
  Math.min(
    TEXT_BYTES,
    Math.max(SHORTEST_TEXT_BYTES, KEY_BYTES - 2 - (typeof id === 'number' ? 8 : Buffer.byteLength(id))),
  );

/** Tag, value and separator. `textTag`: the tag of a text. */
function valueBytes(value: SortValue, most: number, textTag: number): Uint8Array {
  if (value === undefined) return Uint8Array.of(ABSENT);
  if (typeof value === 'boolean') return Uint8Array.of(BOOLEAN, value ? 1 : 0);
  if (typeof value === 'number' || value instanceof Decimal) return numberBytes(Decimal.from(value));
  if (typeof value !== 'string') return Uint8Array.of(OTHER);
  const text = utf8.encode(value);
  const length = Math.min(text.length, most);
  // The last byte stays 0, and no text contains this byte. A text therefore sorts before its own continuations.
  const bytes = new Uint8Array(length + 2);
  bytes[0] = textTag;
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
