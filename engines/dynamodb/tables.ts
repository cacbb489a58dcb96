import { Fault, invalid } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { KeyShape } from './key.ts';
import type { RequestTokens } from './request-tokens.ts';
import type { Description } from './schema.ts';
import type { Changes } from './streams/changes.ts';

/** The context of every DynamoDB operation. */
export interface DynamoDb {
  storage: Storage;
  tables: Tables;
  changes: Changes;
  tokens: RequestTokens;
}

/** A global secondary index. `id` is unique among the indexes of all tables. */
export interface Index {
  id: number;
  name: string;
  key: KeyShape;
}

/** A stored table, with its DescribeTable response. */
export interface Table {
  id: number;
  key: KeyShape;
  indexes: readonly Index[];
  description: Description;
  /** The attribute with the time, in seconds, after which the engine can remove an item. */
  timeToLive?: string;
}

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
