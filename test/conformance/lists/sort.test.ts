import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { customerWith, itemsOf, walk } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('sort', () => {
  // Specification 4.7
  test.each([
    ['quantity', [3, 1, 2, 1, 3, 2, 1]],
    ['productId', [9, 9, 0, 9_007_199_254_740_991, 10, 2, 0]],
    // Specification 2.30
    ['orderValue', [10, 9.9, 0.1, 0, 100, 99.99, 9.9, 1e-9, 999999999999999, 12.5]],
  ])('orders by %s, ascending and descending', async (field, values) => {
    const { path } = await customerWith(values.map((value) => ({ [field]: value })));
    const got = (await get(path)).json().items;
    const compare = (a: Body, b: Body) => Number(a[field]) - Number(b[field]) || a.orderId - b.orderId;
    const up = (await get(`${path}?sort=${field}`)).json().items;
    expect(up).toEqual([...got].sort(compare));
    const down = (await get(`${path}?sort=-${field}`)).json().items;
    expect(down.map((item) => item[field])).toEqual(
      [...got]
        .sort(compare)
        .reverse()
        .map((item) => item[field]),
    );
    // Equal values have the same order of ids, in each direction.
    const ties = down.flatMap((item, at) => {
      const before = down[at - 1];
      return before && before[field] === item[field] ? [Math.sign(item.orderId - before.orderId)] : [];
    });
    expect(new Set(ties).size).toBeLessThanOrEqual(1);
  });

  test('orders decimals by all of their digits', async () => {
    const digits = [
      '99.90',
      '99.9',
      '99.899999999999999999999999999999999',
      '99.90000000000000000000000000000001',
      '0.10000000000000000000000000000000000001',
      '0.1',
      '123456789012345.00000000000000000000001',
      '123456789012345',
    ];
    const customer = await create('/customers', { name: unique('digits') });
    const path = `${customer.path}/orders`;
    for (const value of digits) {
      const answer = await send('POST', path, {
        body: `{"productId":1,"orderValue":${value}}`,
        headers: { 'Content-Type': 'application/json' },
      });
      expect({ value, status: answer.status }).toEqual({ value, status: 201 });
    }
    const { text } = await get(`${path}?sort=orderValue`);
    const sorted = [...text.matchAll(/"orderValue":([0-9.eE+-]+)/g)].map(([, value]) =>
      value?.replace(/^99\.90$/, '99.9'),
    );
    expect(sorted).toEqual([
      '0.1',
      '0.10000000000000000000000000000000000001',
      '99.899999999999999999999999999999999',
      '99.9',
      '99.9',
      '99.90000000000000000000000000000001',
      '123456789012345',
      '123456789012345.00000000000000000000001',
    ]);
  });

  // Specification 4.7, D.4. Names are texts of any script. Code points, UTF-16 units and a collation are all valid
  // orders: descending reverses ascending, and ASCII digits precede letters.
  test('orders absent values first, and Unicode names', async () => {
    const tag = unique('sort');
    const names = [
      undefined,
      '',
      '0',
      'a',
      'b',
      'ab',
      'Ä',
      'ä',
      'é',
      'Zoë',
      '日本',
      '🚀',
      '\u{10FFFD}',
      '\uFFFD',
      undefined,
    ];
    const mine: number[] = [];
    for (const name of names) {
      mine.push((await create('/members', { tag, ...(name === undefined ? {} : { name }) })).id);
    }
    const sorted = async (sort: string) =>
      itemsOf(await walk(`/members?limit=1000&sort=${sort}`)).filter(({ id }) => mine.includes(id));
    const up = await sorted('name');
    expect(up).toHaveLength(mine.length);
    expect(up.slice(0, 2).map(({ name }) => name)).toEqual([undefined, undefined]);
    expect(up[2]?.name).toBe('');
    const at = (name: string) => up.findIndex((item) => item.name === name);
    expect(at('0')).toBeLessThan(at('a'));
    expect(at('a')).toBeLessThan(at('ab'));
    expect(at('ab')).toBeLessThan(at('b'));
    const down = await sorted('-name');
    expect(down.map(({ name }) => name)).toEqual(up.map(({ name }) => name).reverse());
    const paged = itemsOf(await walk('/members?limit=50&sort=name')).filter(({ id }) => mine.includes(id));
    expect(paged.map(({ id }) => id)).toEqual(up.map(({ id }) => id));
  });

  // The specification has no longest name. A service should take 250 characters.
  test.each(['x', 'é', '日', '🚀'])('orders long names of %s with the same beginning', async (character) => {
    const start = character.repeat(249);
    const made: number[] = [];
    for (const end of ['c', 'a', 'b']) made.push((await create('/members', { name: start + end })).id);
    const beginning = `name.prefix=${encodeURIComponent(start)}`;
    const mine = itemsOf(await walk(`/members?limit=2&sort=name&${beginning}`)).filter(({ id }) =>
      made.includes(id),
    );
    expect(mine.map(({ name }) => String(name).at(-1))).toEqual(['a', 'b', 'c']);
  });

  // Specification 4.6, 4.8
  test.each([
    [
      '/members',
      ['username', 'name', 'age', 'id', 'createdAt', 'email', 'updatedAt', 'anything'],
      ['links', '', 'a b'],
    ],
    ['/customers', ['name', 'id', 'createdAt', 'email', 'updatedAt'], ['links', '-']],
    [
      '/orders',
      ['orderValue', 'quantity', 'productId', 'orderId', 'createdAt', 'status', 'customerId', 'id'],
      ['links', ':asc'],
    ],
    ['/products', ['name', 'price', 'category', 'id', 'createdAt', 'color'], ['links', ',']],
    [
      '/files',
      ['filename', 'size', 'createdAt', 'contentType', 'digest', 'id'],
      ['anything', 'links', 'name'],
    ],
    ['/operations', ['operationId', 'status', 'kind', 'startedAt', 'percentComplete'], ['progress', 'x']],
  ] as const)('takes the scalar properties of %s', async (path, sortable, others) => {
    for (const field of atLeastOne(sortable)) {
      for (const sort of [field, `-${field}`]) {
        // Other files fill the collections. Too many bytes to sort by reading would get 400.
        const answer = await get(`${path}?sort=${sort}&id=1`);
        expect({ sort, status: answer.status }).toEqual({ sort, status: 200 });
      }
    }
    // Specification 4.10
    for (const field of atLeastOne(others)) {
      const answer = await get(`${path}?sort=${encodeURIComponent(field)}`);
      expect({ field, status: answer.status }).toEqual({ field, status: 400 });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: 'sort' }));
      for (const name of ['createdAt', 'updatedAt']) expect(answer.text).toContain(name);
    }
  });

  test.each(['--name', '-', 'name,', '-name:asc', 'name:up', 'name asc', 'a,b,c,d,e,f,g,h,i'])(
    'refuses sort=%s with 400',
    async (sort) => {
      expectProblem(await get(`/members?sort=${encodeURIComponent(sort)}`), 400, 'validation-error');
    },
  );

  // Specification 4.10, 4.11
  test.each([
    ['sort=name', 'abc'],
    ['sort=%2Bname', 'abc'],
    ['sort=+name', 'abc'],
    ['sort=-name', 'cba'],
    ['sort=name:asc', 'abc'],
    ['sort=name:desc', 'cba'],
    ['sort=name&order=asc', 'abc'],
    ['sort=name&order=desc', 'cba'],
    ['sort=-name&order=asc', 'cba'],
    ['sort=name:asc&order=desc', 'abc'],
    ['order=desc', 'bca'],
    ['sort=id', 'acb'],
    ['sort=-updatedAt', 'bca'],
    ['sort=group,-name', 'cab'],
    ['sort=group&sort=-name', 'cab'],
    ['sort=-group,name', 'bac'],
    ['sort=none,-name', 'cba'],
  ])('accepts the spelling %s', async (query, expected) => {
    const tag = unique('spelling');
    for (const [name, group] of [
      ['a', 2],
      ['c', 1],
      ['b', 2],
    ])
      await create('/members', { username: tag, name, group: name === 'b' ? 2.5 : group });
    const { items } = (await get(`/members?username=${tag}&${query}`)).json();
    expect(items.map(({ name }) => name).join('')).toBe(expected);
  });

  test.each(['up', '', 'DESC', 'asc,desc'])('refuses order=%s with 400', async (order) => {
    const answer = await get(`/members?order=${order}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter: 'order' }));
  });

  // Specification 4.7, 4.13 and D.4
  test('orders values of different types: absent, numbers, texts, booleans, then all others', async () => {
    const tag = unique('types');
    const values = [true, 'b', undefined, 10, null, 'a', false, { a: 1 }, 9.5, '10', -3];
    for (const value of values)
      await create('/members', { username: tag, ...(value === undefined ? {} : { value }) });
    const sorted = async (sort: string) =>
      (await get(`/members?username=${tag}&sort=${sort}`)).json().items.map(({ value }) => value);
    const up = [undefined, -3, 9.5, 10, '10', 'a', 'b', false, true];
    expect((await sorted('value')).slice(0, 9)).toEqual(up);
    expect((await sorted('-value')).slice(2)).toEqual(up.toReversed());
    expect(await sorted('value')).toEqual((await sorted('-value')).toReversed());
  });
});
