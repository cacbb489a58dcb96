import { Fault, invalid } from '../fault.ts';
import type { Storage } from '../storage.ts';
import type { KeyShape } from './key.ts';
import type { RequestTokens } from './request-tokens.ts';
import type { Description } from './schema.ts';
import type { Changes } from './streams/changes.ts';

/** What every DynamoDB operation works on. */
export interface DynamoDb {
  storage: Storage;
  tables: Tables;
  changes: Changes;
  tokens: RequestTokens;
}

/** A global secondary index; `id` tells it from all others, of other tables too. */
export interface Index {
  id: number;
  name: string;
  key: KeyShape;
}

/** A table as it is kept, with what DescribeTable answers. */
export interface Table {
  id: number;
  key: KeyShape;
  indexes: readonly Index[];
  description: Description;
  /** The attribute with the second after which an item may be removed. */
  timeToLive?: string;
}

/** Source: DynamoDB Developer Guide "Naming rules". @throws ValidationException */
export function requireTableName(name: string | undefined): asserts name is string {
  if (typeof name !== 'string') throw invalid('The parameter TableName is required');
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name)) throw invalid('TableName must be 3 to 255 of a-z A-Z 0-9 _ - .');
}

/** The tables there are, cached in memory: this process is the only writer. */
export class Tables {
  readonly #storage: Storage;
  readonly #byName = new Map<string, Table>();

  constructor(storage: Storage) {
    this.#storage = storage;
    const rows = storage.all<{ name: string; definition: string }>('SELECT * FROM tbl');
    for (const { name, definition } of rows) this.#byName.set(name, JSON.parse(definition));
  }

  /** @throws ValidationException for a name that no table can have; ResourceNotFoundException */
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

  /** The id of the next table; tables are never deleted. */
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
