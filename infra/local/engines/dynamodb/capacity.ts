import type { Index, Table } from './tables.ts';

/** What the client asked to be told. */
export type CapacityMode = 'NONE' | 'TOTAL' | 'INDEXES' | undefined;

/** Read units of `bytes` read at once. Source: DynamoDB Developer Guide "Read and write operations". */
export function readUnits(bytes: number, consistency: 'strong' | 'eventual' | 'transaction'): number {
  const blocks = Math.max(1, Math.ceil(bytes / 4096));
  return consistency === 'strong' ? blocks : consistency === 'eventual' ? blocks / 2 : blocks * 2;
}

/** Write units for the larger of the sizes before and after. */
export function writeUnits(before: number, after: number): number {
  return Math.max(1, Math.ceil(Math.max(before, after) / 1024));
}

interface Units {
  table: number;
  indexes: Map<string, number>;
}

/** Adds up the units of one request, per table and index. */
export class Consumption {
  readonly #units = new Map<string, Units>();
  readonly #transaction: 'Read' | 'Write' | undefined;

  /** @param transaction adds `ReadCapacityUnits` or `WriteCapacityUnits` to the answer */
  constructor(transaction?: 'Read' | 'Write') {
    this.#transaction = transaction;
  }

  add(table: Table, units: number, index?: Index): void {
    let entry = this.#units.get(table.name);
    if (!entry) {
      entry = { table: 0, indexes: new Map() };
      this.#units.set(table.name, entry);
    }
    if (index) entry.indexes.set(index.name, (entry.indexes.get(index.name) ?? 0) + units);
    else entry.table += units;
  }

  /** The `ConsumedCapacity` documents, one per table; empty unless asked for. */
  report(mode: CapacityMode): object[] {
    if (mode !== 'TOTAL' && mode !== 'INDEXES') return [];
    return [...this.#units].map(([TableName, { table, indexes }]) => ({
      TableName,
      ...this.#render(table + [...indexes.values()].reduce((sum, units) => sum + units, 0)),
      ...(mode === 'INDEXES' && {
        Table: this.#render(table),
        ...(indexes.size > 0 && {
          GlobalSecondaryIndexes: Object.fromEntries(
            [...indexes].map(([name, units]) => [name, this.#render(units)]),
          ),
        }),
      }),
    }));
  }

  #render(units: number): object {
    return {
      CapacityUnits: units,
      ...(this.#transaction && { [`${this.#transaction}CapacityUnits`]: units }),
    };
  }
}

/** `{ ConsumedCapacity }` for a request on one table, or nothing. */
export function consumed(consumption: Consumption, mode: CapacityMode): { ConsumedCapacity?: object } {
  const [report] = consumption.report(mode);
  return report ? { ConsumedCapacity: report } : {};
}
