import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { integer, resource, text } from 'resource-api';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { number } from '../../../shared/store/form/attributes.ts';
import { attached } from '../attached.ts';
import { collectLog } from '../collected-log.ts';
import { request } from '../request.ts';

attached((call, pass) => pass(...call));
const logged = collectLog();

const facts = { about: 'Members', open: true, bulk: false };
const older = resource('members', {
  ...facts,
  fields: { name: text({ sortable: true }), age: integer({ sortable: true }), city: text() },
});
/** `name` has another name, and `age` another type. */
const newer = resource('members', {
  ...facts,
  version: 2,
  fields: {
    fullName: text({ was: 'name', sortable: true }),
    age: text({
      earlier: { before: 2, read: (stored) => (typeof stored === 'object' ? stored.text : undefined) },
    }),
    city: text(),
  },
});

async function create(of: Resource, json: unknown): Promise<number> {
  const { status, body } = await request(of, 'POST', '/members', json);
  expect(status).toBe(201);
  return body.id;
}

/** The values of the members of a list that have this city. */
async function listed(of: Resource, query: string): Promise<unknown[]> {
  const { status, body } = await request(of, 'GET', `/members?${query}`);
  expect([status, body]).toMatchObject([200, {}]);
  return body.items.map(
    ({ id: _, links, createdAt, updatedAt, ...values }: Record<string, unknown>) => values,
  );
}

const TableName = config.tableName;

/** Stores attributes that no release writes. */
const damage = (id: number, set: Attributes) =>
  dynamoDb().send(
    new UpdateItemCommand({
      TableName: TableName('members'),
      Key: { id: number(id) },
      UpdateExpression: 'SET #a = :v',
      ExpressionAttributeNames: { '#a': Object.keys(set)[0] as string },
      ExpressionAttributeValues: { ':v': Object.values(set)[0] as Attributes[string] },
    }),
  );

// Specification 13.1
test('a renamed property and one of another type have the values that an earlier release stored', async () => {
  const city = 'Ulm';
  const first = await create(older, { name: 'b', age: 36, city });
  const second = await create(newer, { fullName: 'a', age: 'old', city });
  const items = [
    { fullName: 'a', age: 'old', city },
    { fullName: 'b', age: '36', city },
  ];
  expect(await listed(newer, `sort=fullName&city=${city}`)).toEqual(items);
  expect(await listed(newer, `sort=-fullName&city=${city}`)).toEqual([...items].reverse());
  expect(await listed(newer, `fullName=b&city=${city}`)).toEqual([items[1]]);
  expect(await listed(newer, `age=36&city=${city}`)).toEqual([items[1]]);
  expect(await listed(newer, `fullName.gte=a&sort=age&city=${city}`)).toEqual([items[1], items[0]]);
  expect((await request(newer, 'GET', `/members/${first}`)).body).toMatchObject({ fullName: 'b', age: '36' });
  // A write stores the new form.
  const patch = [{ op: 'add', path: '/city', value: 'Bonn' }];
  expect((await request(newer, 'PATCH', `/members/${first}`, patch)).status).toBe(200);
  const replacement = { fullName: 'c', city: 'Bonn' };
  expect((await request(newer, 'PUT', `/members/${second}`, replacement)).status).toBe(200);
  expect(await listed(newer, 'sort=fullName&city=Bonn')).toEqual([
    { fullName: 'b', age: '36', city: 'Bonn' },
    { fullName: 'c', city: 'Bonn' },
  ]);
});

// Specification 13.1
test('after a roll-back, the earlier release reads the items of the later one', async () => {
  const city = 'Kiel';
  const id = await create(newer, { fullName: 'a', city });
  await create(older, { name: 'b', city });
  const items = [
    { name: 'a', city },
    { name: 'b', city },
  ];
  expect(await listed(older, `sort=name&city=${city}`)).toEqual(items);
  expect(await listed(older, `name=a&city=${city}`)).toEqual([items[0]]);
  expect((await request(older, 'PUT', `/members/${id}`, { name: 'c', age: 7, city })).status).toBe(200);
  // The later release returns.
  expect((await request(newer, 'GET', `/members/${id}`)).body).toMatchObject({ fullName: 'c', age: '7' });
});

// Specification 2.50, 2.54
test('an item keeps a name that differs in case from a field of a later release', async () => {
  const declaring = resource('members', { ...facts, fields: { name: text(), email: text() } });
  const id = await create(older, { name: 'a', eMail: 'old' });
  const path = `/members/${id}`;
  const change = (operation: object) => request(declaring, 'PATCH', path, [operation]);
  expect((await change({ op: 'replace', path: '/name', value: 'b' })).body).toMatchObject({ eMail: 'old' });
  expect((await change({ op: 'replace', path: '/eMail', value: 'new' })).status).toBe(200);
  const refused = [
    await change({ op: 'add', path: '/EMAIL', value: 'x' }),
    await request(declaring, 'PUT', path, { name: 'b', eMail: 'new' }),
  ];
  expect(refused.map(({ status, body }) => [status, body.errors[0].pointer])).toEqual([
    [400, '/EMAIL'],
    [400, '/eMail'],
  ]);
  expect((await request(declaring, 'GET', path)).body).toMatchObject({ name: 'b', eMail: 'new' });
  expect((await change({ op: 'move', from: '/eMail', path: '/email' })).body).toMatchObject({ email: 'new' });
});

// Specification 13.1
test('an item of unknown form is a problem of its own, and lists show its identifier', async () => {
  const city = 'Jena';
  const ids = [
    await create(older, { name: 'a', city }),
    await create(newer, { fullName: 'b', age: 'x', city }),
  ];
  await create(older, { name: 'c', age: 1, city });
  for (const query of ['sort=id', 'sort=name', 'sort=age,name', 'age.gte=0', 'name.prefix=']) {
    const { status, body } = await request(older, 'GET', `/members?${query}&city=${city}`);
    expect(status).toBe(200);
    const unknown = body.items.find((one: { id: number }) => one.id === ids[1]);
    if (query.startsWith('sort')) {
      expect(body.items).toHaveLength(3);
      expect(Object.keys(unknown)).toEqual(['id', 'createdAt', 'updatedAt', 'links']);
    }
  }
  const path = `/members/${ids[1]}`;
  const problem = { status: 500, body: { type: '/problems/unreadable-item', status: 500 } };
  logged.length = 0;
  expect(await request(older, 'GET', path)).toMatchObject(problem);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    { level: 'error', unreadable: { resource: 'members', id: ids[1], attributes: ['age'] } },
  ]);
  // A patch would lose the value.
  expect(await request(older, 'PATCH', path, [{ op: 'add', path: '/name', value: 'd' }])).toMatchObject(
    problem,
  );
  expect((await request(newer, 'GET', path)).body).toMatchObject({ fullName: 'b', age: 'x' });
  expect((await request(older, 'DELETE', path)).status).toBe(204);
});

test.each<[string, Attributes]>([
  ['a number for a text', { name: { N: '1' } }],
  ['a text for a number', { age: { S: 'x' } }],
  ['a fraction for a whole number', { age: { N: '1.5' } }],
  ['no JSON for the undeclared properties', { _open: { S: '{' } }],
])('an item with %s does not hide others', async (_, set) => {
  const city = 'Gera';
  const id = await create(older, { name: 'a' });
  await damage(id, set);
  const other = await create(older, { name: 'b', city });
  const { status, body } = await request(older, 'GET', '/members?limit=1000');
  expect(status).toBe(200);
  expect(body.items.map((one: { id: number }) => one.id)).toEqual(expect.arrayContaining([id, other]));
  expect((await request(older, 'GET', `/members/${id}`)).status).toBe(500);
});

// Specification 13.1
test('a property that becomes declared has the values that clients set before', async () => {
  const fields = { name: text({ sortable: true }), city: text() };
  const later = resource('members', { ...facts, fields: { ...fields, color: text(), size: integer() } });
  const earlier = resource('members', { ...facts, fields });
  const place = { city: 'Suhl' };
  const id = await create(earlier, { name: 'a', color: 'red', size: 'large', ...place });
  await create(later, { name: 'b', color: 'red', size: 5, ...place });
  const items = [
    { name: 'a', color: 'red', size: 'large', ...place },
    { name: 'b', color: 'red', size: 5, ...place },
  ];
  expect(await listed(later, 'city=Suhl&sort=name')).toEqual(items);
  expect(await listed(later, 'city=Suhl&color=red&sort=name')).toEqual(items);
  expect(await listed(later, 'city=Suhl&color.prefix=r&sort=-name')).toEqual([...items].reverse());
  expect(await listed(later, 'city=Suhl&size=5')).toEqual([items[1]]);
  // A change leaves a value that the new field refuses, and cannot set another one.
  const patch = (path: string, value: string) =>
    request(later, 'PATCH', `/members/${id}`, [{ op: 'replace', path, value }]);
  expect(await patch('/name', 'c')).toMatchObject({ status: 200, body: { name: 'c', size: 'large' } });
  expect((await patch('/size', 'small')).status).toBe(400);
  const removal = [{ op: 'remove', path: '/size' }];
  expect((await request(later, 'PATCH', `/members/${id}`, removal)).status).toBe(200);
  expect(await listed(later, 'city=Suhl&color=red&sort=-name')).toEqual([
    { name: 'c', color: 'red', ...place },
    items[1],
  ]);
});

test('an item of a release without versions has version 1', async () => {
  const Item = {
    id: number(1),
    _version: number(1),
    _created: number(1),
    _updated: number(1),
    _shard: number(1),
    name: { S: 'a' },
    age: number(5),
  };
  await dynamoDb().send(new PutItemCommand({ TableName: TableName('members'), Item }));
  expect((await request(newer, 'GET', '/members/1')).body).toMatchObject({ fullName: 'a', age: '5' });
});
