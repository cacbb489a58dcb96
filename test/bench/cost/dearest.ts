import { registry } from '../../../functions/registry.ts';
import type { Assumptions } from '../../../infra/cost/assumptions.ts';
import { billOf, totalOf } from '../../../infra/cost/bill.ts';
import { usd } from '../../../infra/cost/dollars.ts';
import { dollars } from '../../../infra/cost/prices.ts';
import { MAXIMUM_ELEMENTS } from '../../../shared/flow/limits.ts';
import { tableOf } from '../../../shared/store/table.ts';
import type { Sent } from '../parts/metered.ts';
import { table } from '../table.ts';
import { type Counter, times } from './count.ts';
import type { Counts, Kind } from './requests.ts';

/** A request that a caller can send to cost as much as possible, and the bytes that they send. */
export interface Dear extends Kind {
  readonly sent: number;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
/** Bytes of text in an item that is almost as large as an item may be. */
const LARGE = 250_000;
/** Elements of a list that are counted, and how many are on a page of 4 MB. */
const COUNTED = 1000;
const ON_A_PAGE = 16;
const SMALL_ITEM = '{"name":"x"}';

const PRODUCTS = { resource: 'products', template: '/products' };
const large = (name: string): string => JSON.stringify({ name, text: 'x'.repeat(LARGE) });

/** Counts them on engines that hold few items of the kind. */
export async function countDearest(counter: Counter): Promise<Dear[]> {
  const found: Dear[] = [];
  const count = async (name: string, status: number, sent: Sent, more = 1) => {
    const made = await counter.made(status, sent);
    const bytes = Buffer.byteLength(sent.body ?? '') * more;
    found.push({ name, status, counted: { ...times(more, made.counted), requests: 1 }, sent: bytes });
    return made;
  };
  const post = (body: string, headers = {}): Sent => ({
    ...PRODUCTS,
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
  const { body } = await count('POST of an item of 250 KB', 201, post(large('a')));
  await count('… with `Idempotency-Key`', 201, post(large('b'), { 'Idempotency-Key': 'dear' }));
  await count('PATCH of one member of it', 200, {
    resource: 'products',
    template: '/products/{id}',
    parameters: { id: String((JSON.parse(body) as { id: number }).id) },
    method: 'PATCH',
    headers: MERGE,
    body: '{"name":"y"}',
  });
  for (let at = 0; at < ON_A_PAGE; at += 1) await counter.made(201, post(large('c')));
  await count('GET of a page of 4 MB', 200, { ...PRODUCTS, query: { limit: [String(ON_A_PAGE)] } });
  const several = Array.from({ length: COUNTED }, () => SMALL_ITEM).join(',');
  await count(
    `POST of ${MAXIMUM_ELEMENTS.toLocaleString('en')} items in an array`,
    202,
    { ...post(`[${several}]`) },
    MAXIMUM_ELEMENTS / COUNTED,
  );
  return found;
}

/** What each costs, the dearest last. */
export function dearestTable({ dearest, eventsLine }: Counts, assumed: Assumptions): string {
  const rows = dearest
    .map((one) => ({ ...one, usd: totalOf(billOf(one.counted, assumed, eventsLine)) }))
    .sort((a, b) => a.usd - b.usd)
    .map(({ name, sent, counted, usd: each }) => [
      name,
      sent.toLocaleString('en'),
      counted.readUnits.toLocaleString('en'),
      Math.round(counted.writeUnits).toLocaleString('en'),
      counted.events.toLocaleString('en'),
      each.toPrecision(2),
      usd(each * 1_000_000),
    ]);
  const heads = ['request', 'bytes sent', 'read units', 'write units', 'events', '$ each', '$ a million'];
  return table(heads, rows);
}

/** Seconds of a month of 365 / 12 days. */
const MONTH = (365 / 12) * 24 * 3600;
/** Units per second of each table and of each index. */
const CAPS = [100, 1000, 10_000];

/** What a month can cost in DynamoDB at most, by the options that limit units. */
export function capsTable(): string {
  const tables = registry.filter((one) => one.table);
  // The table of kept answers has no index.
  const capped = tables.reduce((sum, one) => sum + 1 + tableOf(one).indexes.length, 1);
  const most = tableOf(
    tables.reduce((a, b) => (tableOf(a).indexes.length > tableOf(b).indexes.length ? a : b)),
  );
  const row = (what: string, places: number) => [
    what,
    String(places),
    ...CAPS.map((cap) => usd(dollars('writeUnits', cap * places * MONTH))),
    ...CAPS.map((cap) => usd(dollars('readUnits', cap * places * MONTH))),
  ];
  return table(
    [
      'a month of full use, $',
      'tables and indexes',
      ...CAPS.map((cap) => `\`maximumWrites=${cap}\``),
      ...CAPS.map((cap) => `\`maximumReads=${cap}\``),
    ],
    [
      row('one table or index', 1),
      row(`\`${most.resource}\` with its indexes`, 1 + most.indexes.length),
      row('everything', capped),
    ],
  );
}
