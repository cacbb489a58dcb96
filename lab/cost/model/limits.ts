import type { Assumptions } from '../../../tools/cost/assumptions.ts';
import { billOf, type Counted, totalOf } from '../../../tools/cost/bill.ts';

/** The quantity that a limit measures in one kind of request, and the way to measure it. */
const MEASURES = {
  'read units': ({ readUnits }: Counted) => readUnits,
  'write units': ({ writeUnits }: Counted) => writeUnits,
  '$ a million': (counted: Counted, assumed: Assumptions, eventsLine: number) =>
    totalOf(billOf(counted, assumed, eventsLine)) * 1_000_000,
} as const;

type Measure = keyof typeof MEASURES;

/** The largest value that a kind of request may reach. `npm run check` fails above it. */
const LIMITS: readonly (readonly [kind: string, measure: Measure, limit: number])[] = [
  ['POST item', 'write units', 11],
  ['POST order of a customer', 'write units', 15],
  ['GET item', '$ a million', 4.9],
  // Browsers and most clients accept gzip.
  ['GET list, 25 of 1,000, `Accept-Encoding: gzip`', '$ a million', 5.3],
  ['POST order of a customer', '$ a million', 16.4],
];

/** A limit with the value that was counted. */
export interface Compared {
  readonly kind: string;
  readonly measure: Measure;
  readonly value: number;
  readonly limit: number;
}

/** Compares every limit with the counts. @throws Error if a limit names a kind that has no counts */
export function comparedWithLimits(
  kinds: readonly { readonly name: string; readonly counted: Counted }[],
  assumed: Assumptions,
  eventsLine: number,
  limits = LIMITS,
): readonly Compared[] {
  return limits.map(([kind, measure, limit]) => {
    const found = kinds.find(({ name }) => name === kind);
    if (!found) throw new Error(`A limit names ${kind}, which has no counts`);
    return { kind, measure, value: MEASURES[measure](found.counted, assumed, eventsLine), limit };
  });
}
