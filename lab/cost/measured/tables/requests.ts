import { usd } from '../../../../infra/cost/prices.ts';
import type { Assumptions } from '../../../../tools/cost/assumptions.ts';
import { type Bill, billOf, type Counted, PARTS, totalOf } from '../../../../tools/cost/bill.ts';
import { table } from '../../../table.ts';
import type { Compared } from '../../model/limits.ts';
import type { Counts } from '../requests.ts';

const MILLION = 1_000_000;

/** US dollars for a million requests of each kind, in total and by part, with the largest shares. */
export function requestsTable({ kinds, eventsLine }: Counts, assumed: Assumptions): string {
  const bills = kinds.map(({ name, counted }) => ({ name, bill: billOf(counted, assumed, eventsLine) }));
  const parts = PARTS.filter((part) => bills.some(({ bill }) => bill[part] > 0));
  const rows = bills.map(({ name, bill }) => {
    const total = totalOf(bill);
    return [
      name,
      `**${usd(total * MILLION)}**`,
      ...parts.map((part) =>
        bill[part] === 0 ? '' : `${usd(bill[part] * MILLION)} · ${percent(bill[part] / total)}`,
      ),
      mostOf(bill),
    ];
  });
  return table(['a million of', '$', ...parts, 'most is'], rows);
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const mostOf = (bill: Bill): string =>
  PARTS.reduce((most, part) => (bill[part] > bill[most] ? part : most), PARTS[0]);

/** The counts of one request of each kind. */
export function countsTable({ kinds }: Counts): string {
  const rows = kinds.map(({ name, status, counted }) => [
    name,
    String(status),
    ...[
      counted.readUnits,
      counted.writeUnits,
      counted.objectWrites,
      counted.objectReads,
      counted.messages,
      counted.handovers,
      counted.events,
      counted.invocations.length,
      logBytes(counted),
      counted.bytesOut,
    ].map((value) => (value === 0 ? '' : value.toLocaleString('en'))),
  ]);
  const heads = [
    'one',
    'status',
    'read units',
    'write units',
    'S3 as PUT',
    'S3 as GET',
    'SQS',
    'handed over',
    'events',
    'functions',
    'bytes logged',
    'bytes out',
  ];
  return table(heads, rows);
}

/** Each limit with the value that was counted. */
export function limitsTable(compared: readonly Compared[]): string {
  const rows = compared.map(({ kind, measure, value, limit }) => {
    const shown = measure === '$ a million' ? usd : (count: number) => count.toLocaleString('en');
    return [kind, measure, shown(value), shown(limit)];
  });
  return table(['request', 'measure', 'value', 'at most'], rows);
}

const logBytes = ({ invocations }: Counted): number =>
  invocations.reduce((sum, one) => sum + one.logBytes, 0);
