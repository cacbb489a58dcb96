import { seeded } from './random.ts';

/**
 * The largest number of units in a second of one partition.
 *
 * Source: Amazon DynamoDB Developer Guide, "Best practices for designing and using partition keys effectively".
 */
export const PARTITION = { writeUnits: 1000, readUnits: 3000 } as const;

/**
 * Partitions of a new on-demand table, which starts with 4,000 write units.
 *
 * Source: Amazon DynamoDB Developer Guide, "Understanding DynamoDB warm throughput in different scenarios".
 */
const FRESH = 4;

/**
 * A unit of load that DynamoDB cannot split: an item of a table, an entry of an index, or the end of a list to which
 * all new items go. `key` is its partition key, `place` its position among the spots with the same key.
 */
export interface Spot {
  readonly key: number;
  readonly place: number;
  /** Units of the workload at this spot. */
  readonly units: number;
}

/** The distribution of a workload over partitions, and its largest rate. */
export interface Heat {
  readonly partitions: number;
  /** Share of the hottest partition in all units: 0 to 1. */
  readonly hottest: number;
  /** Requests in a second at which that partition is full. */
  readonly rate: number;
}

const unitsOf = (spots: readonly Spot[]): number => spots.reduce((sum, { units }) => sum + units, 0);

/** Groups drawn pairs of key and place into spots. `units` is the total load of all pairs. */
export function spotsOf(drawn: Iterable<{ key: number; place: number }>, units: number): Spot[] {
  const found = new Map<string, { key: number; place: number; units: number }>();
  for (const { key, place } of drawn) {
    const name = `${key}/${place}`;
    const spot = found.get(name);
    if (spot) spot.units += units;
    else found.set(name, { key, place, units });
  }
  return [...found.values()];
}

function heatOf(partitions: readonly (readonly Spot[])[], requests: number, limit: number): Heat {
  const all = partitions.map(unitsOf);
  const whole = all.reduce((sum, one) => sum + one, 0);
  const most = Math.max(...all);
  return { partitions: partitions.length, hottest: most / whole, rate: (limit * requests) / most };
}

/**
 * The partitions of a new table. DynamoDB assigns each partition key to one of them by an internal hash. The simulation
 * uses random numbers instead, which are the same for the same seed.
 */
function fresh(spots: readonly Spot[], seed: number): Spot[][] {
  const random = seeded(seed);
  const places = new Map<number, number>();
  const partitions: Spot[][] = Array.from({ length: FRESH }, () => []);
  for (const spot of spots) {
    let at = places.get(spot.key);
    if (at === undefined) {
      at = Math.floor(random() * FRESH);
      places.set(spot.key, at);
    }
    partitions[at]?.push(spot);
  }
  return partitions.filter(({ length }) => length > 0);
}

/** Splits the load into two halves, between keys or between places of one key; undefined if there is only one spot. */
function split(ordered: readonly Spot[]): [Spot[], Spot[]] | undefined {
  if (ordered.length < 2) return undefined;
  const half = unitsOf(ordered) / 2;
  let sum = 0;
  let cut = 0;
  while (cut < ordered.length - 1 && (cut === 0 || sum + (ordered[cut] as Spot).units <= half)) {
    sum += (ordered[cut] as Spot).units;
    cut += 1;
  }
  return [ordered.slice(0, cut), ordered.slice(cut)];
}

/**
 * A workload on a new table, and on the same table after DynamoDB split its hot partitions.
 *
 * The details of DynamoDB are not public, so the model is simple. It splits the hottest partition into two halves of
 * equal load. It repeats this while a partition is full at `wanted` requests in a second and can be split. Partitions
 * never merge. The model leaves out adaptive capacity and burst capacity, so its rates are sustained rates.
 *
 * Source: Amazon DynamoDB Developer Guide, "Burst and adaptive capacity"; AWS Database Blog, "Scaling DynamoDB: How
 * partitions, hot keys, and split for heat impact performance (Part 2)".
 */
export function heat(
  spots: readonly Spot[],
  { requests, limit, wanted, seed }: { requests: number; limit: number; wanted: number; seed: number },
): { fresh: Heat; settled: Heat } {
  const ordered = [...spots].sort((one, two) => one.key - two.key || one.place - two.place);
  const partitions = fresh(ordered, seed);
  const before = heatOf(partitions, requests, limit);
  const full = (one: readonly Spot[]) => (unitsOf(one) / requests) * wanted > limit;
  const waiting = partitions.filter(full);
  const done = partitions.filter((one) => !full(one));
  for (let hot = waiting.pop(); hot; hot = waiting.pop()) {
    const halves = split(hot);
    if (!halves) done.push(hot);
    else for (const half of halves) (full(half) ? waiting : done).push(half);
  }
  return { fresh: before, settled: heatOf(done, requests, limit) };
}
