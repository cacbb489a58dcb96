import type { Attributes } from './attributes.ts';

/** Bytes that escaping adds to a character that markup takes for itself, at most: `&quot;`. */
const ESCAPED = 5;
/** Shorter texts cannot make a page too large, however they are escaped. */
const SHORT_TEXT = 256;

const textBytes = (text: string): number =>
  Buffer.byteLength(text) + (text.length > SHORT_TEXT ? ESCAPED * (text.match(/[&<>"\r]/g)?.length ?? 0) : 0);

/** The bytes an item may take in an answer of any format: its texts and numbers, and some for names and punctuation. */
export function sizeOf(row: Attributes): number {
  let size = 400;
  for (const name of Object.keys(row)) {
    const value = row[name];
    size += name.length + 8 + (value?.S !== undefined ? textBytes(value.S) : (value?.N?.length ?? 0));
  }
  return size;
}
