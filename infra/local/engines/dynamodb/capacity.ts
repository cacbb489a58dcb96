import type { Index, Table } from './tables.ts';

/** What the client asked to be told. */
export type CapacityMode = 'NONE' | 'TOTAL' | 'INDEXES' | undefined;

/** Read units of `bytes` read at once. Source: DynamoDB Developer Guide "Read and write operations". */
export function readUnits(bytes: number, consistent: boolean | undefined): number {
  return Math.max(1, Math.ceil(bytes / 4096)) / (consistent ? 1 : 2);
}

/** Write units for an item of that size in bytes; the larger one of before and after. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}

/** Adds up the units of one request, per table and index. */
export class Consumption {
  readonly #units = new Map<string, { table: number; indexes: Map<string, number> }>();

  add(table: Table, units: number, index?: Index): void {
    const entry = this.#units.get(table.name) ?? { table: 0, indexes: new Map() };
    this.#units.set(table.name, entry);
    if (index) entry.indexes.set(index.name, (entry.indexes.get(index.name) ?? 0) + units);
    else entry.table += units;
  }

  /** The `ConsumedCapacity` documents, one per table; empty unless asked for. */
  report(mode: CapacityMode): object[] {
    if (mode !== 'TOTAL' && mode !== 'INDEXES') return [];
    return [...this.#units].map(([TableName, { table, indexes }]) => ({
      TableName,
      CapacityUnits: [table, ...indexes.values()].reduce((sum, units) => sum + units),
      ...(mode === 'INDEXES' && {
        Table: { CapacityUnits: table },
        GlobalSecondaryIndexes: Object.fromEntries(
          [...indexes].map(([name, units]) => [name, { CapacityUnits: units }]),
        ),
      }),
    }));
  }

  /** `{ ConsumedCapacity }` for a request on one table, or nothing. */
  of(mode: CapacityMode): { ConsumedCapacity?: object } {
    const [report] = this.report(mode);
    return report ? { ConsumedCapacity: report } : {};
  }
}
