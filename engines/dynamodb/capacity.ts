import type { CapacityMode } from './request.ts';
import type { Index, Table } from './tables/table.ts';

/** The read units of one read of `bytes`. Source: DynamoDB Developer Guide "Read and write operations". */
export function readUnits(bytes: number, consistent: boolean | undefined): number {
  return Math.max(1, Math.ceil(bytes / 4096)) / (consistent ? 1 : 2);
}

/** Write units for the larger size of an item before and after the write; `size` in bytes. */
export function writeUnits(before: { size: number } | undefined, after?: { size: number }): number {
  return Math.max(1, Math.ceil(Math.max(before?.size ?? 0, after?.size ?? 0) / 1024));
}

/** Adds up the units of one request, per table and index. */
export class Consumption {
  /** By table. Each entry has the units of the table itself and of its indexes. */
  readonly #units = new Map<Table, Map<Table | Index, number>>();

  add(table: Table, units: number, index?: Index): void {
    const of = this.#units.get(table) ?? new Map<Table | Index, number>([[table, 0]]);
    this.#units.set(table, of.set(index ?? table, (of.get(index ?? table) ?? 0) + units));
  }

  /** Returns one `ConsumedCapacity` document for each table; none if the request does not ask for them. */
  report(mode: CapacityMode): object[] {
    if (mode !== 'TOTAL' && mode !== 'INDEXES') return [];
    return [...this.#units].map(([table, of]) => {
      const indexes = table.indexes.filter((index) => of.has(index));
      const units = (part: Table | Index): object => ({ CapacityUnits: of.get(part) });
      return {
        TableName: table.description.TableName,
        CapacityUnits: [...of.values()].reduce((sum, each) => sum + each),
        ...(mode === 'INDEXES' && {
          Table: units(table),
          GlobalSecondaryIndexes: Object.fromEntries(indexes.map((index) => [index.name, units(index)])),
        }),
      };
    });
  }

  /** `{ ConsumedCapacity }` for a request on one table, or nothing. */
  of(mode: CapacityMode): { ConsumedCapacity?: object } {
    const [report] = this.report(mode);
    return report ? { ConsumedCapacity: report } : {};
  }
}
