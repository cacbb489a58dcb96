import { isDeepStrictEqual } from 'node:util';
import { Signal } from '../../signal.ts';
import type { Storage } from '../../storage.ts';
import type { Row } from '../rows.ts';
import type { Table } from '../tables/table.ts';

/** A stored record of one committed write. `at` is in ms; the images are items as JSON. */
export interface Change {
  seq: number;
  at: number;
  old_doc: string | null;
  new_doc: string | null;
  expired: 0 | 1;
}

/**
 * Milliseconds for which a change stays readable. Source: DynamoDB Developer Guide "Change data capture for DynamoDB
 * Streams".
 */
export const RETENTION_MS = 24 * 60 * 60 * 1000;
const INSERT = 'INSERT INTO change (tbl, at, old_doc, new_doc, expired) VALUES (?, ?, ?, ?, ?)';
const TRIM = `DELETE FROM change WHERE seq <
  coalesce((SELECT seq FROM change WHERE at >= ? ORDER BY seq LIMIT 1), 9223372036854775807)`;

/** The changes of all tables that have a stream, in the order of their commits. */
export class Changes {
  readonly #storage: Storage;
  readonly #signals = new Map<number, Signal>();

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#trim();
  }

  /**
   * Appends a change in the transaction of its write. A write without effect adds no record. `expired`: the time to
   * live removed the item.
   */
  append(table: Table, old: Row | undefined, next: Row | undefined, expired = false): void {
    if (!hasStream(table) || isSame(old, next)) return;
    this.#storage.run(
      INSERT,
      table.id,
      this.#storage.now(),
      old?.doc ?? null,
      next?.doc ?? null,
      expired ? 1 : 0,
    );
    this.#signals.get(table.id)?.send();
  }

  /** A signal after each committed change of this table. */
  signalOf({ id }: Table): Signal {
    const signal = this.#signals.get(id) ?? new Signal();
    this.#signals.set(id, signal);
    return signal;
  }

  close(): void {
    for (const signal of this.#signals.values()) signal.close();
  }

  /** Yields the changes of a table after the one with that number, oldest first. */
  after(table: Table, seq: number, limit: number): Iterable<Change> {
    this.#trim();
    const select = 'SELECT * FROM change WHERE tbl = ? AND seq > ? ORDER BY seq LIMIT ?';
    return this.#storage.each<Change>(select, table.id, seq, limit);
  }

  /** Yields the changes of a table after a time in ms, newest first. */
  since(table: Table, at: number): Iterable<Change> {
    this.#trim();
    return this.#storage.each<Change>(
      'SELECT * FROM change WHERE tbl = ? AND at > ? ORDER BY seq DESC',
      table.id,
      at,
    );
  }

  /** True if the table still has a readable change. */
  has(table: Table, seq: number): boolean {
    this.#trim();
    return this.#storage.get('SELECT 1 FROM change WHERE seq = ? AND tbl = ?', seq, table.id) !== undefined;
  }

  /** The number of the last change of any table. */
  get last(): number {
    return (
      this.#storage.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'change'")?.seq ?? 0
    );
  }

  #trim(): void {
    this.#storage.run(TRIM, this.#storage.now() - RETENTION_MS);
  }
}

/** True if the engine records changes of the table. */
export const hasStream = ({ description }: Table): boolean => description.LatestStreamArn !== undefined;

function isSame(old: Row | undefined, next: Row | undefined): boolean {
  if (!old || !next) return old === next;
  return old.doc === next.doc || (old.size === next.size && isDeepStrictEqual(old.item, next.item));
}
