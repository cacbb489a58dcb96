import type { ListPosition } from '../../../resource/lists/page.ts';
import type { Attributes } from '../../form/attribute-value.ts';

/** The next row; undefined after the last one; 'unknown' if reading stopped before it found one. */
export type NextRow = Attributes | undefined | 'unknown';

/** Rows in the sort order of a list, and the position of each. */
export interface Rows {
  /** Returns a promise only if it has to read. A page awaits only those, because each await takes time. */
  next(): NextRow | Promise<NextRow>;
  /** After 'unknown': the position up to which every row was read; undefined if that is the beginning. */
  readonly frontier?: ListPosition | undefined;
  position(row: Attributes): ListPosition;
}

/** The key and the identifier that order a row. */
type KeyOf = (row: Attributes) => { readonly key: Uint8Array; readonly id: number | string };

/** The rows that the caller needs: `count` rows after `from`, in one direction. */
interface Wanted {
  readonly from?: ListPosition;
  readonly forward: boolean;
  readonly count: number;
  /** The maximum number of rows to read. */
  readonly maximum: number;
}

/**
 * Sorts a list that no index serves. It reads every row and holds the first `count` rows after `from`.
 * Returns 'too-many' if the list has more than `maximum` rows.
 *
 * Source: Specification 4.9.
 */
export async function sortedRows(
  source: Pick<Rows, 'next'>,
  keyOf: KeyOf,
  wanted: Wanted,
): Promise<Rows | 'too-many'> {
  const { from, forward, count, maximum } = wanted;
  const sign = forward ? 1 : -1;
  let first: { readonly key: Uint8Array; readonly row: Attributes }[] = [];
  const sortAndCut = () => {
    first.sort((a, b) => sign * Buffer.compare(a.key, b.key));
    first = first.slice(0, count);
  };
  for (let read = 0; ; read += 1) {
    const next = source.next();
    const row = next instanceof Promise ? await next : next;
    if (row === undefined) break;
    if (row === 'unknown' || read === maximum) return 'too-many';
    const { key } = keyOf(row);
    if (from && sign * Buffer.compare(key, from.key) <= 0) continue;
    first.push({ key, row });
    if (first.length > 2 * count) sortAndCut();
  }
  sortAndCut();
  let at = 0;
  return {
    next: () => {
      at += 1;
      return first[at - 1]?.row;
    },
    position: (row) => ({ ...keyOf(row), backwards: from?.backwards === true }),
  };
}
