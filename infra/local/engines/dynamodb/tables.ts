import { Fault } from '../fault.ts';
import type { Storage } from '../storage.ts';
import { invalid } from './faults.ts';
import type { KeyShape } from './key.ts';

/** What every DynamoDB operation works on. `clock` in milliseconds since 1970. */
export interface DynamoDb {
  storage: Storage;
  tables: Tables;
  clock: () => number;
}

/** A global secondary index; `id` tells it from all others, of other tables too. */
export interface Index {
  id: number;
  name: string;
  key: KeyShape;
}

/** A table as it is kept. `created` in milliseconds since 1970. */
export interface Table {
  id: number;
  name: string;
  created: number;
  key: KeyShape;
  indexes: readonly Index[];
}

/** The tables there are, cached in memory: this process is the only writer. */
export class Tables {
  readonly #storage: Storage;
  readonly #byName = new Map<string, Table>();

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const { definition } of storage.all<{ definition: string }>('SELECT definition FROM tbl')) {
      const table = JSON.parse(definition) as Table;
      this.#byName.set(table.name, table);
    }
  }

  find(name: string): Table | undefined {
    return this.#byName.get(name);
  }

  /** @throws ResourceNotFoundException */
  named(name: string | undefined): Table {
    if (typeof name !== 'string') throw invalid('The parameter TableName is required');
    const table = this.find(name);
    if (!table) throw new Fault('ResourceNotFoundException', `Requested resource not found: Table: ${name}`);
    return table;
  }

  /** The id of the next table; tables are never deleted. */
  get nextId(): number {
    return this.#byName.size + 1;
  }

  /** Stores a new or a changed table. */
  save(table: Table): void {
    const replace = 'INSERT OR REPLACE INTO tbl (name, definition) VALUES (?, ?)';
    this.#storage.run(replace, table.name, JSON.stringify(table));
    this.#byName.set(table.name, table);
  }
}
