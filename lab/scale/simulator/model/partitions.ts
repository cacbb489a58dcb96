import { Bucket } from './bucket.ts';

/**
 * Units a second of a partition, and the seconds of unused units that it keeps. It begins with those of one second.
 *
 * Source: Amazon DynamoDB Developer Guide, "Designing partition keys", "Burst and adaptive capacity".
 */
export const PARTITION = { read: 3000, write: 1000, burstSeconds: 300 } as const;
/** Units a second of a new table or index on demand. Source: DynamoDB Developer Guide, "On-demand capacity mode". */
export const NEW_TABLE = { read: 12_000, write: 4000 } as const;

export type Kind = 'read' | 'write';

/** Units a second. */
export interface Units {
  readonly read: number;
  readonly write: number;
}

/**
 * The units a second of a table on demand: those of a new table or its warm throughput, and at most the quota. A peak of
 * the time before the last 30 minutes would double them, but a simulation is shorter.
 */
export const ceilingOf = (warm: number, quota: number, kind: Kind): number =>
  Math.min(quota, Math.max(NEW_TABLE[kind], warm));

/** The partitions of a table or an index that can carry these units. */
export const partitionsFor = ({ read, write }: Units): number =>
  Math.max(
    Math.ceil(Math.max(read, NEW_TABLE.read) / PARTITION.read),
    Math.ceil(Math.max(write, NEW_TABLE.write) / PARTITION.write),
  );

/** The hashes of the partition keys that a partition remembers of its requests. */
const REMEMBERED = 64;
/** Ms without a refusal after which the throttling of a partition has ended. */
const CALM_MS = 10_000;

/** A range of hashes, from 0 to 1, with the units of one partition. */
class Partition {
  readonly from: number;
  readonly to: number;
  readonly buckets: Readonly<Record<Kind, Bucket>>;
  readonly #recent: number[] = [];
  #seen = 0;
  #hotSince = 0;
  #hotAt = Number.NEGATIVE_INFINITY;

  constructor(from: number, to: number, now: number) {
    this.from = from;
    this.to = to;
    const bucket = (kind: Kind) =>
      new Bucket(PARTITION[kind], PARTITION[kind] * PARTITION.burstSeconds, PARTITION[kind], now);
    this.buckets = { read: bucket('read'), write: bucket('write') };
  }

  remember(hash: number): void {
    this.#recent[this.#seen++ % REMEMBERED] = hash;
  }

  /** Notes a refusal. Returns for how many ms the partition has been hot. */
  refuse(now: number): number {
    if (now - this.#hotAt > CALM_MS) this.#hotSince = now;
    this.#hotAt = now;
    return now - this.#hotSince;
  }

  /** The hash that divides the traffic in two; undefined if all of it has one key. */
  middle(): number | undefined {
    const sorted = [...this.#recent].sort((a, b) => a - b);
    const median = sorted[sorted.length >> 1] ?? 0;
    return median > (sorted[0] ?? 0) ? median : sorted.find((one) => one > median);
  }
}

/**
 * The partitions of a table or an index. A request belongs to one by the hash of its partition key. A partition that has
 * been hot for `splitMs` becomes two, unless one key has all of its traffic.
 */
export class Partitions {
  readonly #parts: Partition[];
  readonly #whole: Readonly<Record<Kind, Bucket>>;
  readonly #splitMs: number;

  constructor(warm: Units, quota: number, splitMs: number) {
    const count = partitionsFor(warm);
    this.#parts = Array.from({ length: count }, (_, at) => new Partition(at / count, (at + 1) / count, 0));
    const whole = (kind: Kind) => {
      const ceiling = ceilingOf(warm[kind], quota, kind);
      return new Bucket(ceiling, ceiling);
    };
    this.#whole = { read: whole('read'), write: whole('write') };
    this.#splitMs = splitMs;
  }

  get count(): number {
    return this.#parts.length;
  }

  /** What refuses a request; undefined: nothing. */
  refusal(hash: number, kind: Kind, now: number): 'table' | 'partition' | undefined {
    if (this.#whole[kind].tokens(now) <= 0) return 'table';
    const part = this.#partOf(hash);
    part.remember(hash);
    if (part.buckets[kind].tokens(now) > 0) return undefined;
    if (part.refuse(now) >= this.#splitMs) this.#split(part, now);
    return 'partition';
  }

  /** Takes the units of an admitted request. */
  charge(hash: number, kind: Kind, units: number, now: number): void {
    this.#whole[kind].charge(units, now);
    this.#partOf(hash).buckets[kind].charge(units, now);
  }

  #partOf(hash: number): Partition {
    const found = this.#parts.find(({ to }) => hash < to);
    if (found) return found;
    throw new Error(`No partition has the hash ${hash}`);
  }

  #split(part: Partition, now: number): void {
    const middle = part.middle();
    if (middle === undefined) return;
    const halves = [new Partition(part.from, middle, now), new Partition(middle, part.to, now)];
    this.#parts.splice(this.#parts.indexOf(part), 1, ...halves);
  }
}
