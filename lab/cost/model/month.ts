import { type Deployed, fixedCosts } from '../../../infra/cost/fixed-costs.ts';
import { dollars } from '../../../infra/cost/prices.ts';
import type { Assumptions } from '../../../tools/cost/assumptions.ts';
import { billOf, type Counted, totalOf } from '../../../tools/cost/bill.ts';

/** The requests and the data of a month. */
export interface Month {
  readonly requests: number;
  /** Share of reads in the requests: 0 to 1. */
  readonly read: number;
  /** Gigabytes of items and of objects. The model adds the indexes, which contain the items again. */
  readonly gigabytes: number;
  readonly objectGigabytes: number;
}

/** Kinds of requests and their shares. The sum of all shares is 1. */
export type Mix = readonly (readonly [counted: Counted, share: number])[];

/** Indexes of a table. Each contains complete items. Point-in-time recovery covers the table only. */
const INDEXES = 4;

/** The cost of a month in US dollars: requests, storage and fixed cost. */
export interface MonthBill {
  readonly requests: number;
  readonly storage: number;
  readonly fixed: number;
  readonly total: number;
}

/** The bill of a month of reads and writes. `eventsLine` and `sweep` are counted values. */
export function monthOf(
  { requests, read, gigabytes, objectGigabytes }: Month,
  { reads, writes }: { readonly reads: Mix; readonly writes: Mix },
  counted: { readonly eventsLine: number; readonly sweep: Counted },
  { assumed, deployed }: { readonly assumed: Assumptions; readonly deployed: Deployed },
): MonthBill {
  const { eventsLine, sweep } = counted;
  const each = (one: Counted) => totalOf(billOf(one, assumed, eventsLine));
  const mixed = (mix: Mix) => mix.reduce((sum, [one, share]) => sum + share * each(one), 0);
  const asked = requests * (read * mixed(reads) + (1 - read) * mixed(writes));
  const storage =
    dollars('itemStorage', gigabytes * (1 + INDEXES)) +
    dollars('recoveryStorage', gigabytes) +
    dollars('objectStorage', objectGigabytes);
  const fixed = Object.values(fixedCosts(deployed, each(sweep))).reduce((sum, one) => sum + one, 0);
  return { requests: asked, storage, fixed, total: asked + storage + fixed };
}
