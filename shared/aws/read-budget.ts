import { current } from './meter.ts';

/**
 * The read units that a reading request uses at most: 20 MB of an index, or 10 MB as last written. Source: Specification
 * 4.27; Amazon DynamoDB Developer Guide, "Read consistency" and "Capacity unit consumption".
 */
export const MAXIMUM_UNITS = 2_500;
/** The read units of one item as last written, at 400 KB. A read of an index takes half. */
export const UNITS_OF_ITEM = 100;
/** The read units of one Query as last written: 1 MB, and the item that passes it. A read of an index takes half. */
export const UNITS_OF_QUERY = 356;

/** Returns the read units that the request has left beside its running reads. Other work has no limit. */
export function unitsLeft(): number {
  const usage = current.getStore();
  return usage?.reads ? MAXIMUM_UNITS - usage.readUnits - usage.reads.reserved : Number.POSITIVE_INFINITY;
}

/** The units of a read: it needs `least`, and can use `most`. Later reads of the request need `keep`. */
interface Units {
  readonly least: number;
  readonly most: number;
  readonly keep?: number;
}

/**
 * Reads as soon as the other reads of the request leave enough units. `granted`: the most units that the read may take.
 * Returns undefined if the request has too few units left.
 */
export async function readWithin<Answer>(
  { least, most, keep = 0 }: Units,
  read: (granted: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  const reads = current.getStore()?.reads;
  if (!reads) return read(most);
  const { lastStart, running } = reads;
  const { promise, resolve: start } = Promise.withResolvers<void>();
  reads.lastStart = promise;
  await lastStart;
  let left = unitsLeft();
  // The end of a running read helps if it leaves more than this read would get without waiting.
  const isWorthwhile = () => left < least || (left - keep < most && left + reads.reserved - keep > least);
  for (; running.size > 0 && isWorthwhile(); left = unitsLeft()) await Promise.race(running);
  if (left < least) {
    start();
    return undefined;
  }
  const granted = Math.min(most, Math.max(left - keep, least));
  reads.reserved += granted;
  const answer = read(granted);
  const end = answer
    .catch(() => undefined)
    .then(() => {
      reads.reserved -= granted;
      running.delete(end);
    });
  running.add(end);
  start();
  return answer;
}
