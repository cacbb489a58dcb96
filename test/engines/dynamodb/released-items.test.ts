import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { rewriteOf } from '../../../functions/worker/backfill/rewrite.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { sightOf } from '../../../shared/resource/access/sight.ts';
import type { Description } from '../../../shared/resource/description/description.ts';
import { visibleScalars } from '../../../shared/resource/lists/filter.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { attached, resourceOf } from '../attached.ts';
import { request } from '../request.ts';

attached((call, pass) => pass(...call));

/**
 * Items that `npm start` of earlier releases stored: before `_schema`, and with it. Each line
 * has the name of a resource, and an item in DynamoDB's JSON.
 */
const FOLDER = join(import.meta.dirname, '../../fixtures/stored');
const FILES = readdirSync(FOLDER).sort();

type Line = { readonly resource: string; readonly item: Attributes };

const linesOf = (file: string): Line[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) =>
      JSON.parse(line, (name, value) =>
        name === 'B' ? new Uint8Array(Buffer.from(value, 'base64')) : value,
      ),
    );

const keyOf = ({ description }: Resource, item: Attributes): string => {
  const { name } = (description as Description).identifier;
  return item[name]?.N ?? item[name]?.S ?? '';
};

/** Replaces all items by those of these lines. Returns the identifiers of each resource. */
async function load(lines: readonly Line[]): Promise<Map<string, Set<string>>> {
  const ids = new Map<string, Set<string>>();
  for (const name of new Set(lines.map(({ resource }) => resource))) {
    const TableName = config.tableName(name);
    const key = descriptionOf(resourceOf(name)).identifier.name;
    const { Items = [] } = await dynamoDb().send(new ScanCommand({ TableName }));
    for (const item of Items)
      await dynamoDb().send(
        new DeleteItemCommand({ TableName, Key: { [key]: item[key] as Attributes[string] } }),
      );
  }
  for (const { resource, item } of lines) {
    await dynamoDb().send(new PutItemCommand({ TableName: config.tableName(resource), Item: item }));
    ids.set(resource, (ids.get(resource) ?? new Set()).add(keyOf(resourceOf(resource), item)));
  }
  return ids;
}

type Shown = Record<string, unknown>;

/** All items of a list, page by page. */
async function walk(of: Resource, query: string): Promise<Shown[]> {
  const items: Shown[] = [];
  let href: string | undefined = `/${of.name}?limit=3&${query}`;
  while (href !== undefined) {
    const { status, body }: Awaited<ReturnType<typeof request>> = await request(of, 'GET', href);
    if (status !== 200) throw new Error(`${status} to ${href}: ${JSON.stringify(body)}`);
    items.push(...body.items);
    href = body.links.find((link: { rel: string }) => link.rel === 'next')?.href;
  }
  return items;
}

const SETS: [string, Line[]][] = [
  ...FILES.map((file): [string, Line[]] => [file, linesOf(file)]),
  ['all releases together', FILES.flatMap(linesOf)],
];

// Specification 13.1, 13.2
describe.each(SETS)('%s', (_, lines) => {
  test('every list shows each item once, in every order and by every filter', async () => {
    const ids = await load(lines);
    expect([...ids.keys()].sort()).toEqual(['customers', 'files', 'members', 'orders', 'products']);
    for (const [name, expected] of atLeastOne(ids)) {
      const of = resourceOf(name);
      const description = descriptionOf(of);
      const id = description.identifier.name;
      const shownIds = (items: readonly Shown[]) => items.map((one) => String(one[id])).sort();
      const fields = Object.keys(visibleScalars(sightOf(description, undefined)));
      const all = await walk(of, `sort=${id}`);
      expect(shownIds(all)).toEqual([...expected].sort());
      for (const field of atLeastOne(fields)) {
        const ascending = await walk(of, `sort=${field}`);
        expect([field, shownIds(ascending)]).toEqual([field, [...expected].sort()]);
        expect(await walk(of, `sort=-${field}`)).toEqual([...ascending].reverse());
        for (const value of atLeastOne(new Set(all.map((one) => one[field])))) {
          if (typeof value !== 'string' && typeof value !== 'number') continue;
          const query = new URLSearchParams({ [field]: String(value) });
          const having = all.filter((one) => one[field] === value);
          expect([String(query), shownIds(await walk(of, String(query)))]).toEqual([
            String(query),
            shownIds(having),
          ]);
        }
      }
    }
  });

  test('every item has its values and needs no backfill', async () => {
    await load(lines);
    for (const { resource, item } of atLeastOne(lines)) {
      const of = resourceOf(resource);
      expect(rewriteOf(of, item)).toEqual({ kind: 'current' });
      if (resource === 'files') continue;
      const { status, body } = await request(of, 'GET', `/${resource}/${keyOf(of, item)}`);
      expect(status).toBe(200);
      const stored = Object.keys(item).filter((name) => !name.startsWith('_'));
      expect(Object.keys(body)).toEqual(expect.arrayContaining(stored));
    }
  });

  test('a write of this release keeps the values that it does not name', async () => {
    await load(lines);
    for (const { resource, item } of atLeastOne(lines.filter(({ resource }) => resource !== 'files'))) {
      const of = resourceOf(resource);
      const path = `/${resource}/${keyOf(of, item)}`;
      const { updatedAt: _, ...before } = (await request(of, 'GET', path)).body;
      const patched = await request(of, 'PATCH', path, [{ op: 'add', path: '/note', value: 'new' }]);
      expect([patched.status, patched.body]).toMatchObject([200, { ...before, note: 'new' }]);
    }
  });
});
