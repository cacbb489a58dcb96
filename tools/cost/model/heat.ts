import { seeded } from './random.ts';

/** What one partition gives by the second. Source: Amazon DynamoDB Developer Guide, "Best practices for designing and using partition keys effectively". */
export const PARTITION = { writeUnits: 1000, readUnits: 3000 } as const;

/** Partitions of a new table by request: it begins with 4,000 write units. Source: Amazon DynamoDB Developer Guide, "Understanding DynamoDB warm throughput in different scenarios". */
const FRESH = 4;

/**
 * What cannot be spread further: one item of a table, one entry of an index, or the end of a list to which everything new
 * is added. `key` is its partition key, `place` its place among those with the same one.
 */
export interface Spot {
  readonly key: number;
  readonly place: number;
  /** Units that came to it, of the workload's whole. */
  readonly units: number;
}

/** How a workload lies on partitions, and what it can be driven to. */
export interface Heat {
  readonly partitions: number;
  /** Of all units, those of the hottest partition: 0 to 1. */
  readonly hottest: number;
  /** Requests by the second until that partition is full. */
  readonly rate: number;
}

const unitsOf = (spots: readonly Spot[]): number => spots.reduce((sum, { units }) => sum + units, 0);

/** Units that are spots, out of a list of (key, place) that was drawn. */
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
 * A new table: four partitions, on which DynamoDB puts each partition key by a hash of its own. Here chance takes the hash's
 * place, the same for the same seed.
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

/** Two halves of the heat, cut between keys or within the places of one; undefined: it is all at one spot. */
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
 * A workload on a new table, and after DynamoDB has split what was hot.
 *
 * Simple where DynamoDB is not told to the public: it splits the hottest partition in two halves of equal heat, one after the
 * other, as long as one is full at `wanted` requests by the second and can be split; partitions never become one again. What
 * adaptive capacity lends for a while, and what an idle partition has saved, is left out: rates are those that last.
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
