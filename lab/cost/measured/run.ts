import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SWEEP } from '../../../infra/cost/fixed-costs.ts';
import { ASSUMED } from '../../../tools/cost/assumptions.ts';
import { fillDocument } from '../model/document.ts';
import { comparedWithLimits } from '../model/limits.ts';
import { capsTable, mostExpensiveTable } from './most-expensive.ts';
import { countAll } from './requests.ts';
import { fixedTable, monthTable, optionsTable, sweepCost } from './tables/month.ts';
import { priceTable } from './tables/prices.ts';
import { countsTable, limitsTable, requestsTable } from './tables/requests.ts';

/** The most that the price of the sweeper's run at rest may differ from the counted one. */
const MOST_DIFFERENCE = 0.02;

/**
 * `npm run cost` counts the calls of every kind of request on the embedded engines and writes their cost into
 * docs/cost.md. It prints the limits, and fails above one. `--check` checks that the document is current. It measures no
 * time, so the result is the same on every machine.
 */
const isCheck = process.argv.includes('--check');
const path = join(import.meta.dirname, '../../../docs/cost.md');

const counts = await countAll(ASSUMED.polls);
const before = readFileSync(path, 'utf8');
const compared = comparedWithLimits(counts.kinds, ASSUMED, counts.eventsLine);
const after = fillDocument(before, {
  requests: requestsTable(counts, ASSUMED),
  counts: countsTable(counts),
  limits: limitsTable(compared),
  fixed: fixedTable(counts),
  months: monthTable(counts),
  expensive: mostExpensiveTable(counts, ASSUMED),
  caps: capsTable(),
  options: optionsTable(counts),
  prices: priceTable(),
});
if (after === before) console.log('docs/cost.md is current');
else if (isCheck) {
  console.error('docs/cost.md is out of date: run npm run cost');
  process.exitCode = 1;
} else {
  writeFileSync(path, after);
  console.log('wrote docs/cost.md');
}
const swept = sweepCost(counts);
if (Math.abs(swept / SWEEP - 1) > MOST_DIFFERENCE) {
  console.error(`A run of the sweeper costs $ ${swept}: write it into infra/cost/fixed-costs.ts`);
  process.exitCode = 1;
}
for (const { kind, measure, value, limit } of compared) {
  const isHeld = value <= limit;
  console.log(`${kind}: ${value.toFixed(2)} ${measure} of at most ${limit}${isHeld ? '' : ' – too much'}`);
  if (!isHeld) process.exitCode = 1;
}
// The handlers keep unused connections open, which would keep the process alive.
process.exit();
