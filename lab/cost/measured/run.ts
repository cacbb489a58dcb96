import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ASSUMED } from '../model/assumptions.ts';
import { fillDocument } from '../model/document.ts';
import { usd } from '../model/dollars.ts';
import { comparedWithLimits } from '../model/limits.ts';
import { capsTable, dearestTable } from './dearest.ts';
import { countAll } from './requests.ts';
import { billOfMonth, DEPLOYED, fixedTable, monthTable, optionsTable } from './tables/month.ts';
import { priceTable } from './tables/prices.ts';
import { countsTable, limitsTable, requestsTable } from './tables/requests.ts';
import { shardsTable } from './tables/shards.ts';

/**
 * `npm run cost` counts the calls of every kind of request on the embedded engines and writes their cost into
 * docs/cost.md. It prints the limits, and fails above one. `--check` checks that the document is current. `--requests
 * 5000000 --read 0.9 --gigabytes 20 --waf --no-metrics --tracing` prints a month's bill instead. It measures no time,
 * so the result is the same on every machine.
 */
const { values } = parseArgs({
  allowNegative: true,
  options: {
    check: { type: 'boolean', default: false },
    requests: { type: 'string' },
    read: { type: 'string', default: '0.9' },
    gigabytes: { type: 'string', default: '1' },
    objects: { type: 'string', default: '1' },
    waf: { type: 'boolean', default: false },
    tracing: { type: 'boolean', default: false },
    metrics: { type: 'boolean', default: true },
  },
});

/** @throws Error if the value is not a number of at least 0 */
function number(name: 'requests' | 'read' | 'gigabytes' | 'objects'): number {
  const value = Number(values[name]);
  if (!(value >= 0)) throw new Error(`--${name} must be a number, not '${values[name]}'`);
  return value;
}

const path = join(import.meta.dirname, '../../../docs/cost.md');

const counts = await countAll(ASSUMED.polls);
if (values.requests === undefined) {
  const before = readFileSync(path, 'utf8');
  const compared = comparedWithLimits(counts.kinds, ASSUMED, counts.eventsLine);
  const after = fillDocument(before, {
    requests: requestsTable(counts, ASSUMED),
    counts: countsTable(counts),
    limits: limitsTable(compared),
    fixed: fixedTable(counts),
    months: monthTable(counts),
    dearest: dearestTable(counts, ASSUMED),
    caps: capsTable(),
    options: optionsTable(counts),
    pages: shardsTable(),
    prices: priceTable(),
  });
  if (after === before) console.log('docs/cost.md is current');
  else if (values.check) {
    console.error('docs/cost.md is out of date: run npm run cost');
    process.exitCode = 1;
  } else {
    writeFileSync(path, after);
    console.log('wrote docs/cost.md');
  }
  for (const { kind, measure, value, limit } of compared) {
    const isHeld = value <= limit;
    console.log(`${kind}: ${value.toFixed(2)} ${measure} of at most ${limit}${isHeld ? '' : ' – too much'}`);
    if (!isHeld) process.exitCode = 1;
  }
} else {
  const month = {
    requests: number('requests'),
    read: Math.min(1, number('read')),
    gigabytes: number('gigabytes'),
    objectGigabytes: number('objects'),
  };
  const bill = billOfMonth(counts, month, {
    assumed: { ...ASSUMED, firewall: values.waf, tracing: values.tracing },
    deployed: { ...DEPLOYED, firewall: values.waf, metrics: values.metrics },
  });
  for (const [name, value] of Object.entries(bill)) console.log(`${name.padEnd(10)} $ ${usd(value)}`);
}
// The handlers keep unused connections open, which would keep the process alive.
process.exit();
