import type { Position } from '../resource/page.ts';
import type { Attributes } from './attributes.ts';
import type { Run } from './run.ts';
import { sortKey } from './sort-key.ts';
import type { Index, Table } from './table.ts';

/** Several runs as one, in the order of their sort keys. */
export class Merge {
  readonly #table: Table;
  readonly #index: Index;
  readonly #runs: readonly Run[];
  readonly #forward: boolean;
  readonly #backwards: boolean;
  #frontier: Position | undefined;

  constructor(table: Table, index: Index, runs: readonly Run[], forward: boolean, backwards: boolean) {
    this.#table = table;
    this.#index = index;
    this.#runs = runs;
    this.#forward = forward;
    this.#backwards = backwards;
  }

  /** Takes the next row of all; 'unknown' when a run that may hold an earlier one was not read to it. */
  async next(): Promise<Attributes | undefined | 'unknown'> {
    const fills = this.#runs.map((run) => run.fill());
    if (fills.some((fill) => fill !== undefined)) await Promise.all(fills);
    let best: { run: Run; row: Attributes; known: boolean; key: Uint8Array } | undefined;
    for (const run of this.#runs) {
      const head = run.head();
      if (head === undefined) continue;
      const known = head !== 'unknown';
      const row = known ? head : (run.frontier as Attributes);
      const key = this.#key(row);
      if (best === undefined || this.#before(key, best.key)) best = { run, row, known, key };
    }
    if (best?.known) best.run.take();
    else if (best) this.#frontier = this.position(best.row);
    return best && (best.known ? best.row : 'unknown');
  }

  /** After 'unknown': the place up to which every row was seen. */
  frontier(): Position {
    return this.#frontier as Position;
  }

  position(row: Attributes): Position {
    return { key: this.#key(row), id: this.#id(row), backwards: this.#backwards };
  }

  #id(row: Attributes): number | string {
    const attribute = row[this.#table.key.name];
    return this.#table.key.type === 'N' ? Number(attribute?.N) : (attribute?.S ?? '');
  }

  /** The bytes that order a row. */
  #key(row: Attributes): Uint8Array {
    return this.#index.sort.type === 'B'
      ? (row[this.#index.sort.name]?.B as Uint8Array)
      : sortKey(undefined, this.#id(row));
  }

  #before(a: Uint8Array, b: Uint8Array): boolean {
    const order = Buffer.compare(a, b);
    return this.#forward ? order < 0 : order > 0;
  }
}
