import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { follow } from '../../functions/changes/follow.ts';
import type { LogPlace } from '../../functions/changes/places.ts';
import { append } from '../../functions/events/append.ts';
import { routesOf } from '../../infra/gateway/routing.ts';
import { gateway } from '../../local/gateway/gateway.ts';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { metering, noUsage } from '../../shared/aws/meter.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import { number, text, toAttributes } from '../../shared/store/form/attributes.ts';
import { CHANGES_TABLE, EVENT } from '../../shared/store/form/log-table.ts';
import { imageOf, keeping } from '../../shared/store/history/versions-table.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { newIdentifiers, newItem } from '../../shared/store/write/new-item.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { testTime } from '../support/clock.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { attached, resourceOf } from './attached.ts';

// Specification 10.10: what one reading request can take of DynamoDB, with items of 250 KB.
attached((call, pass) => pass(...call));

/** 20 MB of an index, or 10 MB as last written. */
const MOST_UNITS = 2_500;
const LARGE = 'x'.repeat(250_000);
const HOUR = 3_600_000;

/** Items of each resource: 25 MB of customers, small orders of them, and some of the others for each partition of the log. */
const COUNTS = { customers: 102, members: 12, products: 12, orders: 60 } as const;
type Name = keyof typeof COUNTS;
const ids = new Map<string, readonly number[]>();
/** The versions of the first member before the present one. The first of them began an hour before the others. */
const VERSIONS = 400;

const VALUES: Readonly<Record<Name, (at: number) => object>> = {
  customers: () => ({ name: LARGE }),
  members: () => ({ username: 'a', note: LARGE }),
  products: () => ({ name: 'a', color: LARGE }),
  orders: (at) => ({
    productId: ids.get('products')?.[at % COUNTS.products],
    customerId: ids.get('customers')?.[at],
    quantity: at + 1,
    orderValue: 1,
  }),
};

/** The time of the items: whole seconds, in ms since the epoch. */
const began = Math.floor(testTime() / 1000) * 1000 - 2 * HOUR;

beforeAll(async () => {
  const now = began;
  for (const name of ['customers', 'members', 'products', 'orders'] as const) {
    const resource = resourceOf(name);
    const numbers = newIdentifiers(now, COUNTS[name]);
    ids.set(name, numbers);
    const items = numbers.map((id, at) => newItem(resource, SERVICE, now, { ...VALUES[name](at) }, id));
    for (const item of atLeastOne(items)) {
      expect((await itemsOf(resource, SERVICE).insert(item)).kind).toBe('written');
    }
    const { history } = resource;
    if (!history) throw new Error(`${name} has no history`);
    const images = items.map((item) => imageOf(toAttributes(resource, item, 4)));
    await append(
      items.map(({ id, version }, at) => ({
        resource: { name, history },
        id,
        version,
        before: undefined,
        time: now,
        event: JSON.stringify({ type: `${name.slice(0, -1)}.created`, time: new Date(now).toISOString() }),
        image: images[at] ?? {},
      })),
    );
    for (const [at, { id }] of items.entries()) {
      const gone = {
        ...toAttributes(resource, { ...(items[at] as (typeof items)[0]), id: Number(id) + 1 }, 4),
      };
      const removal = { at: now + at, by: undefined };
      await dynamoDb().send(new PutItemCommand(keeping(resource, gone, { ended: now, removal })));
    }
  }
  const members = resourceOf('members');
  const [id = 0] = ids.get('members') ?? [];
  const first = newItem(members, SERVICE, now, { username: 'b', note: LARGE.slice(150_000) }, id);
  for (let version = 1; version <= VERSIONS; version += 1) {
    const time = version === 1 ? now - HOUR : now + version * 1000;
    const row = toAttributes(members, { ...first, version, updatedAt: time }, 4);
    await dynamoDb().send(new PutItemCommand(keeping(members, row, { ended: time })));
  }
  const present = { ...first, version: VERSIONS + 1, updatedAt: now + (VERSIONS + 1) * 1000 };
  const TableName = config.tableName('members');
  await dynamoDb().send(new PutItemCommand({ TableName, Item: toAttributes(members, present, 4) }));
}, 120_000);

let client: Client;
let close: () => unknown;
beforeAll(async () => {
  const server = gateway({
    routes: routesOf(registry),
    handlers: new Map(registry.map((one) => [one.name, serve(one)])),
    stage: { name: 'local', inPath: false },
    now: testTime,
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  close = () => server.close();
});
afterAll(() => {
  close();
});

/** Reads a path, and returns the status, the text and the units. */
async function read(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { prefer, ...others } = headers;
  const answer = await client('GET', path, {
    headers: { ...others, prefer: [prefer, 'server-timing'].flatMap((one) => one ?? []).join(', ') },
  });
  const { status, text } = answer;
  const { location, 'server-timing': timing = '' } = answer.headers;
  return { status, text, location, units: Number(/read-units;desc="([\d.]+)"/.exec(timing)?.[1] ?? 0) };
}

/** The path of a template for the first item of its resource. */
function pathOf(template: string, query = ''): string {
  const [, name = ''] = template.split('/');
  const id = String(ids.get(name)?.[0] ?? 1);
  const parameters = { id, version: '200', name: 'a', n: '1', type: 'conflict', filename: 'a' };
  const path = template.replace(/\{(\w+)\}/g, (_, one: keyof typeof parameters) => parameters[one]);
  return query === '' ? path : `${path}?${query}`;
}

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
}
const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Readonly<Record<string, { readonly get?: Operation } & Operation>>;
};
const TEMPLATES = Object.entries(paths).flatMap(([path, { get }]) =>
  get && !/\/sign-|\?/.test(path) && registry.some(({ routes }) => routes.some((one) => one.path === path))
    ? [path]
    : [],
);

const time = (ms: number) => ({ 'accept-datetime': new Date(testTime() - ms).toUTCString() });
type Way = readonly [query: string, headers?: Readonly<Record<string, string>>];
/** The identifiers of all items of 250 KB, and then those of small ones. */
const everything = () => [...ids.values()].flat().join();
/** Queries that make a list read much. A path without such a parameter refuses or ignores it. */
const OF_LISTS: readonly (() => Way)[] = [
  () => ['limit=100'],
  () => ['limit=1000', { prefer: 'count=exact' }],
  () => ['limit=1000&offset=70', { prefer: 'count=exact' }],
  () => ['limit=2&sort=note,-color', { prefer: 'count=exact' }],
  () => ['name=b&username=b&quantity=77'],
  () => [
    'quantity=1,2,3,4,5,6,7,8,9,10&price=1,2,3,4,5,6,7,8&sort=-createdAt&limit=1000',
    { prefer: 'count=exact' },
  ],
  () => ['expand=customer,products&limit=1000', { prefer: 'count=exact' }],
  () => ['expand=customer,products&sort=note&limit=1000'],
  () => [`id=${everything()}`, { prefer: 'count=exact' }],
  () => [`id=${everything()}&limit=1000&offset=3&sort=-id&expand=customer`],
  () => [`id=${everything()}&sort=name`],
  () => ['resource=customers&type=order.paid'],
];
const OF_ITEMS: readonly (() => Way)[] = [
  () => [''],
  () => ['expand=customer,products'],
  () => ['', time(4 * HOUR)],
  () => ['', time(2.5 * HOUR)],
];

// Specification 4.27
test.each([
  ['application/json', OF_LISTS],
  ['text/html', OF_LISTS.slice(-3)],
])(
  'each GET of the API description takes at most 2,500 read units: %s',
  async (accept, ofLists) => {
    expect(TEMPLATES.length).toBeGreaterThan(30);
    const dear: unknown[] = [];
    const statuses = new Set<number>();
    for (const template of TEMPLATES)
      for (const way of template.endsWith('}') ? OF_ITEMS : ofLists) {
        const [query, headers] = way();
        const { status, units } = await read(pathOf(template, query), { accept, ...headers });
        statuses.add(status);
        if (units > MOST_UNITS || status >= 500) dear.push([template, query.slice(0, 60), status, units]);
      }
    expect(dear).toEqual([]);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 302, 404]));
  },
  300_000,
);

type Page = {
  readonly items: readonly Record<string, unknown>[];
  readonly links: readonly { rel: string; href: string }[];
};

/** Follows `next` from a path to an empty page of changes, or to the last page. Returns the elements, and the pages. */
async function followed(path: string) {
  const all: Record<string, unknown>[] = [];
  let pages = 0;
  for (let at: string | undefined = path; at !== undefined; ) {
    const { text, units, status } = await read(at);
    expect([status, text.slice(0, 0)]).toEqual([200, '']);
    expect(units).toBeLessThanOrEqual(MOST_UNITS);
    const { items, links } = JSON.parse(text) as Page;
    all.push(...items);
    pages += 1;
    const next: string | undefined = links.find(({ rel }) => rel === 'next')?.href;
    at = next === at ? undefined : next;
  }
  return { all, pages };
}

describe('a page that ends early at its read units continues without a loss', () => {
  const named = ({ id, orderId }: Record<string, unknown>) => (id ?? orderId) as number;
  const ascending = (name: Name) => [...(ids.get(name) ?? [])];

  // Specification 4.27, 4.24
  test('a list of small orders with large customers', async () => {
    const { all, pages } = await followed('/orders?limit=1000&expand=customer,products');
    expect(all.map(named)).toEqual(ascending('orders'));
    expect(pages).toBeGreaterThan(2);
    const shown = all.map(({ customer }) => named(customer as Record<string, unknown>));
    expect(shown).toEqual(ascending('customers').slice(0, shown.length));
    const back = await followed('/orders?limit=1000&expand=customer&sort=-orderId');
    expect(back.all.map(named)).toEqual(ascending('orders').reverse());
  }, 60_000);

  // Specification 4.27, 4.25
  test('large items by their identifiers, in both directions', async () => {
    const customers = ascending('customers');
    for (const [sort, wanted] of [
      ['id', customers],
      ['-id', [...customers].reverse()],
    ] as const) {
      const { all, pages } = await followed(`/customers?limit=1000&sort=${sort}&id=${customers.join()}`);
      expect(all.map(named)).toEqual(wanted);
      expect(pages).toBeGreaterThan(2);
    }
    const first = await read(`/customers?limit=10&id=${customers.join()}`);
    expect(first.units).toBeLessThan(MOST_UNITS / 2);
  }, 60_000);

  // Specification 4.27, 4.4, 4.23
  test('the page after a deep offset, and a list that the service cannot count', async () => {
    const customers = ascending('customers');
    const { text, status } = await read('/customers?limit=1000&offset=50');
    expect(status).toBe(200);
    const page = JSON.parse(text) as Page;
    const rest = await followed(page.links.find(({ rel }) => rel === 'next')?.href ?? '');
    expect([...page.items, ...rest.all].map(named)).toEqual(customers.slice(50));
    const counted = await read('/customers?limit=1000', { prefer: 'count=exact' });
    expect(JSON.parse(counted.text)).not.toHaveProperty('total');
    const small = await read('/orders?limit=1', { prefer: 'count=exact' });
    expect(JSON.parse(small.text)).toMatchObject({ total: COUNTS.orders });
  }, 60_000);
});

// Specification 4.27, 17.1
test('partitions of the log that have too large changes for one request follow each other', async () => {
  const partitions = Array.from({ length: 28 }, (_, at) => `wide.${at}`);
  for (const [at, partition] of partitions.entries())
    for (const position of [100 + at, 200 + at]) {
      const row = { ...rowKeyOf(partition, position), [EVENT]: text('x'.repeat(390_000)) };
      await dynamoDb().send(
        new PutItemCommand({ TableName: config.tableName(CHANGES_TABLE.name), Item: row }),
      );
    }
  let places = partitions.map((partition) => ({ ...PLACE, partition }));
  const found: string[] = [];
  let pages = 0;
  for (let before = -1; before < found.length; pages += 1) {
    before = found.length;
    const usage = noUsage(true);
    const rows = await metering(usage, rowsAfter, places);
    expect(usage.readUnits).toBeLessThanOrEqual(MOST_UNITS);
    for (const { partition, position } of rows) {
      found.push(`${partition} ${position}`);
      places = places.map((one) => (one.partition === partition ? { ...one, after: position } : one));
    }
  }
  expect(pages).toBeGreaterThan(2);
  expect(found.toSorted()).toEqual(
    partitions.flatMap((one, at) => [`${one} ${100 + at}`, `${one} ${200 + at}`]).toSorted(),
  );
  for (const one of partitions) {
    const own = found.filter((row) => row.startsWith(`${one} `));
    expect(own).toEqual(own.toSorted());
  }
}, 60_000);

const PLACE = { resource: 'wide', days: 30, after: 0, last: 1000, epoch: '' };
const rowKeyOf = (partition: string, position: number) => ({
  [CHANGES_TABLE.key]: text(partition),
  [CHANGES_TABLE.sort]: number(position),
});
async function rowsAfter(places: readonly LogPlace[]) {
  const rows: { readonly partition: string; readonly position: number }[] = [];
  for await (const row of follow(places, { count: 100, budget: { rows: 2000, keep: 0 }, now: 0 })) {
    if (row.kind === 'gone') throw new Error('A change is gone');
    rows.push(row);
  }
  return rows;
}

// Specification 17.3
test('a filter of changes ends pages early, and the last one follows', async () => {
  const { all, pages } = await followed('/changes?resource=customers&type=customer.removed');
  expect(all).toEqual([]);
  expect(pages).toBeGreaterThan(2);
  // A request that waits has the same units for all its looks.
  const waiting = await read('/changes?resource=customers&type=customer.removed', { prefer: 'wait=20' });
  expect(waiting.units).toBeLessThanOrEqual(MOST_UNITS);
  const created = await followed('/changes?resource=customers&type=customer.created&limit=1000');
  expect(new Set(created.all.map(({ data }) => (data as { id: number }).id))).toEqual(
    new Set(ids.get('customers')),
  );
  expect(created.all).toHaveLength(COUNTS.customers);
}, 60_000);

// Specification 16.3
test('a list of large versions ends pages early, and has each version once', async () => {
  const { all, pages } = await followed(pathOf('/members/{id}/versions', 'limit=100'));
  expect(all.map(({ version }) => version)).toEqual(
    Array.from({ length: VERSIONS + 1 }, (_, at) => VERSIONS + 1 - at),
  );
  expect(pages).toBeGreaterThan(4);
}, 60_000);

// Specification 16.5
test.each([
  [4 * HOUR, undefined],
  [3 * HOUR - 5000, 1],
  [2 * HOUR + 5000, 1],
  [2 * HOUR - 200_500, 200],
  [HOUR, VERSIONS + 1],
])('the time gate finds the version of %i ms ago: %s', async (ago, version) => {
  const { status, units, location } = await read(pathOf('/members/{id}'), {
    'accept-datetime': new Date(began + 2 * HOUR - ago).toUTCString(),
  });
  expect([status, location?.split('/').at(-1)]).toEqual(
    version === undefined ? [404, undefined] : [302, String(version)],
  );
  expect(units).toBeLessThan(MOST_UNITS / 4);
});
