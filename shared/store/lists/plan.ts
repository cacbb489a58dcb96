import { config } from '../../aws/config.ts';
import { Decimal } from '../../json/decimal.ts';
import { earlierFormOf, laterFormOf } from '../../resource/description/attribute.ts';
import type { Description, Scalar } from '../../resource/description/description.ts';
import { OPERATORS, picksValues } from '../../resource/kinds/operators.ts';
import { type Filter, matches } from '../../resource/lists/filter.ts';
import type { PageQuery, SortKey } from '../../resource/lists/page.ts';
import { type Inventory, incompleteIndex } from '../form/inventory.ts';
import { keysOf } from '../form/sort-key.ts';
import { type Index, indexFor, type Partition, SHARD, type Table } from '../form/table.ts';
import { firstIdentifier, lastIdentifier } from '../write/new-item.ts';
import { type Bounds, boundsOf, identifierEdge, identifierOf, intersection } from './bounds.ts';

/** A part of a list: rows of one partition of an index. */
export interface Run extends Bounds {
  readonly partition: number | string;
  /** The one value of all rows of the run, if they are read in the order of the identifier. */
  readonly value?: Scalar;
}

/** Runs of an index that together have all items of a list, each in the sort order of the list. */
export interface Runs {
  readonly kind: 'runs';
  readonly index: Index;
  readonly runs: readonly Run[];
  /** The order of the rows is that of the identifier, although the index sorts by another field. */
  readonly byIdentifier: boolean;
  /** The filters that the runs do not guarantee. The reader checks each row against them. */
  readonly rest: readonly Filter[];
}

/**
 * How to read a list. `runs`: an index has the sort order. `keys`: read these items and sort them. `sort`: read all rows of
 * the source and sort them. `either`: if the source has few rows, sort them. If it has more, read the runs.
 */
export type Plan =
  | Runs
  | { readonly kind: 'keys'; readonly ids: readonly (number | string)[]; readonly rest: readonly Filter[] }
  | { readonly kind: 'sort'; readonly source: Runs }
  | { readonly kind: 'either'; readonly source: Runs; readonly runs: Runs };

/** The maximum number of Queries of a request that run at the same time. */
const MAXIMUM_RUNS = 32;
/** Maximum milliseconds between the time of a request and the time in the identifiers that it makes. */
const CREATION_MS = 1000;

/** Where the rows of a list are: the attribute that partitions the indexes, its values, and the other filters. */
interface RowPlace {
  readonly attribute: string;
  readonly partitions: readonly (number | string)[];
  readonly filters: readonly Filter[];
}

/** Plans the reads of lists of one table. `inventory`: undefined for a table without items. */
export class Planner {
  readonly #table: Table;
  readonly #description: Description;
  readonly #inventory: Inventory | undefined;

  constructor(table: Table, description: Description, inventory: Inventory | undefined) {
    this.#table = table;
    this.#description = description;
    this.#inventory = inventory;
  }

  get #identifier(): string {
    return this.#description.identifier.name;
  }

  /** Plans a list. `partition`: the list has only items with this value. */
  plan({ sortOrder, filters }: Pick<PageQuery, 'sortOrder' | 'filters'>, partition?: Partition): Plan {
    const chosen = filters.find(({ field, operator }) => field === this.#identifier && picksValues(operator));
    if (chosen) {
      const ids = chosen.values.flatMap((value) => identifierOf(value) ?? []);
      return { kind: 'keys', ids, rest: filters.filter((one) => one !== chosen) };
    }
    const place = this.#place(filters, partition);
    const runs = this.#runs(sortOrder, place);
    if (runs?.byIdentifier === false && runs.rest.some(({ operator }) => picksValues(operator))) {
      const source = this.#byValues(place);
      if (source) return { kind: 'either', source, runs };
    }
    return runs ?? { kind: 'sort', source: this.unordered(filters, partition) };
  }

  /** Plans the least reads that have all items of a list, in any order. */
  unordered(filters: readonly Filter[], partition?: Partition): Runs {
    const place = this.#place(filters, partition);
    const byValues = this.#byValues(place);
    if (byValues) return byValues;
    for (const { field } of place.filters) {
      const runs = this.#inOrderOf(field, place);
      if (runs && runs.rest.length < place.filters.length) return runs;
    }
    return this.#inOrderOf(this.#identifier, place) as Runs;
  }

  /** The fields whose order a complete index has. */
  get indexed(): string[] {
    const complete = this.#table.indexes.filter((index) => this.#isComplete(index));
    return [...new Set(complete.map(({ field }) => field))].filter((field) => !field.startsWith('_'));
  }

  #place(filters: readonly Filter[], partition: Partition | undefined): RowPlace {
    if (partition && this.#complete(partition.field, this.#identifier)) {
      const [own, others] = divided(filters, ({ field }) => field === partition.field);
      const isEmpty = own.some((filter) => !matches(filter, partition.value));
      return { attribute: partition.field, partitions: isEmpty ? [] : [partition.value], filters: others };
    }
    if (partition) return this.#whole([...filters, inPartition(partition)]);
    const chosen = filters.find(
      ({ field, operator, values }) =>
        picksValues(operator) &&
        values.length <= MAXIMUM_RUNS &&
        this.#table.partitions.includes(field) &&
        this.#complete(field, this.#identifier),
    );
    if (!chosen) return this.#whole(filters);
    const [own, others] = divided(filters, ({ field }) => field === chosen.field);
    const values = chosen.values.map(Number);
    const partitions = values.filter((value) => own.every((filter) => matches(filter, value)));
    return { attribute: chosen.field, partitions, filters: others };
  }

  /** The list of all items. @throws Unavailable if no index has all items */
  #whole(filters: readonly Filter[]): RowPlace {
    if (!this.#complete(SHARD, this.#identifier)) throw incompleteIndex(this.#table.resource);
    const length = this.#inventory?.shards ?? config.shards();
    return { attribute: SHARD, partitions: Array.from({ length }, (_, shard) => shard), filters };
  }

  /** The runs that have the sort order of the list, if an index serves it. */
  #runs([key, ...more]: readonly SortKey[], place: RowPlace): Runs | undefined {
    if (!key || more.length > 0) return undefined;
    if (key.field !== this.#identifier) return this.#inOrderOf(key.field, place);
    return this.#byValues(place) ?? this.#inOrderOf(this.#identifier, place);
  }

  /** The runs of the index by this field. */
  #inOrderOf(field: string, place: RowPlace): Runs | undefined {
    const index = this.#complete(place.attribute, field);
    if (!index) return undefined;
    const equality = place.filters.find((one) => one.field === field && picksValues(one.operator));
    let ranges: (Bounds | undefined)[] = [{}];
    const rest: Filter[] = [];
    for (const filter of place.filters) {
      const { operator, values } = filter;
      const bounds =
        filter.field === field
          ? values.map((value) => boundsOf(index, operator, value))
          : [this.#creation(index, filter)];
      const isServed = equality ? filter === equality && this.#fits(place, values.length) : true;
      const known = bounds.filter((one) => one !== undefined);
      if (!isServed || known.length === 0) rest.push(filter);
      else {
        ranges = ranges.flatMap((range) => known.map((one) => range && intersection(range, one)));
        if (!known.every(({ isExact }) => isExact)) rest.push(filter);
      }
    }
    const runs = place.partitions.flatMap((partition) =>
      ranges.flatMap((range) => (range ? [{ partition, ...range }] : [])),
    );
    return { kind: 'runs', index, runs, byIdentifier: false, rest };
  }

  /** The runs of an index whose field has one of a few values. Each run has the order of the identifier. */
  #byValues(place: RowPlace): Runs | undefined {
    for (const filter of place.filters) {
      const { field, operator, values } = filter;
      const index = picksValues(operator) ? this.#complete(place.attribute, field) : undefined;
      if (index?.sort.type !== 'B' || !this.#fits(place, values.length)) continue;
      if (!values.every((value) => keysOf(value).isExact)) continue;
      const runs = place.partitions.flatMap((partition) =>
        values.map((value) => ({ partition, value, ...boundsOf(index, operator, value) })),
      );
      const rest = place.filters.filter((one) => one !== filter);
      return { kind: 'runs', index, runs, byIdentifier: true, rest };
    }
    return undefined;
  }

  /** The bounds of a filter by `createdAt` in an index by identifier. They can contain items that do not meet it. */
  #creation(index: Index, { field, operator, values: [value] }: Filter) {
    if (field !== 'createdAt' || index.sort.type !== 'N' || !(value instanceof Decimal)) return undefined;
    const now = Math.floor(value.toNumber());
    const least = Math.max(0, firstIdentifier(now));
    const most = Math.min(Number.MAX_SAFE_INTEGER, lastIdentifier(now + CREATION_MS));
    const { picks, accepts } = OPERATORS[operator];
    if (picks === 'values' || typeof accepts === 'string') return undefined;
    if (accepts.includes(1))
      return least > Number.MAX_SAFE_INTEGER ? undefined : { low: identifierEdge(least), isExact: false };
    return most < 0 ? undefined : { high: identifierEdge(most), isExact: false };
  }

  #fits({ partitions }: RowPlace, values: number): boolean {
    return partitions.length * values <= MAXIMUM_RUNS;
  }

  /** The index of this sort order, if it has all items. */
  #complete(partition: string, field: string): Index | undefined {
    const index = indexFor(this.#table, partition, field);
    return index && this.#isComplete(index) ? index : undefined;
  }

  /** An index that the table got later may lack older items. If values have several forms, so do their keys. */
  #isComplete({ name, field }: Index): boolean {
    if (!this.#inventory) return true;
    const { complete, latest } = this.#inventory;
    const declared = this.#description.fields[field];
    const { before = 0 } = earlierFormOf(declared) ?? {};
    const { from = Infinity } = laterFormOf(declared) ?? {};
    return complete.indexes.includes(name) && complete.version >= before && latest < from;
  }
}

/** Returns the filter that selects the items of a partition. */
const inPartition = ({ field, value }: Partition): Filter => ({
  field,
  operator: '=',
  values: [typeof value === 'number' ? Decimal.from(value) : value],
});

function divided<One>(all: readonly One[], isFirst: (one: One) => boolean): [One[], One[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Returns the inventory without the indexes of other orders: a deployment of another release may have deleted one. */
export function byIdentifier(inventory: Inventory, { identifier }: Description): Inventory {
  const indexes = inventory.complete.indexes.filter((one) => one.endsWith(`by_${identifier.name}`));
  return { ...inventory, complete: { ...inventory.complete, indexes } };
}
