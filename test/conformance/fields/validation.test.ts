import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

/** Values that do not fit these declared properties. */
const WRONG: [string, string, unknown[]][] = [
  ['/members', 'username', [1, true, [], {}]],
  ['/members', 'name', [1, false, ['x'], {}]],
  ['/members', 'email', [1, []]],
  ['/members', 'age', ['5', -1, 1.5, true, [], {}]],
  ['/customers', 'name', [1, {}]],
  ['/customers', 'address', [1, []]],
  ['/customers', 'email', [1, {}]],
];

// Specification 2.16
describe('a declared property of the wrong type in POST or PUT gets 400', () => {
  test.each(WRONG)('%s %s', async (collection, name, values) => {
    const item = await create(collection, { name: unique('wrong') });
    for (const value of values) {
      for (const [method, path] of [
        ['POST', collection],
        ['PUT', item.path],
      ] as const) {
        const answer = await send(method, path, { json: { [name]: value, other: 1 } });
        expect({ method, value, status: answer.status }).toEqual({ method, value, status: 400 });
        expectProblem(answer, 400, 'validation-error');
        expect(answer.json().errors).toEqual([{ detail: expect.any(String), pointer: `/${name}` }]);
      }
    }
    expect((await get(item.path)).headers.etag).toBe(item.etag);
  });
});

// Specification 2.50
test('a whole number that is too large gets 400 with the limit, in JSON, in XML and in both patches', async () => {
  const member = await create('/members', { name: unique('large') });
  const most = [{ detail: `must be at most ${Number.MAX_SAFE_INTEGER}`, pointer: '/age' }];
  for (const number of ['9007199254740992', '9007199254740995', '1e999', '123456789012345678901234567890']) {
    for (const [method, path, type, body] of [
      ['POST', '/members', 'application/json', `{"age":${number}}`],
      ['PUT', member.path, 'application/json', `{"age":${number}}`],
      ['PATCH', member.path, 'application/merge-patch+json', `{"age":${number}}`],
      ['PATCH', member.path, 'application/json-patch+json', `[{"op":"add","path":"/age","value":${number}}]`],
      ['POST', '/members', 'application/xml', `<member><age>${number}</age></member>`],
    ] as const) {
      const answer = await send(method, path, { body, headers: { 'Content-Type': type } });
      expect([method, type, number, answer.status, answer.json().errors]).toEqual([
        method,
        type,
        number,
        400,
        most,
      ]);
    }
  }
  const least = await send('POST', '/members', {
    body: '{"age":-9007199254740995}',
    headers: { 'Content-Type': 'application/json' },
  });
  expect(least.json().errors).toEqual([{ detail: 'must be at least 0', pointer: '/age' }]);
});

describe('a property name', () => {
  // Specification 2.13
  test.each([
    '',
    ' ',
    '1x',
    '-x',
    '.x',
    'a b',
    '·a',
    'a×b',
    '\u0301',
    'a/b',
    'a~b',
    'a\\b',
    'x'.repeat(65),
    'a$',
    '$ref',
    '@id',
    'a:b',
    'é'.repeat(65),
  ])('like %j gets 400 with its pointer', async (name) => {
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    for (const collection of ['/members', '/customers', '/products']) {
      const answer = await send('POST', collection, { json: { name: 'x', [name]: 1 } });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual([{ detail: expect.any(String), pointer }]);
    }
  });

  test.each([
    '_',
    'a',
    'A1',
    'x.y',
    'x-y_z',
    'x'.repeat(64),
    'ids',
    'items',
    'type',
    'orderId',
    // Specification 2.13: letters of every script
    'ä',
    '日本',
    'größe·1',
    'имя',
    'नाम',
    '😀',
    'é'.repeat(64),
    '𐀀'.repeat(64),
  ])('of %s is allowed', async (name) => {
    const { path } = await create('/members', { [name]: 'kept' });
    expect((await get(path)).json()[name]).toBe('kept');
  });

  // Specification 2.18, D.1. A member has no status of its own, so status may be an undeclared property there.
  test('of a server property has no effect in POST and PUT', async () => {
    const answer = await send('POST', '/members', {
      json: { id: 'nonsense', createdAt: 5, updatedAt: null, links: {}, name: 'x' },
    });
    expect(answer.status).toBe(201);
    expect(answer.json().links).toEqual(expect.any(Array));
    expect(Date.parse(answer.json().createdAt)).not.toBeNaN();
  });
});

// Specification 2.50
test('every fault of a body is in one list of errors', async () => {
  const answer = await send('POST', '/members', {
    json: { username: 1, name: [], age: -1, 'bad name': 1, email: [], fine: 1 },
  });
  expectProblem(answer, 400, 'validation-error');
  const { errors } = answer.json();
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
    '/age',
    '/bad name',
    '/email',
    '/name',
    '/username',
  ]);
  for (const { detail } of atLeastOne(errors)) expect(detail.length).toBeGreaterThan(3);
});

test('every wrong parameter of a write is in one list of errors', async () => {
  const headers = { Prefer: 'handling=strict' };
  const answer = await send('POST', '/members?a=1&b=2&_method=PUT', { json: { name: 'x' }, headers });
  expectProblem(answer, 400, 'validation-error');
  expect(
    answer
      .json()
      .errors.map(({ parameter }) => parameter)
      .sort(),
  ).toEqual(['_method', 'a', 'b']);
});

// Specification 2.44: wherever the text is.
test('a text that XML cannot carry gets 400 with its pointer', async () => {
  const answer = await send('POST', '/members', {
    json: { name: 'x', open: { list: ['fine', 'bad\u0001'] } },
  });
  expectProblem(answer, 400);
  expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual(['/open/list/1']);
});

test('keeps texts that look like other values', async () => {
  const values = {
    name: 'null',
    username: '007',
    a: 'true',
    b: '1e5',
    c: ' padded ',
    d: '',
    e: '<b>&amp;"\'</b>',
    f: ']]>',
  };
  const { path } = await create('/members', values);
  expect((await get(path)).json()).toMatchObject(values);
});

test('keeps age 0 and an age of 2^53−1', async () => {
  for (const age of [0, Number.MAX_SAFE_INTEGER]) {
    const { path } = await create('/members', { age });
    expect((await get(path)).json().age).toBe(age);
  }
});
