import type { Counted } from '../../../tools/cost/bill.ts';
import type { Mix } from '../model/month.ts';
import type { Counts } from './requests.ts';

/** The assumed shares of each kind of request in the reads and writes of a month. */
export const READS = {
  'GET item': 0.6,
  'GET item, `If-None-Match` (304)': 0.1,
  'GET list, 25 of 1,000': 0.3,
};
export const WRITES = { 'POST item': 0.4, 'PATCH item': 0.3, 'PUT item': 0.2, 'DELETE item': 0.1 };

/** The counts of the kind with this name. @throws Error if there are none */
export function kindOf({ kinds }: Counts, name: string): Counted {
  const found = kinds.find((one) => one.name === name);
  if (!found) throw new Error(`There are no counts of ${name}`);
  return found.counted;
}

/** A month's reads and writes by kind. */
export function mixOf(counts: Counts): { reads: Mix; writes: Mix } {
  const mix = (shares: Readonly<Record<string, number>>): Mix =>
    Object.entries(shares).map(([name, share]) => [kindOf(counts, name), share]);
  return { reads: mix(READS), writes: mix(WRITES) };
}
