import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { append } from '../../functions/events/append.ts';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { metering, noUsage } from '../../shared/aws/meter.ts';
import { answer } from '../../shared/flow/answer.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import { imageOf, keeping } from '../../shared/store/history/kept-version.ts';
import { toAttributes } from '../../shared/store/items/attributes.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { newIdentifiers, newItem } from '../../shared/store/items/new-item.ts';
import { testTime } from '../support/clock.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { attached, resourceOf } from './attached.ts';

// Specification 10.10: what one reading request can take of DynamoDB, with items of 250 KB.
attached((call, pass) => pass(...call));

/** 20 MB of an index, or 10 MB as last written. */
const MOST_UNITS = 2_500;
const LARGE = 'x'.repeat(250_000);
const HOUR = 3_600_000;

/** Items of each resource: 25 MB of customers, and enough of the others for each partition of the log. */
const COUNTS = { customers: 102, members: 12, products: 12, orders: 12 } as const;
type Name = keyof typeof COUNTS;
const ids = new Map<string, readonly number[]>();
/** The versions of the first member before the present one. The first of them began an hour before the others. */
const VERSIONS = 400;

const VALUES: Readonly<Record<Name, (at: number) => object>> = {
  customers: () => ({ name: LARGE }),
  members: () => ({ username: 'a', note: LARGE }),
  products: () => ({ name: 'a', color: LARGE }),
  orders: (at) => ({
    productId: ids.get('products')?.[at],
    customerId: ids.get('customers')?.[at],
    note: LARGE,
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

/** Reads a path, and returns the status, the text and the units. `template`: that of its route. */
async function read(template: string, query: string, headers: Readonly<Record<string, string>> = {}) {
  const [, name = ''] = template.split('/');
  const resource = registry.find(({ routes }) => routes.some(({ path }) => path === template));
  if (!resource) throw new Error(`No resource has ${template}`);
  const id = String(ids.get(name)?.[0] ?? 1);
  const parameters = { id, version: '200', name: 'a', n: '1', type: 'conflict', filename: 'a' };
  const path = template.replace(/\{(\w+)\}/g, (_, one: keyof typeof parameters) => parameters[one]);
  const usage = noUsage();
  const parsed = new URLSearchParams(query);
  const response = await metering(usage, () =>
    answer(resource, {
      method: 'GET',
      template,
      path,
      parameters,
      query: new Map([...parsed.keys()].map((key) => [key, parsed.getAll(key)])),
      headers,
      content: () => undefined,
      basePath: '',
      requestId: 'units',
      receivedAt: testTime(),
    }),
  );
  const { status, body, headers: fields } = response;
  return { status, text: String(body ?? ''), location: fields.Location, units: usage.readUnits };
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
type Way = readonly [query: string, headers: Readonly<Record<string, string>>];
/** Queries that make a list read much. A path without such a parameter refuses or ignores it. */
const OF_LISTS: readonly Way[] = [
  ['limit=100', {}],
  ['limit=1000', {}],
  ['name=b&username=b&quantity=77', {}],
  ['expand=customer,products', {}],
  ['resource=customers&type=order.paid', {}],
];
const OF_ITEMS: readonly Way[] = [
  ['', {}],
  ['', time(4 * HOUR)],
  ['', time(2.5 * HOUR)],
];

test('each GET of the API description takes at most 2,500 read units', async () => {
  expect(TEMPLATES.length).toBeGreaterThan(30);
  const dear: unknown[] = [];
  const statuses = new Set<number>();
  for (const template of TEMPLATES)
    for (const [query, headers] of template.endsWith('}') ? OF_ITEMS : OF_LISTS) {
      const { status, units } = await read(template, query, headers);
      statuses.add(status);
      if (units > MOST_UNITS || status >= 500) dear.push([template, query, headers, status, units]);
    }
  expect(dear).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 302, 400, 404]));
}, 120_000);

/** Follows `next` from a path to an empty page of changes, or to the last page. Returns the elements, and the pages. */
async function followed(template: string, query: string) {
  const all: Record<string, unknown>[] = [];
  let pages = 0;
  for (let at: string | undefined = query; at !== undefined; ) {
    const { text, units } = await read(template, at);
    expect(units).toBeLessThanOrEqual(MOST_UNITS);
    const { items, links } = JSON.parse(text) as {
      items: Record<string, unknown>[];
      links: readonly { rel: string; href: string }[];
    };
    all.push(...items);
    pages += 1;
    const next: string | undefined = links.find(({ rel }) => rel === 'next')?.href.split('?')[1];
    at = next === at ? undefined : next;
  }
  return { all, pages };
}

// Specification 17.3
test('a filter of changes ends pages early, and the last one follows', async () => {
  const { all, pages } = await followed('/changes', 'resource=customers&type=customer.removed');
  expect(all).toEqual([]);
  expect(pages).toBeGreaterThan(2);
  // A request that waits has the same units for all its looks.
  const waiting = await read('/changes', 'resource=customers&type=customer.removed', { prefer: 'wait=20' });
  expect(waiting.units).toBeLessThanOrEqual(MOST_UNITS);
  const created = await followed('/changes', 'resource=customers&type=customer.created&limit=1000');
  expect(new Set(created.all.map(({ data }) => (data as { id: number }).id))).toEqual(
    new Set(ids.get('customers')),
  );
  expect(created.all).toHaveLength(COUNTS.customers);
}, 60_000);

// Specification 16.3
test('a list of large versions ends pages early, and has each version once', async () => {
  const { all, pages } = await followed('/members/{id}/versions', 'limit=100');
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
  const { status, units, location } = await read('/members/{id}', '', {
    'accept-datetime': new Date(began + 2 * HOUR - ago).toUTCString(),
  });
  expect([status, location?.split('/').at(-1)]).toEqual(
    version === undefined ? [404, undefined] : [302, String(version)],
  );
  expect(units).toBeLessThan(MOST_UNITS / 4);
});
