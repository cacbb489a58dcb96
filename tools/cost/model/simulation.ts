import { shardOf } from '../../../shared/store/items/identifier.ts';
import { shareOf } from '../../../shared/store/lists/partition-reader.ts';
import { type Heat, heat, PARTITION, type Spot, spotsOf } from './heat.ts';
import { seeded, zipf } from './random.ts';

/** Drawn requests of each workload, existing items, and the wanted rate in requests in a second. */
export const DRAWN = {
  requests: 100_000,
  items: 100_000,
  wanted: 40_000,
  exponent: 1,
  seed: 20_261_121,
} as const;
export const SHARDS = [1, 4, 16, 64] as const;
/** The number of values of the random bits in an id. Source: Specification 2.2. */
const RANDOM = 4096;
/** New ids in one millisecond of the simulation. */
const EACH_MS = 4;

/** A workload on one table or index. */
interface Workload {
  readonly name: string;
  readonly on: string;
  readonly limit: number;
  spots(shards: number): Spot[];
}

/** Ids like those of the service, in the order of creation. */
function identifiers(count: number, random: () => number): number[] {
  return Array.from(
    { length: count },
    (_, at) => Math.floor(at / EACH_MS) * RANDOM + Math.floor(random() * RANDOM),
  );
}

function* drawn<Spot>(count: number, draw: (at: number) => Spot): Generator<Spot> {
  for (let at = 0; at < count; at += 1) yield draw(at);
}

const { requests, items, exponent, seed } = DRAWN;

/** The ids of items, and a function that draws the next requested item: few items very often. */
function popular(): { ids: number[]; draw: () => number } {
  const random = seeded(seed);
  return { ids: identifiers(items, random), draw: zipf(items, exponent, random) };
}

const WORKLOADS: readonly Workload[] = [
  {
    name: 'creations',
    on: 'index by creation: all new ones at its end',
    limit: PARTITION.writeUnits,
    spots: (shards) => {
      const ids = identifiers(requests, seeded(seed));
      return spotsOf(
        drawn(requests, (at) => ({ key: shardOf(ids[at] as number, shards), place: 0 })),
        1,
      );
    },
  },
  {
    name: 'creations',
    on: 'index by name: anywhere in it',
    limit: PARTITION.writeUnits,
    spots: (shards) => {
      const random = seeded(seed);
      const ids = identifiers(requests, random);
      return spotsOf(
        drawn(requests, (at) => ({
          key: shardOf(ids[at] as number, shards),
          place: Math.floor(random() * items),
        })),
        1,
      );
    },
  },
  {
    name: 'updates of a sorted field, Zipf',
    on: 'its index: an entry removed, another one put',
    limit: PARTITION.writeUnits,
    spots: (shards) => {
      const { ids, draw } = popular();
      // The old and the new entry are near each other, because their values are.
      return spotsOf(
        drawn(requests, () => {
          const item = draw();
          return { key: shardOf(ids[item] as number, shards), place: item };
        }),
        2,
      );
    },
  },
  {
    name: 'updates of files, Zipf',
    on: 'index by name: a text is hashed',
    limit: PARTITION.writeUnits,
    spots: (shards) => {
      const { draw } = popular();
      return spotsOf(
        drawn(requests, () => {
          const file = draw();
          return { key: shardOf(`file-${file}.bin`, shards), place: file };
        }),
        1,
      );
    },
  },
  {
    name: 'updates of items, Zipf',
    on: 'table: no shards',
    limit: PARTITION.writeUnits,
    spots: () => spotsOf(drawn(requests, tableSpot(popular())), 1),
  },
  {
    name: 'reads of items, Zipf',
    on: 'table: no shards',
    limit: PARTITION.readUnits,
    spots: () => spotsOf(drawn(requests, tableSpot(popular())), 1),
  },
  {
    name: 'reads of the first page of 25',
    on: 'index: every shard each time',
    limit: PARTITION.readUnits,
    spots: (shards) =>
      Array.from({ length: shards }, (_, key) => ({
        key,
        place: 0,
        units: requests * queryUnits(25, shards),
      })),
  },
];

/** In a table, each item has a different partition key. */
const tableSpot =
  ({ ids, draw }: ReturnType<typeof popular>) =>
  () => ({ key: ids[draw()] as number, place: 0 });

/** Assumed bytes of an item in an index. */
export const ITEM_BYTES = 400;

/** Read units of the Query on one shard for a page: steps of 4 KB, at half the price of a consistent read. */
function queryUnits(limit: number, shards: number): number {
  return Math.ceil((shareOf(limit + 1, shards) * ITEM_BYTES) / 4096) / 2;
}

/** Read units of a page of a list over `shards` shards. */
export const pageUnits = (limit: number, shards: number): number => shards * queryUnits(limit, shards);

export interface Simulated {
  readonly workload: string;
  readonly on: string;
  /** Undefined if the number of shards has no effect. */
  readonly shards: number | undefined;
  readonly fresh: Heat;
  readonly settled: Heat;
}

/** Simulates every workload with every number of shards. Every run gives the same result. */
export function simulate(): Simulated[] {
  return WORKLOADS.flatMap(({ name, on, limit, spots }) => {
    const counts = on.startsWith('table') ? [undefined] : SHARDS;
    return counts.map((shards) => {
      const options = { requests, limit, wanted: DRAWN.wanted, seed };
      return { workload: name, on, shards, ...heat(spots(shards ?? 1), options) };
    });
  });
}
