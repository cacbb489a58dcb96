import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import { JSON_PATCH, patch } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

underTest();

/** One vector of json-patch-test-suite. */
interface Vector {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: readonly Record<string, unknown>[];
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

const vectors = ['tests', 'spec_tests'].flatMap((name) =>
  (
    JSON.parse(
      readFileSync(createRequire(import.meta.url).resolve(`json-patch-test-suite/${name}.json`), 'utf8'),
    ) as Vector[]
  )
    .filter(({ disabled, patch }) => !disabled && patch)
    .map((vector, at): [string, Vector] => [
      `${name} ${at}: ${vector.comment ?? vector.error ?? ''}`,
      vector,
    ]),
);

/** Moves a pointer below the member's property `doc`. An invalid pointer stays invalid. */
const below = (pointer: unknown) =>
  typeof pointer === 'string' && (pointer === '' || pointer.startsWith('/')) ? `/doc${pointer}` : pointer;

const adapted = (operations: Vector['patch']) =>
  operations.map((operation) => ({
    ...operation,
    ...('path' in operation ? { path: below(operation.path) } : {}),
    ...('from' in operation ? { from: below(operation.from) } : {}),
  }));

describe('application/json-patch+json (RFC 6902, sequential and atomic)', () => {
  test.each(vectors)('follows the vector %s', async (_, { doc, patch: operations, expected, error }) => {
    const member = await create('/members', { name: 'n', doc });
    const answer = await patch(member.path, adapted(operations));
    const after = await get(member.path);
    if (error === undefined && expected !== undefined) {
      expect({ status: answer.status, doc: answer.json().doc }).toEqual({ status: 200, doc: expected });
      expect(after.json()).toEqual(answer.json());
    } else if (error === undefined) expect(answer.status).toBe(200);
    else {
      // Specification 10.7
      expectProblem(answer, answer.status === 409 ? 409 : 400);
      expect(after.json()).toEqual(member.answer.json());
      expect(after.headers.etag).toBe(member.etag);
    }
  });

  // Specification C.122
  test.each([
    ['{"op":"add","path":"/a","value":1}'],
    ['null'],
    ['"x"'],
    ['[1]'],
    ['[null]'],
    ['[[]]'],
    ['[{}]'],
    ['[{"op":"add","path":"/a"}]'],
    ['[{"op":"add","value":1}]'],
    ['[{"op":"spam","path":"/a","value":1}]'],
    ['[{"op":"ADD","path":"/a","value":1}]'],
    ['[{"op":"add","path":"a","value":1}]'],
    ['[{"op":"add","path":"/a~2","value":1}]'],
    ['[{"op":"add","path":"/a~","value":1}]'],
    ['[{"op":"add","path":7,"value":1}]'],
    ['[{"op":"move","path":"/a"}]'],
    ['[{"op":"copy","path":"/a","from":"b"}]'],
    ['[{"op":"replace","path":"/a"}]'],
    ['[{"op":"test","path":"/name"}]'],
    ['[{"op":"test","path":"/name","value":"n"},{"op":"x","path":"/a"}]'],
    ['[{"op":"add","op":"remove","path":"/a","value":1}]'],
    ['['],
    [''],
  ])('gets 400 if it is malformed: %s', async (body) => {
    const member = await create('/members', { name: 'n', a: 1 });
    const answer = await send('PATCH', member.path, { body, headers: JSON_PATCH });
    expectProblem(answer, 400);
    expect((await get(member.path)).headers.etag).toBe(member.etag);
  });

  // Specification 10.7
  test.each([
    [[{ op: 'remove', path: '/missing' }], 0, '/missing'],
    [[{ op: 'replace', path: '/missing', value: 1 }], 0, '/missing'],
    [[{ op: 'add', path: '/missing/below', value: 1 }], 0, '/missing/below'],
    [[{ op: 'add', path: '/list/5', value: 1 }], 0, '/list/5'],
    [[{ op: 'remove', path: '/list/-' }], 0, '/list/-'],
    [[{ op: 'test', path: '/name', value: 'other' }], 0, '/name'],
    [[{ op: 'test', path: '/list', value: [1, 2] }], 0, '/list'],
    [
      [
        { op: 'test', path: '/name', value: 'n' },
        { op: 'remove', path: '/name' },
        { op: 'test', path: '/name', value: 'n' },
      ],
      2,
      '/name',
    ],
    [
      [
        { op: 'add', path: '/fresh', value: 1 },
        { op: 'copy', from: '/nowhere', path: '/x' },
      ],
      1,
      undefined,
    ],
  ])(
    'gets 409 with operation and pointer if it cannot be applied: %j',
    async (operations, operation, pointer) => {
      const member = await create('/members', { name: 'n', list: [1] });
      const answer = await patch(member.path, operations);
      expectProblem(answer, 409, 'patch-conflict');
      // They are in the problem or in one of its errors.
      const body = answer.json();
      const holder = 'operation' in body ? body : (body.errors?.[0] as unknown as Record<string, unknown>);
      expect(holder?.operation).toEqual(operation);
      if (pointer === undefined) expect(['/nowhere', '/x']).toContain(holder?.pointer);
      else expect(holder?.pointer).toBe(pointer);
      // Specification 10.6: the service does not keep earlier operations either.
      const after = await get(member.path);
      expect(after.headers.etag).toBe(member.etag);
      expect(after.json()).toEqual(member.answer.json());
    },
  );

  // Specification 2.20
  test.each([
    ['replace', '/id', 5],
    ['remove', '/id', undefined],
    ['replace', '/createdAt', '2020-01-01T00:00:00Z'],
    ['remove', '/updatedAt', undefined],
    ['replace', '/links', []],
    ['add', '/links/-', { rel: 'x', href: '/x', method: 'GET' }],
    ['replace', '/links/0/href', '/evil'],
  ])('gets 409 for a server property: %s %s', async (op, path, value) => {
    const member = await create('/members', { name: 'n' });
    expectProblem(await patch(member.path, [{ op, path, ...(value === undefined ? {} : { value }) }]), 409);
    expect((await get(member.path)).headers.etag).toBe(member.etag);
  });

  // Specification 2.19, 2.20
  test('may replace the whole document by one without server properties', async () => {
    const member = await create('/members', { name: 'n', age: 3 });
    const operations = [{ op: 'replace', path: '', value: { name: 'x' } }];
    const answer = await patch(member.path, operations);
    expect([answer.status, answer.json()]).toMatchObject([200, { id: member.id, name: 'x' }]);
    expect(answer.json()).not.toHaveProperty('age');
    const order = await create('/orders', { productId: 1, orderValue: 1 });
    const value = { productId: 2, orderValue: 3 };
    const replaced = await patch(order.path, [{ op: 'replace', path: '', value }]);
    expect([replaced.status, replaced.json()]).toMatchObject([200, { ...value, status: 'created' }]);
    const another = [{ op: 'replace', path: '', value: { ...value, status: 'paid' } }];
    expectProblem(await patch(order.path, another), 409, 'patch-conflict');
  });

  // Specification 2.20
  test('gets 409 for an operation on a server property, even if the value stays', async () => {
    const { path, answer, etag, id } = await create('/members', { name: 'n' });
    const { createdAt } = answer.json();
    for (const operation of [
      { op: 'replace', path: '/createdAt', value: createdAt },
      { op: 'replace', path: '/id', value: id },
      { op: 'move', from: '/links', path: '/moved' },
    ])
      expectProblem(await patch(path, [operation]), 409, 'patch-conflict');
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Specification 2.19, 2.20
  test('replaces the whole document with an older one', async () => {
    const { path, answer } = await create('/members', { name: 'n', age: 1 });
    await patch(path, [{ op: 'replace', path: '/age', value: 2 }]);
    const replaced = await patch(path, [{ op: 'replace', path: '', value: { ...answer.json(), name: 'm' } }]);
    expect([replaced.status, replaced.json().name, replaced.json().age]).toEqual([200, 'm', 1]);
    const another = { ...answer.json(), id: 5 };
    expectProblem(await patch(path, [{ op: 'replace', path: '', value: another }]), 409, 'patch-conflict');
  });

  // Specification D.7
  test('may `test` an id by its decimal text', async () => {
    const { path, id } = await create('/members', { name: 'n' });
    const operations = (value: unknown) => [
      { op: 'test', path: '/id', value },
      { op: 'replace', path: '/name', value: 'm' },
    ];
    expect((await patch(path, operations(String(id)))).status).toBe(200);
    for (const value of [`0${id}`, `${id}.0`, '5'])
      expectProblem(await patch(path, operations(value)), 409, 'patch-conflict');
    const order = await create('/orders', { productId: 3, orderValue: 1 });
    const changed = await patch(order.path, [
      { op: 'replace', path: '/productId', value: '4' },
      { op: 'replace', path: '/orderValue', value: 1 },
      { op: 'test', path: '/productId', value: '4' },
      { op: 'test', path: '/orderId', value: String(order.id) },
    ]);
    expect([changed.status, changed.json().productId]).toEqual([200, 4]);
  });

  test('may `test` server properties', async () => {
    const member = await create('/members', { name: 'n' });
    const { id, createdAt, updatedAt } = member.answer.json();
    const answer = await patch(member.path, [
      { op: 'test', path: '/id', value: id },
      { op: 'test', path: '/createdAt', value: createdAt },
      { op: 'test', path: '/updatedAt', value: updatedAt },
      { op: 'test', path: '/links/0/rel', value: 'self' },
      { op: 'replace', path: '/name', value: 'm' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json().name).toBe('m');
    expectProblem(await patch(member.path, [{ op: 'test', path: '/id', value: 1 }]), 409);
  });

  // Specification 15.1
  test('runs its operations in order', async () => {
    const member = await create('/members', { name: 'n', a: 1 });
    const answer = await patch(member.path, [
      { op: 'move', from: '/a', path: '/b' },
      { op: 'add', path: '/a', value: 2 },
      { op: 'copy', from: '/b', path: '/c' },
      { op: 'remove', path: '/b' },
      { op: 'add', path: '/list', value: [] },
      { op: 'add', path: '/list/-', value: 'x' },
      { op: 'add', path: '/list/0', value: 'y' },
      { op: 'test', path: '/list', value: ['y', 'x'] },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ a: 2, c: 1, list: ['y', 'x'] });
    expect(answer.json()).not.toHaveProperty('b');
  });

  // Specification 10.7
  test.each([
    [[{ op: 'replace', path: '/age', value: -1 }]],
    [[{ op: 'replace', path: '/age', value: 'x' }]],
    [[{ op: 'add', path: '/username', value: 7 }]],
    [[{ op: 'add', path: '/bad name', value: 7 }]],
    [[{ op: 'replace', path: '/age', value: null }]],
    [[{ op: 'replace', path: '', value: [] }]],
    [[{ op: 'replace', path: '', value: 'x' }]],
  ])('gets 400 if the result breaks the schema: %j', async (operations) => {
    const member = await create('/members', { name: 'n', age: 3 });
    const answer = await patch(member.path, operations);
    expectProblem(answer, 400);
    expect((await get(member.path)).headers.etag).toBe(member.etag);
  });

  // Specification 2.14, 2.17
  test('may leave no property, and keeps nulls', async () => {
    const member = await create('/members', { name: 'n' });
    expect((await patch(member.path, [{ op: 'remove', path: '/name' }])).status).toBe(200);
    expect((await get(member.path)).json()).not.toHaveProperty('name');
    const answer = await patch(member.path, [{ op: 'add', path: '/open', value: null }]);
    expect(answer.status).toBe(200);
    expect((await get(member.path)).json()).toHaveProperty('open', null);
  });

  // RFC 6902 §4.6: numbers are equal if their values are numerically equal.
  test('`test` compares numbers by value and objects without order', async () => {
    const member = await create('/members', { n: 1, o: { a: 1, b: [2] } });
    const answer = await send('PATCH', member.path, {
      body: '[{"op":"test","path":"/n","value":1.0},{"op":"test","path":"/n","value":10e-1},{"op":"test","path":"/o","value":{"b":[2],"a":1}}]',
      headers: JSON_PATCH,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toBe(member.etag);
  });

  // Specification 2.49
  test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'keeps pointers through %s harmless',
    async (name) => {
      const member = await create('/members', { name: 'n', open: {} });
      const answer = await patch(member.path, [{ op: 'add', path: `/${name}/polluted`, value: 1 }]);
      expectProblem(answer, answer.status === 400 ? 400 : 409);
      const deeper = await patch(member.path, [{ op: 'add', path: `/open/${name}`, value: { polluted: 1 } }]);
      if (deeper.status === 200) {
        const text = (await get(member.path)).text;
        expect(text).toContain(`"${name}":{"polluted":1}`);
      } else expectProblem(deeper, 400);
      expect((await get((await create('/members', { name: 'o' })).path)).text).not.toContain('polluted');
    },
  );
});

// Specification 10.7
test('a 409 names the operation that replaces the whole and changes a server property', async () => {
  const { path } = await create('/members', { name: 'a' });
  const operations = [
    { op: 'test', path: '', value: (await send('GET', path)).json() },
    { op: 'copy', from: '/id', path: '/copied' },
    { op: 'replace', path: '', value: { id: 5, name: 'b' } },
  ];
  const headers = { 'Content-Type': 'application/json-patch+json' };
  const answer = await send('PATCH', path, { headers, json: operations });
  expectProblem(answer, 409, 'patch-conflict');
  expect(answer.json()).toMatchObject({ operation: 2, pointer: '/id' });
});

// Patches apply to the stored form, which is version 1. A patch of another version gets a refusal.
test('a patch or a PUT that names another version gets 415', async () => {
  const { path } = await create('/members', { name: 'a' });
  for (const type of ['application/json-patch+json', 'application/merge-patch+json']) {
    const headers = { 'Content-Type': `${type};version=2` };
    const answer = await send('PATCH', path, { headers, body: '[]' });
    expectProblem(answer, 415);
    expect(answer.headers['accept-patch']).toContain(type);
  }
  const put = await send('PUT', path, {
    headers: { 'Content-Type': 'application/json;version=2' },
    body: '{"name":"b"}',
  });
  expectProblem(put, 415);
  expect(put.headers.accept).toContain('application/json');
});

// Specification 10.6, 10.10
test('a patch may have several thousand operations', async () => {
  const { path } = await create('/customers', { name: 'many operations' });
  const operations = Array.from({ length: 3000 }, (_, at) => ({ op: 'add', path: `/p${at % 7}`, value: at }));
  const { status, json } = await patch(path, operations);
  expect([status, json().p3]).toEqual([200, 2999]);
});
