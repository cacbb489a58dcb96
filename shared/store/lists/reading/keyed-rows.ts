import type { Description } from '../../../resource/description/description.ts';
import type { ListPosition } from '../../../resource/lists/page.ts';
import type { Attributes } from '../../form/attribute-value.ts';
import { identifierOf } from '../../form/attributes.ts';
import { sortKey } from '../../form/sort-key.ts';
import { readFirst } from '../../items/read-items.ts';
import { MAXIMUM_KEYS } from '../../write/limits.ts';
import { KEPT_UNITS } from './partition-reader.ts';
import type { NextRow, Rows } from './sorted-rows.ts';

/** The table of the items, and whether a row is in the list. */
interface Source {
  readonly name: string;
  readonly description: Description;
  readonly keeps: (row: Attributes) => boolean;
}

type Id = number | string;

const keyOf = (id: Id): Uint8Array => sortKey(undefined, id);

/** True if an item can have the identifier. */
const isPossible = (id: Id): boolean => typeof id === 'string' || (Number.isSafeInteger(id) && id >= 0);

/** How far to read the items. `count`: how many the caller expects to take. */
interface Extent {
  readonly from?: ListPosition | undefined;
  readonly forward?: boolean;
  readonly count?: number;
}

/** Reads items by their identifiers, in the order of these. */
export class KeyedRows implements Rows {
  readonly #source: Source;
  readonly #from: ListPosition | undefined;
  readonly #sign: number;
  /** The identifiers before the position. */
  readonly #before: readonly Id[];
  /** The identifiers that it has not read, in order. */
  #left: readonly Id[];
  #share: number;
  #rows: Attributes[] = [];
  #count = 0;
  #last: Id | undefined;

  constructor(
    source: Source,
    ids: Iterable<Id>,
    { from, forward = true, count = MAXIMUM_KEYS }: Extent = {},
  ) {
    this.#source = source;
    this.#from = from;
    this.#sign = forward ? 1 : -1;
    this.#share = count;
    const all = [...new Set(ids)].filter(isPossible).sort((a, b) => this.#compare(keyOf(a), keyOf(b)));
    const first = from ? all.findIndex((id) => this.#compare(keyOf(id), from.key) > 0) : 0;
    this.#left = first < 0 ? [] : all.slice(first);
    this.#before = all.slice(0, all.length - this.#left.length);
  }

  /** Returns 'unknown' if the request has too few read units left. */
  async next(): Promise<NextRow> {
    while (this.#rows.length === 0 && this.#left.length > 0) {
      const first = await readFirst(this.#source, this.#left, { most: this.#share, keep: KEPT_UNITS });
      if (!first) return 'unknown';
      this.#left = this.#left.slice(first.ids.length);
      this.#last = first.ids.at(-1);
      const idOf = (row: Attributes) => keyOf(identifierOf(this.#source.description, row));
      this.#rows = first.rows.filter(this.#source.keeps).sort((a, b) => this.#compare(idOf(a), idOf(b)));
    }
    const row = this.#rows.shift();
    if (row) this.#count += 1;
    return row;
  }

  /** Counts the rows before the position, those that were taken, and all others; undefined if too few units are left. */
  async countAll(): Promise<number | undefined> {
    this.#share = MAXIMUM_KEYS;
    for (let row = await this.next(); row; row = await this.next()) if (row === 'unknown') return undefined;
    if (this.#before.length === 0) return this.#count;
    const before = await new KeyedRows(this.#source, this.#before).countAll();
    return before === undefined ? undefined : before + this.#count;
  }

  get frontier(): ListPosition | undefined {
    return this.#last === undefined ? undefined : this.#positionOf(this.#last);
  }

  position(row: Attributes): ListPosition {
    return this.#positionOf(identifierOf(this.#source.description, row));
  }

  #positionOf(id: Id): ListPosition {
    return { key: keyOf(id), id, backwards: this.#from?.backwards === true };
  }

  #compare(a: Uint8Array, b: Uint8Array): number {
    return this.#sign * Buffer.compare(a, b);
  }
}
