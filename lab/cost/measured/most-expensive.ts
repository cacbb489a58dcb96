import { dollars, usd } from '../../../infra/cost/prices.ts';
import { registry } from '../../../service/registry.ts';
import { config } from '../../../shared/aws/config.ts';
import { MAXIMUM_ELEMENTS } from '../../../shared/http/maximum-sizes.ts';
import type { Assumptions } from '../../../tools/cost/assumptions.ts';
import { billOf, totalOf } from '../../../tools/cost/bill.ts';
import { table } from '../../table.ts';
import { cappedInAll, cappedOf } from '../model/caps.ts';
import { type Counter, type Kind, times } from './count.ts';
import type { MeteredRequest } from './metered.ts';

/** Counts the most expensive requests that a caller can send, and computes what they cost. */

/** One of the most expensive requests that a caller can send, and its bytes. */
export interface Expensive extends Kind {
  readonly sent: number;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
/** The identifier in a response. */
const idOf = ({ body }: { readonly body: string }): number => JSON.parse(body).id;

/** Bytes of text in an item close to the size limit. */
const LARGE = 250_000;
/** The numbers of elements in the counted list, and on a page of 4 MB. */
const COUNTED = 1000;
const ON_A_PAGE = 16;

const PRODUCTS = { resource: 'products', template: '/products' };
const large = (name: string): string => JSON.stringify({ name, text: 'x'.repeat(LARGE) });

/**
 * Creates the items of a page, one shard after the other. Identifiers are random, and this makes the counts the same in
 * each run.
 */
async function fillPage(create: () => Promise<number>, remove: (id: number) => Promise<unknown>) {
  const shards = config.shards();
  for (let filled = 0; filled < ON_A_PAGE; ) {
    const id = await create();
    if (id % shards === filled % shards) filled += 1;
    else await remove(id);
  }
}

/** Counts the most expensive requests on engines with few items. */
export async function countMostExpensive(counter: Counter): Promise<Expensive[]> {
  const found: Expensive[] = [];
  const count = async (name: string, status: number, sent: MeteredRequest, more = 1) => {
    const made = await counter.made(status, sent);
    const bytes = Buffer.byteLength(sent.body ?? '') * more;
    found.push({ name, status, counted: { ...times(more, made.counted), requests: 1 }, sent: bytes });
    return made;
  };
  const post = (body: string, headers = {}): MeteredRequest => ({
    ...PRODUCTS,
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body,
  });
  const first = idOf(await count('POST of an item of 250 KB', 201, post(large('a'))));
  const second = idOf(
    await count(
      'POST of an item of 250 KB, `Idempotency-Key`',
      201,
      post(large('b'), { 'Idempotency-Key': 'dear' }),
    ),
  );
  await count('PATCH of one member of an item of 250 KB', 200, {
    resource: 'products',
    template: '/products/{id}',
    parameters: { id: String(first) },
    method: 'PATCH',
    headers: MERGE,
    body: '{"name":"y"}',
  });
  const remove = (id: number) =>
    counter.made(204, {
      resource: 'products',
      template: '/products/{id}',
      parameters: { id: String(id) },
      method: 'DELETE',
    });
  for (const id of [first, second]) await remove(id);
  await fillPage(async () => idOf(await counter.made(201, post(large('c')))), remove);
  await count('GET of a page of 4 MB', 200, { ...PRODUCTS, query: { limit: [String(ON_A_PAGE)] } });
  const customer = await counter.made(201, {
    resource: 'customers',
    template: '/customers',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"name":"Acme"}',
  });
  // Orders have the most indexes, and an order of a customer is in all of them.
  const order = JSON.stringify({ customerId: idOf(customer), productId: 1, quantity: 1, orderValue: 1 });
  await count(
    `POST of ${MAXIMUM_ELEMENTS.toLocaleString('en')} orders in an array`,
    202,
    {
      resource: 'orders',
      template: '/orders',
      method: 'POST',
      headers: JSON_TYPE,
      body: `[${Array.from({ length: COUNTED }, () => order).join(',')}]`,
    },
    MAXIMUM_ELEMENTS / COUNTED,
  );
  return found;
}

/** Rounds to three digits, and to two above 10,000, because the additional calls of an operation vary between runs. */
const rounded = (value: number): string =>
  Number(value.toPrecision(value < 10_000 ? 3 : 2)).toLocaleString('en');

/** The cost of each request, the most expensive last. */
export function mostExpensiveTable(
  {
    mostExpensive,
    eventsLine,
  }: { readonly mostExpensive: readonly Expensive[]; readonly eventsLine: number },
  assumed: Assumptions,
): string {
  const rows = mostExpensive
    .map((one) => ({ ...one, usd: totalOf(billOf(one.counted, assumed, eventsLine)) }))
    .sort((a, b) => a.usd - b.usd)
    .map(({ name, sent, counted, usd: each }) => [
      name,
      sent.toLocaleString('en'),
      rounded(counted.readUnits),
      rounded(counted.writeUnits),
      rounded(counted.events),
      each.toPrecision(2),
    ]);
  const heads = ['request', 'bytes sent', 'read units', 'write units', 'events', '$ each'];
  return table(heads, rows);
}

/** Seconds of a month of 365 / 12 days. */
const MONTH = (365 / 12) * 24 * 3600;
/** Units per second of each table and of each index. */
const CAPS = [100, 1000, 10_000];

/** The largest cost of DynamoDB in a month for each value of the options that limit units. */
export function capsTable(): string {
  const most = registry.reduce((a, b) => (cappedOf(a) >= cappedOf(b) ? a : b));
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
      row(`\`${most.name}\` with its indexes`, cappedOf(most)),
      row('everything', cappedInAll(registry)),
    ],
  );
}
