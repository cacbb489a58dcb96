import { expect } from '@jest/globals';
import type { JsonObject } from '../../../shared/json/value.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { Pages } from '../../../shared/store/lists/pages.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { request } from '../request.ts';
import type { Deployment } from './deployment.ts';
import { type Facts, known, type Release, shown } from './release.ts';

/** A thing that clients wrote: its facts, and the version of the release that wrote it last. */
interface Thing {
  readonly facts: Facts;
  readonly version: number;
}

/** The things of each table that clients of all releases have written, by identifier. */
export type Things = Map<string, Map<number, Thing>>;

/** How many values of a property the lists are filtered by. */
const FILTERED = 1;

let written = 0;

/** New facts. Their orders differ from the order of their creation. */
function newFacts(): Facts {
  written += 1;
  const rank = (written * 37) % 101;
  return {
    label: `label ${rank}`,
    rank,
    code: written,
    color: rank % 2 === 0 ? 'red' : 'blue',
    owner: rank % 3,
  };
}

const of = (things: Things, { resource: { name } }: Release): Map<number, Thing> => {
  const found = things.get(name) ?? new Map<number, Thing>();
  things.set(name, found);
  return found;
};

const entry = (deployment: Deployment): void => {
  Object.assign(process.env, deployment.environment);
};

/** A client of each resource creates a thing, replaces the oldest one, and patches the second one. */
export async function write(deployment: Deployment, things: Things): Promise<void> {
  entry(deployment);
  for (const release of atLeastOne(deployment.releases)) {
    const { resource, version } = release;
    const all = of(things, release);
    const path = `/${resource.name}`;
    const facts = known(release, newFacts());
    const created = await request(resource, 'POST', path, shown(release, facts));
    expect([created.status, created.body]).toMatchObject([201, {}]);

    const [oldest, second] = all.keys();
    all.set(created.body.id, { facts, version });
    if (oldest === undefined || second === undefined) continue;
    const others = known(release, newFacts());
    const replaced = await request(resource, 'PUT', `${path}/${oldest}`, shown(release, others));
    expect([replaced.status, replaced.body]).toMatchObject([200, shown(release, others)]);
    all.set(oldest, { facts: { ...all.get(oldest)?.facts, ...others }, version });

    const before = all.get(second) as Thing;
    const label = newFacts().label as string;
    const [name] = Object.entries(release.properties).find(([, { fact }]) => fact === 'label') ?? [];
    const patch = [{ op: 'add', path: `/${name}`, value: label }];
    const patched = await request(resource, 'PATCH', `${path}/${second}`, patch);
    expect(patched.status).toBe(canRead(release, before) ? 200 : 500);
    if (canRead(release, before)) all.set(second, { facts: { ...before.facts, label }, version });
  }
}

/** A release cannot know the form of values of a later version of the description. */
const canRead = ({ reads }: Release, thing: Thing): boolean => thing.version <= reads;

/** Checks that no thing is lost, hidden or refused: alone, in each order of each list, and by each filter. */
export async function expectAll(deployment: Deployment, things: Things): Promise<void> {
  entry(deployment);
  for (const release of atLeastOne(deployment.releases)) {
    const { resource } = release;
    const all = of(things, release);
    const ids = [...all.keys()].sort();
    for (const [id, thing] of atLeastOne(all)) {
      const { status, body } = await request(resource, 'GET', `/${resource.name}/${id}`);
      const alone = canRead(release, thing)
        ? [200, { id, ...shown(release, thing.facts) }]
        : [500, { type: '/problems/unreadable-item' }];
      expect([status, body]).toMatchObject(alone);
    }
    for (const property of ['id', ...Object.keys(release.properties)]) {
      const ascending = await walked(release, `sort=${property}`);
      expect([property, ascending.map(({ id }) => id).sort()]).toEqual([property, ids]);
      const values = ascending.map((item) => item[property]).filter((value) => value !== undefined);
      expect([property, values]).toEqual([property, [...values].sort(byValue)]);
      expect(await walked(release, `sort=-${property}`)).toEqual([...ascending].reverse());
      const chosen = [...new Set(values)].slice(0, FILTERED);
      const found: unknown[] = [];
      for (const value of chosen) {
        const filtered = await walked(release, `${property}=${encodeURIComponent(String(value))}`);
        found.push(filtered.map(({ id }) => id).sort());
      }
      const having = (value: unknown) => ascending.filter((item) => item[property] === value);
      const wanted = chosen.map((value) =>
        having(value)
          .map(({ id }) => id)
          .sort(),
      );
      expect([property, chosen, found]).toEqual([property, chosen, wanted]);
    }
    await expectOwners(release, all);
  }
}

const byValue = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));

/** All items of a list, page by page. */
async function walked({ resource }: Release, query: string): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  let href: string | undefined = `/${resource.name}?limit=15&${query}`;
  while (href !== undefined) {
    const { status, body }: Awaited<ReturnType<typeof request>> = await request(resource, 'GET', href);
    expect([href, status, body]).toMatchObject([href, 200, {}]);
    items.push(...body.items);
    href = body.links.find((link: { rel: string }) => link.rel === 'next')?.href;
  }
  return items;
}

/** Checks the lists of the things of each owner, in every order that an index has. */
async function expectOwners({ resource }: Release, all: ReadonlyMap<number, Thing>): Promise<void> {
  const found: unknown[] = [];
  const wanted: unknown[] = [];
  for (const field of resource.table?.partitions ?? []) {
    for (const owner of [0, 1, 2]) {
      const ids = [...all].filter(([, { facts }]) => facts.owner === owner).map(([id]) => id);
      for (const sort of ['id', ...resource.sortable]) {
        const sortOrder = [{ field: sort, descending: false }];
        const query = { limit: 100, offset: 0, sortOrder, filters: [] };
        const listing = await new Pages(resource).list(SERVICE, query, { field, value: owner });
        const page = listing.kind === 'page' ? listing.page.items.map(({ id }) => id).sort() : listing;
        found.push([field, owner, sort, page]);
        wanted.push([field, owner, sort, ids.sort()]);
      }
    }
  }
  expect(found).toEqual(wanted);
}
