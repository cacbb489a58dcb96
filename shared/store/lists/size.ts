import type { Attributes } from '../items/stored-value.ts';

/** The least number of bytes that names, times, links and punctuation add to a representation. */
const AROUND = 400;

/** An estimate of an item's bytes in a representation: texts, numbers and a fixed overhead, without escapes. */
export function sizeOf(row: Attributes): number {
  let size = AROUND;
  for (const name of Object.keys(row)) {
    const value = row[name];
    size += name.length + 8 + (value?.S !== undefined ? Buffer.byteLength(value.S) : (value?.N?.length ?? 0));
  }
  return size;
}
