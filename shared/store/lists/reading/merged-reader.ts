import type { ListPosition } from '../../../resource/lists/page.ts';
import type { Attributes } from '../../form/attribute-value.ts';
import { sortKey } from '../../form/sort-key.ts';
import type { Table } from '../../form/table.ts';
import type { Runs } from '../plan.ts';
import { fillAll, type PartitionReader } from './partition-reader.ts';
import type { NextRow } from './sorted-rows.ts';

/** Merges the rows of several runs, in the order of their keys. */
export class MergedReader {
  readonly #table: Table;
  readonly #keyOf: (row: Attributes) => Uint8Array;
  readonly #runs: readonly PartitionReader[];
  readonly #forward: boolean;
  readonly #backwards: boolean;
  /** The sort key of the next row of each reader, once known. */
  readonly #keys: (Uint8Array | undefined)[] = [];
  #frontier: ListPosition | undefined;

  constructor(
    table: Table,
    { index, byIdentifier }: Pick<Runs, 'index' | 'byIdentifier'>,
    runs: readonly PartitionReader[],
    forward: boolean,
    backwards: boolean,
  ) {
    this.#table = table;
    this.#keyOf =
      byIdentifier || index.sort.type !== 'B'
        ? (row) => sortKey(undefined, this.#id(row))
        : (row) => row[index.sort.name]?.B as Uint8Array;
    this.#runs = runs;
    this.#forward = forward;
    this.#backwards = backwards;
  }

  /**
   * Takes the first row of all partitions. Returns undefined at the end. Returns 'unknown' if the budget ended before
   * a partition that may hold an earlier row was read far enough.
   */
  next(): NextRow | Promise<NextRow> {
    const filled = fillAll(this.#runs);
    return filled ? filled.then(() => this.#take()) : this.#take();
  }

  #take(): NextRow {
    let best = -1;
    let bestKey: Uint8Array | undefined;
    for (let at = 0; at < this.#runs.length; at += 1) {
      const run = this.#runs[at] as PartitionReader;
      const head = run.head();
      if (head === undefined) continue;
      const row = head === 'unknown' ? run.frontier : head;
      if (!row) return 'unknown';
      const key = this.#keys[at] ?? this.#keyOf(row);
      if (head !== 'unknown') this.#keys[at] = key;
      if (bestKey === undefined || this.#before(key, bestKey)) {
        best = at;
        bestKey = key;
      }
    }
    const run = this.#runs[best];
    if (!run) return undefined;
    const head = run.head();
    if (head === 'unknown') this.#frontier = this.position(run.frontier as Attributes);
    else run.take();
    this.#keys[best] = undefined;
    return head;
  }

  /** After 'unknown': the position up to which every row was read; undefined if a partition was not read at all. */
  get frontier(): ListPosition | undefined {
    return this.#frontier;
  }

  position(row: Attributes): ListPosition {
    return { key: this.#keyOf(row), id: this.#id(row), backwards: this.#backwards };
  }

  #id(row: Attributes): number | string {
    const attribute = row[this.#table.key.name];
    return this.#table.key.type === 'N' ? Number(attribute?.N) : (attribute?.S ?? '');
  }

  #before(a: Uint8Array, b: Uint8Array): boolean {
    const order = Buffer.compare(a, b);
    return this.#forward ? order < 0 : order > 0;
  }
}
