import type { Attributes } from '../items/attributes.ts';

/** Bytes that names, times, links and punctuation take at least in a representation. */
const AROUND = 400;

/** The bytes of an item's texts and numbers, and some for what surrounds them; escapes are not counted. */
export function sizeOf(row: Attributes): number {
  let size = AROUND;
  for (const name of Object.keys(row)) {
    const value = row[name];
    size += name.length + 8 + (value?.S !== undefined ? Buffer.byteLength(value.S) : (value?.N?.length ?? 0));
  }
  return size;
}
