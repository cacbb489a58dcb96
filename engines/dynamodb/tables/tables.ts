import { Fault, invalid } from '../../fault.ts';
import type { Storage } from '../../storage.ts';
import type { Table } from './table.ts';

/** Source: DynamoDB Developer Guide "Naming rules". @throws ValidationException */
export function requireTableName(name: string | undefined): asserts name is string {
  if (typeof name !== 'string') throw invalid('The parameter TableName is required');
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name)) throw invalid('TableName must be 3 to 255 of a-z A-Z 0-9 _ - .');
}

/** All tables, cached in memory. This process is the only writer. */
export class Tables {
  readonly #storage: Storage;
  readonly #byName = new Map<string, Table>();

  constructor(storage: Storage) {
    this.#storage = storage;
    const rows = storage.all<{ name: string; definition: string }>('SELECT * FROM tbl');
    for (const { name, definition } of rows) this.#byName.set(name, JSON.parse(definition));
  }

  /**
   * @throws ValidationException for an invalid name; ResourceNotFoundException
   */
  named(name: string | undefined): Table {
    requireTableName(name);
    const table = this.#byName.get(name);
    if (!table) throw new Fault('ResourceNotFoundException', `Requested resource not found: Table: ${name}`);
    return table;
  }

  all(): Iterable<Table> {
    return this.#byName.values();
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Returns the id of the next table. Tables are never deleted. */
  get nextId(): number {
    return this.#byName.size + 1;
  }

  /** Stores a new or a changed table. */
  save(table: Table): void {
    const name = table.description.TableName;
    const replace = 'INSERT OR REPLACE INTO tbl (name, definition) VALUES (?, ?)';
    this.#storage.run(replace, name, JSON.stringify(table));
    this.#byName.set(name, table);
  }
}
