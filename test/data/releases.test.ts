import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ReleaseName } from '../fixtures/releases/gadgets.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';
import { backfill, endOf } from './tool.ts';

/*
 * The second year of a collection that an author has made, without a record of releases: each release runs on the data
 * of the releases before it, and goes back. Specification 13.1 to 13.3.
 */

const COLORS = ['red', 'green', 'blue'] as const;

type Gadget = Readonly<Record<string, string | number>>;
type Row = Readonly<Record<string, unknown>>;
/** How clients of a release see a gadget. */
type View = (gadget: Gadget) => Gadget;

const FIRST: readonly Gadget[] = Array.from({ length: 20 }, (_, n) => ({
  name: `Gadget ${String((n * 7) % 20).padStart(2, '0')}`,
  color: COLORS[n % 3] as string,
  weight: (n * 3) % 11,
  price: (n * 13) % 97,
  code: n,
}));

const asStored: View = (gadget) => gadget;
const renamed: View = ({ name, ...others }) => ({ ...others, title: name as string });
const retyped: View = (gadget) => ({ ...gadget, weight: String(gadget.weight).padStart(4, '0') });

/** A release that runs on the data of a directory. */
interface Running {
  readonly directory: string;
  readonly service: Run;
  readonly send: Client;
  readonly environment: Readonly<Record<string, string>>;
}

let place: Awaited<ReturnType<typeof temporary>>;
beforeAll(async () => {
  place = await temporary();
});
afterAll(() => place.remove());

const environmentOf = (release: ReleaseName, shards: number) => ({
  ...withFixture('releases'),
  GADGETS: release,
  SHARDS: String(shards),
  // A backfill waits until no earlier release writes.
  INVENTORY_SECONDS: '0.1',
});

/** A release, with 4 partitions or another number of them. */
type Release = ReleaseName | readonly [release: ReleaseName, shards: number];

const begin = (directory: string, release: Release) => {
  const [name, shards] = typeof release === 'string' ? ([release, 4] as const) : release;
  const environment = environmentOf(name, shards);
  return run({ directory, args: ['--empty'], environment }).then((service) => ({ service, environment }));
};

/** Sends requests to a release, which ends after them. */
async function on<Result>(
  directory: string,
  release: Release,
  use: (running: Running) => Promise<Result>,
): Promise<Result> {
  const { service, environment } = await begin(directory, release);
  if (service.url === undefined) throw new Error(service.output());
  try {
    return await use({ directory, service, environment, send: clientOf(service.url) });
  } finally {
    await service.stop();
  }
}

/** Creates gadgets. Returns them by their identifiers. */
async function create({ send }: Running, all = FIRST): Promise<Map<number, Gadget>> {
  const { status, json } = await send('POST', '/gadgets', { json: all });
  expect(status).toBe(201);
  const { items } = json() as { readonly items: readonly { readonly id: number }[] };
  return new Map(items.map(({ id }, at) => [id, all[at] as Gadget]));
}

/** Checks that each gadget is there and right: alone, in every order, by a filter, in a count and on a page. */
async function expectAll({ send }: Running, gadgets: ReadonlyMap<number, Gadget>, view: View): Promise<void> {
  const ids = [...gadgets.keys()].sort();
  await Promise.all(
    atLeastOne([...gadgets]).map(async ([id, gadget]) => {
      const { status, json } = await send('GET', `/gadgets/${id}`);
      expect([status, json()]).toMatchObject([200, { id, ...view(gadget) }]);
    }),
  );
  const fields = Object.keys(view(FIRST[0] as Gadget));
  for (const field of ['id', ...fields]) {
    const rows = await walk(send, `sort=${field}`);
    expect([field, rows.map(({ id }) => id).sort()]).toEqual([field, ids]);
    const values = rows.map((row) => row[field]);
    expect([field, values]).toEqual([field, [...values].sort(compare)]);
    expect(await walk(send, `sort=-${field}`)).toEqual([...rows].reverse());
    const [value] = values;
    const having = rows.filter((row) => row[field] === value).map(({ id }) => id);
    const found = await walk(send, `${field}=${encodeURIComponent(String(value))}`);
    expect([field, found.map(({ id }) => id).sort()]).toEqual([field, having.sort()]);
  }
  const counted = await send('GET', '/gadgets?limit=1', { headers: { Prefer: 'count=exact' } });
  expect(counted.json()).toMatchObject({ total: gadgets.size });
  const page = await send('GET', '/gadgets?limit=100', { headers: { Accept: 'text/html' } });
  for (const id of atLeastOne(ids)) expect(page.text).toContain(`/gadgets/${id}`);
}

const compare = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : Number(a !== b);

/** All rows of a list, page by page. */
async function walk(send: Client, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let href: string | undefined = `/gadgets?limit=15&${query}`; href !== undefined; ) {
    const answer: Awaited<ReturnType<Client>> = await send('GET', href);
    expect([href, answer.status]).toEqual([href, 200]);
    const { items, links } = answer.json() as {
      readonly items: readonly Row[];
      readonly links: readonly { readonly rel: string; readonly href: string }[];
    };
    rows.push(...items);
    href = links.find(({ rel }) => rel === 'next')?.href;
  }
  return rows;
}

let codes = 100;

/** A client creates a gadget, replaces the oldest one, and patches the second one. */
async function write({ send }: Running, gadgets: Map<number, Gadget>, view: View): Promise<void> {
  const made = (): Gadget => {
    codes += 1;
    return { name: `Gadget ${codes}`, color: 'blue', weight: codes % 11, price: codes, code: codes };
  };
  const one = made();
  const { status, json } = await send('POST', '/gadgets', { json: view(one) });
  expect(status).toBe(201);
  const [oldest = 0, second = 0] = gadgets.keys();
  gadgets.set((json() as { readonly id: number }).id, one);
  const other = made();
  expect((await send('PUT', `/gadgets/${oldest}`, { json: view(other) })).status).toBe(200);
  gadgets.set(oldest, other);
  const { code } = made();
  expect((await patch(send, second, { code })).status).toBe(200);
  gadgets.set(second, { ...gadgets.get(second), code: code as number });
}

const patch = (send: Client, id: number | undefined, change: object) =>
  send('PATCH', `/gadgets/${id}`, {
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify(change),
  });

/** Runs the backfill to its end. Returns the operation. */
async function fill({ directory, environment, send }: Running): Promise<unknown> {
  const { code, output } = await backfill(directory, ['gadgets'], { environment });
  expect([code, output]).toEqual([0, expect.stringMatching(/\/operations\/\d+/)]);
  return (await endOf(output, send)).json();
}

type Step = readonly [release: Release, view: View];

/** The releases of each path, in the order of their deployments. */
const PATHS: readonly (readonly [title: string, releases: readonly [Step, ...Step[]]])[] = [
  [
    'other names, more orders and rules, which go again',
    [
      ['first', asStored],
      ['more orders and rules', renamed],
      ['no orders', asStored],
    ],
  ],
  [
    'other types, with a release between that reads them',
    [
      ['first', asStored],
      ['reads later forms', asStored],
      ['other types', retyped],
    ],
  ],
  [
    'more partitions, and fewer again',
    [
      [['first', 4], asStored],
      [['first', 16], asStored],
      [['first', 2], asStored],
    ],
  ],
];

describe('no release and no return hides, loses, refuses or changes a gadget', () => {
  test.each(PATHS)(
    '%s',
    async (title, [first, ...later]) => {
      const directory = join(place.directory, title);
      const gadgets = await on(directory, first[0], (running) => create(running));
      let [before, viewBefore] = first;
      for (const [release, view] of atLeastOne(later)) {
        await on(directory, release, async (running) => {
          await expectAll(running, gadgets, view);
          await write(running, gadgets, view);
        });
        await on(directory, before, async (running) => {
          await expectAll(running, gadgets, viewBefore);
          await write(running, gadgets, viewBefore);
        });
        await on(directory, release, async (running) => {
          await expectAll(running, gadgets, view);
          expect(await fill(running)).toMatchObject({ status: 'Succeeded', progress: { failed: 0 } });
          await expectAll(running, gadgets, view);
          await write(running, gadgets, view);
        });
        [before, viewBefore] = [release, view];
      }
      // Back, one release after the other.
      for (const [release, view] of atLeastOne([first, ...later].slice(0, -1).reverse()))
        if (release !== 'first' || later.every(([one]) => one !== 'other types'))
          await on(directory, release, (running) => expectAll(running, gadgets, view));
    },
    120_000,
  );

  test('a resource that goes, and comes back', async () => {
    const directory = join(place.directory, 'gone');
    const gadgets = await on(directory, 'first', (running) => create(running));
    await on(directory, 'no gadgets', async ({ send }) => {
      expect((await send('GET', '/gadgets')).status).toBe(404);
    });
    await on(directory, 'first', (running) => expectAll(running, gadgets, asStored));
  }, 60_000);

  test('bytes of a property that goes, and comes back', async () => {
    const directory = join(place.directory, 'pictures');
    const path = await on(directory, 'with pictures', async ({ send }) => {
      const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
      return (await send('POST', '/gadgets', { json: { name: 'Lamp', picture } })).headers.location as string;
    });
    await on(directory, 'first', async ({ send, service }) => {
      expect(service.output()).toContain(
        "Items of gadgets have 'picture', and no field shows it. A binary field cannot have another name.",
      );
      const patched = await patch(send, Number(path.split('/').at(-1)), { price: 1 });
      const put = await send('PUT', path, { json: { name: 'Lamp', price: 2 } });
      for (const { status, json } of [patched, put])
        expect([status, json().picture]).toEqual([200, undefined]);
    });
    await on(directory, 'with pictures', async ({ send }) => {
      const { status, text } = await send('GET', `${path}?fields=picture`);
      expect([status, text.slice(0, 6)]).toEqual([200, 'GIF89a']);
    });
  }, 60_000);

  test('rules that forbid stored values, and a choice less', async () => {
    const directory = join(place.directory, 'stricter');
    const gadgets = await on(directory, 'first', (running) => create(running));
    const green = [...gadgets].filter(([, { color }]) => color === 'green').map(([id]) => id);
    const [id] = [...gadgets].find(([, { color, weight }]) => color === 'green' && Number(weight) > 5) ?? [];
    await on(directory, 'stricter rules', async (running) => {
      const { send } = running;
      await expectAll(running, gadgets, asStored);
      const filtered = await walk(send, 'color=green');
      expect(filtered.map((row) => row.id).sort()).toEqual(green.sort());
      // The item lacks the new note, has a retired color, and is too heavy.
      expect((await patch(send, id, { price: 1 })).json()).toMatchObject({ price: 1, color: 'green' });
      const refused = await patch(send, id, { weight: 9, note: '', color: 'green' });
      expect(refused.json()).toMatchObject({ errors: [{ pointer: '/weight' }] });
      const other = [...gadgets].find(([, { color }]) => color === 'red')?.[0];
      expect((await patch(send, other, { color: 'green' })).json()).toMatchObject({
        errors: [{ pointer: '/color', detail: 'must be one of red, blue' }],
      });
      // The form of a page shows the present choice, and keeps it.
      const form = await send('GET', `/gadgets/${id}/edit`, { headers: { Accept: 'text/html' } });
      expect(form.text).toContain('<option selected>green</option>');
      const saved = await send('POST', `/gadgets/${id}/edit`, {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
        body: 'color=green&price=2',
      });
      expect(saved.status).toBe(303);
      expect((await send('GET', `/gadgets/${id}`)).json()).toMatchObject({ color: 'green', price: 2 });
    });
  }, 60_000);

  test('values that become unique, of items that share them', async () => {
    const directory = join(place.directory, 'shared');
    const all = FIRST.map((gadget, n) => ({ ...gadget, code: n < 3 ? 1 : n }));
    const gadgets = await on(directory, 'first', (running) => create(running, all));
    const [first = 0, second = 0] = gadgets.keys();
    await on(directory, 'more orders and rules', async (running) => {
      const { send } = running;
      expect(await fill(running)).toMatchObject({ progress: { done: 18, failed: 2 } });
      await expectAll(running, gadgets, renamed);
      for (const id of [first, second]) expect((await patch(send, id, { price: 7 })).status).toBe(200);
      expect((await send('POST', '/gadgets', { json: { code: 1 } })).status).toBe(409);
      expect((await patch(send, second, { code: 50 })).status).toBe(200);
    });
  }, 60_000);

  test('a reference that later keeps the item that it names', async () => {
    const directory = join(place.directory, 'referring');
    const member = await on(directory, 'first', async ({ send }) => {
      const { headers } = await send('POST', '/members', { json: { username: 'ada' } });
      const memberId = Number(headers.location?.split('/').at(-1));
      expect((await send('POST', '/gadgets', { json: { name: 'Hers', memberId } })).status).toBe(201);
      return headers.location as string;
    });
    await on(directory, 'more orders and rules', async (running) => {
      const { send } = running;
      const early = await send('DELETE', member);
      expect([early.status, early.headers['retry-after']]).toEqual([503, expect.any(String)]);
      await fill(running);
      expect((await send('DELETE', member)).status).toBe(409);
    });
  }, 60_000);
});

describe('a start refuses or names a definition that would hide gadgets', () => {
  const directory = () => join(place.directory, 'refused');
  beforeAll(() => on(directory(), 'first', (running) => create(running)), 60_000);

  test.each<[ReleaseName, RegExp]>([
    ['another type without earlier', /gadgets\.weight is stored as integer, and declared as text/],
    ['another identifier', /The table of gadgets has the key id/],
    ['owners', /The owner of items of gadgets is 'none'/],
  ])('%s', async (release, sentence) => {
    const { service } = await begin(directory(), release);
    await service.stop();
    expect([service.url, service.output()]).toEqual([undefined, expect.stringMatching(sentence)]);
  });

  test('another name without was', async () => {
    await on(directory(), 'another name without was', async ({ service }) => {
      expect(service.output()).toContain("Items of gadgets have 'name', and no field shows it.");
    });
  });

  test('a first release again', () =>
    on(directory(), 'first', async ({ send }) => {
      expect(await walk(send, 'sort=name')).toHaveLength(FIRST.length);
    }));
});
