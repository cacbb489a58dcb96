import { Fault } from '../fault.ts';
import type { Storage } from '../storage.ts';
import { tableNotFound } from './faults.ts';

/** One key attribute. */
export interface KeyPart {
  name: string;
  type: 'S' | 'N' | 'B';
}

/** A partition key and perhaps a sort key. */
export interface KeyShape {
  hash: KeyPart;
  range?: KeyPart | undefined;
}

/** A global secondary index. `id` is never reused, so rows of a deleted index cannot come back. */
export interface Index extends KeyShape {
  id: number;
  name: string;
  projection: 'ALL' | 'KEYS_ONLY';
}

/** A table as it is kept: keys, indexes, and what DescribeTable repeats. */
export interface Table extends KeyShape {
  id: number;
  name: string;
  uuid: string;
  /** Milliseconds since 1970. */
  created: number;
  billing: 'PAY_PER_REQUEST' | 'PROVISIONED';
  deletionProtection: boolean;
  indexes: Index[];
  nextIndex: number;
  /** The attribute that holds the time to live, while that is enabled. */
  ttl?: string | undefined;
}

/** The tables there are, cached in memory: this process is the only writer. */
export class Tables {
  readonly #storage: Storage;
  readonly #byName = new Map<string, Table>();

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const { id, definition } of storage.all<{ id: number; definition: string }>(
      'SELECT id, definition FROM tbl',
    )) {
      const table = { ...(JSON.parse(definition) as Table), id };
      this.#byName.set(table.name, table);
    }
  }

  /** @throws ResourceNotFoundException; an ARN is accepted in place of a name */
  named(name: string | undefined): Table {
    if (typeof name !== 'string') {
      throw new Fault(
        'ValidationException',
        'The parameter TableName is required but was not present in the request',
      );
    }
    const table = this.find(name);
    if (!table) throw tableNotFound();
    return table;
  }

  find(name: string): Table | undefined {
    return this.#byName.get(name.slice(name.lastIndexOf('/') + 1));
  }

  names(): string[] {
    return [...this.#byName.keys()].sort();
  }

  all(): Table[] {
    return [...this.#byName.values()];
  }

  add(table: Omit<Table, 'id'>): Table {
    const { lastInsertRowid } = this.#storage.run(
      'INSERT INTO tbl (name, definition) VALUES (?, ?)',
      table.name,
      JSON.stringify(table),
    );
    const added = { ...table, id: lastInsertRowid };
    this.#byName.set(table.name, added);
    return added;
  }

  /** Stores a changed definition. */
  save(table: Table): void {
    this.#storage.run('UPDATE tbl SET definition = ? WHERE id = ?', JSON.stringify(table), table.id);
    this.#byName.set(table.name, table);
  }

  remove(table: Table): void {
    this.#storage.transaction(() => {
      for (const index of table.indexes)
        this.#storage.run('DELETE FROM gsi WHERE idx = ?', indexId(table, index));
      this.#storage.run('DELETE FROM item WHERE tbl = ?', table.id);
      this.#storage.run('DELETE FROM tbl WHERE id = ?', table.id);
    });
    this.#byName.delete(table.name);
  }
}

/** The number of an index across all tables. A table has at most 20 at a time; a million over its life. */
export function indexId(table: Table, index: Index): number {
  return table.id * 1_000_000 + index.id;
}
