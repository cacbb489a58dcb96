import { type Deployed, fixedCosts, STACK, type Stack, stackOf } from '../../../../infra/cost/fixed-costs.ts';
import { dollars, usd } from '../../../../infra/cost/prices.ts';
import { shareOf } from '../../../../shared/store/lists/reading/partition-reader.ts';
import { SCHEDULES, SERVICES } from '../../../../test/infra/services.ts';
import { ASSUMED, type Assumptions } from '../../../../tools/cost/assumptions.ts';
import { billOf, type Counted, totalOf } from '../../../../tools/cost/bill.ts';
import { table } from '../../../table.ts';
import { type Month, monthOf } from '../../model/month.ts';
import { kindOf, mixOf } from '../mix.ts';
import type { Counts } from '../requests.ts';

/** Computes the tables of docs/cost.md about the bill of a month. */

const MILLION = 1_000_000;

/** A stack without options. */
const DEPLOYED: Deployed = { observability: 'basic', firewall: false, closed: true, program: false };
/** The stack of infra/environments/production.ts. */
const PRODUCTION: Deployed = { ...DEPLOYED, observability: 'full', firewall: true };

/** The cost of one run of the sweeper in US dollars. */
export const sweepCost = ({ sweep, eventsLine }: Counts): number =>
  totalOf(billOf(sweep, ASSUMED, eventsLine));

/** The monthly cost without requests: of this service with each observability, and of the lending library in `examples`. */
export function fixedTable(counts: Counts): string {
  const library = stackOf(SERVICES['of the library'], SCHEDULES['of the library']);
  const columns: readonly (readonly [string, Deployed, Stack])[] = [
    ['**default:** `basic`', DEPLOYED, STACK],
    ['`none`', { ...DEPLOYED, observability: 'none' }, STACK],
    ['production: `full`, `waf`', PRODUCTION, STACK],
    ['[lending library](../examples/library), default', DEPLOYED, library],
  ];
  const costs = columns.map(([, deployed, stack]) => fixedCosts(deployed, sweepCost(counts), stack));
  const rows = Object.keys(costs[0] ?? {}).map((name) => [name, ...costs.map((one) => usd(one[name] ?? 0))]);
  const sums = costs.map((one) => Object.values(one).reduce((sum, value) => sum + value, 0));
  return table(
    ['$ a month without requests', ...columns.map(([name]) => name)],
    [...rows, ['**together**', ...sums.map((sum) => `**${usd(sum)}**`)]],
  );
}

/** Bills for several numbers of requests. */
export function monthTable(counts: Counts): string {
  const sizes: readonly Month[] = [
    { requests: 0, read: 0.9, gigabytes: 0, objectGigabytes: 0 },
    { requests: MILLION, read: 0.9, gigabytes: 1, objectGigabytes: 1 },
    { requests: 10 * MILLION, read: 0.9, gigabytes: 10, objectGigabytes: 10 },
    { requests: 100 * MILLION, read: 0.9, gigabytes: 100, objectGigabytes: 100 },
    { requests: 100 * MILLION, read: 0.5, gigabytes: 100, objectGigabytes: 100 },
    { requests: 1000 * MILLION, read: 0.9, gigabytes: 1000, objectGigabytes: 1000 },
  ];
  const rows = sizes.map((month) => {
    const bill = monthOf(month, mixOf(counts), counts, { assumed: ASSUMED, deployed: DEPLOYED });
    const production = monthOf(month, mixOf(counts), counts, {
      assumed: { ...ASSUMED, firewall: true },
      deployed: PRODUCTION,
    });
    return [
      month.requests.toLocaleString('en'),
      `${month.read * 100} %`,
      `${month.gigabytes} GB + ${month.objectGigabytes} GB`,
      usd(bill.requests),
      usd(bill.storage),
      usd(bill.fixed),
      `**${usd(bill.total)}**`,
      usd(production.total),
    ];
  });
  return table(
    [
      'requests',
      'reads',
      'items + objects',
      'requests, $',
      'storage, $',
      'by the month, $',
      '$',
      'production, $',
    ],
    rows,
  );
}

/** The change of cost by each option, for a million requests of several kinds, and by the month. */
export function optionsTable(counts: Counts): string {
  const { eventsLine, lines } = counts;
  const cost = (one: Counted, assumed = ASSUMED, line = eventsLine) =>
    MILLION * totalOf(billOf(one, assumed, line));
  const get = kindOf(counts, 'GET item');
  const post = kindOf(counts, 'POST item');
  const list = kindOf(counts, 'GET list, 25 of 1,000');
  const fixed = (deployed: Deployed) =>
    Object.values(fixedCosts(deployed, sweepCost(counts))).reduce((sum, one) => sum + one, 0);
  const difference = (value: number) =>
    Math.abs(value) < 0.005 ? '' : `${value < 0 ? '−' : '+'}${usd(Math.abs(value))}`;
  const row = (name: string, assumed: Partial<Assumptions>, deployed: Partial<Deployed> = {}, saved = 0) => [
    name,
    ...[get, list, post].map((one) =>
      difference(cost(shorter(one, saved), { ...ASSUMED, ...assumed }, eventsLine - saved) - cost(one)),
    ),
    difference(fixed({ ...DEPLOYED, ...deployed }) - fixed(DEPLOYED)),
  ];
  const saved = lines.withMetrics - lines.without;
  const logs = (one: Counted) => (billOf(one, ASSUMED, eventsLine).logs * MILLION) / dollars('logs', 1);
  const kept = (days: number) => {
    // CloudWatch compresses stored logs to about a sixth of their size.
    const month = (one: Counted) => dollars('logStorage', (logs(one) * 0.15 * days) / 30);
    return [get, list, post].map((one) =>
      difference(month(one) - (days === 30 ? 0 : dollars('logStorage', logs(one) * 0.15))),
    );
  };
  const spread = (shards: number) => {
    const more = (pageUnits(25, shards) - pageUnits(25, 4)) * MILLION;
    return [`\`shards=${shards}\``, '', difference(dollars('readUnits', more)), '', ''];
  };
  return table(
    ['option', 'GET item', 'GET list', 'POST item', 'by the month'],
    [
      row('`pages=false`: API Gateway knows nine of ten callers', { knownCallers: 0.9 }),
      row('`observability=full`', {}, { observability: 'full' }, -saved),
      row('`observability=none`', {}, { observability: 'none' }),
      row('`program=read` or `all`', {}, { program: true }),
      row('`waf=count` or `block`', { firewall: true }, { firewall: true }),
      row('`tracing=true`', { tracing: true }),
      row('`auth=none`', { authorized: false }, { closed: false }),
      row('`architecture=x86_64`', { architecture: 'x86_64' }),
      ['`logRetentionDays=365` instead of 30', ...kept(365), ''],
      spread(16),
      spread(64),
    ],
  );
}

const shorter = (one: Counted, bytes: number): Counted => ({
  ...one,
  invocations: one.invocations.map((invocation) => ({
    ...invocation,
    logBytes: invocation.logBytes - bytes,
  })),
});

/** Assumed bytes of an item in an index. */
const ITEM_BYTES = 400;

/**
 * Read units of a page of a list. Each shard takes a Query of its own, and a Query costs half a unit for each step
 * of 4 KB.
 *
 * Source: Amazon DynamoDB Developer Guide, "Read and write operations".
 */
function pageUnits(limit: number, shards: number): number {
  const steps = Math.ceil((shareOf(limit + 1, shards) * ITEM_BYTES) / 4096);
  return (shards * steps) / 2;
}
