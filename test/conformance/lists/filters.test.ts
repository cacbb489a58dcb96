import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { customerWith, itemsOf, linkOf, walk } from '../../support/client/walk.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const namesOf = async (path: string) => itemsOf(await walk(path)).map(({ name }) => name);

// Specification 4.13, 4.19
describe('another spelling of a declared name', () => {
  test.each([
    ['/members?USERNAME=x', 'USERNAME', 'username'],
    ['/members?Age.gte=5', 'Age.gte', 'age.gte'],
    ['/members?age.GTE=5', 'age.GTE', 'age.gte'],
    ['/orders?mincost=5', 'mincost', 'minCost'],
    ['/orders?min_cost=5', 'min_cost', 'minCost'],
    ['/orders?order-value.gte=5', 'order-value.gte', 'orderValue.gte'],
    ['/orders?so-rt=quantity', 'so-rt', 'sort'],
    ['/orders?sort=order_value', 'sort', 'orderValue'],
    ['/members?fields=created_at', 'fields', 'createdAt'],
    ['/orders?orderid=5', 'orderid', 'orderId'],
    ['/members?sort=-Name', 'sort', 'name'],
    ['/members?fields=name,createdat', 'fields', 'createdAt'],
    ['/products/1?fields=productimage', 'fields', 'productImage'],
    ['/files?fields=Size', 'fields', 'size'],
  ])('gets 400 with the declared name: %s', async (path, parameter, name) => {
    const answer = await get(path);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([{ parameter, detail: expect.stringContaining(`use ${name}`) }]);
  });

  test.each(['/members?nosuch=5', '/members?sort=nosuch', '/members?fields=nosuch'])(
    'and any other name selects what an open resource may have: %s',
    async (path) => expect((await get(path)).status).toBe(200),
  );
});

// Specification 4.12, 4.13, 4.14
describe('filters', () => {
  const tag = unique('filters');
  const own = `/members?username=${tag}`;
  beforeAll(async () => {
    const members = [
      { name: 'Ada', age: 36, email: 'ada@a.example' },
      { name: 'Bob, the builder', age: 9 },
      { name: '', age: 10 },
      { name: 'Ädä', age: 100 },
      { age: 36, email: 'bob@a.example' },
      { name: 'Adam' },
      { name: { first: 'Eve' }.first, age: 0 },
    ];
    for (const member of members) await create('/members', { username: tag, ...member });
    await create('/members', { username: `${tag}x`, name: 'Other', age: 36 });
  });

  test.each([
    ['name=Ada', ['Ada']],
    ['name=ada', []],
    ['name=', ['']],
    ['name=Ada,Adam', ['Ada', 'Adam']],
    ['name=Ada&name=Adam', ['Ada', 'Adam']],
    ['name=Bob\\,%20the+builder,Ada', ['Ada', 'Bob, the builder']],
    ['age=36', ['Ada', undefined]],
    ['age=36,36.0,3.6e1', ['Ada', undefined]],
    ['age=36.0,1e1', ['Ada', '', undefined]],
    ['age=36&email=ada@a.example', ['Ada']],
    ['email=ada@a.example,bob@a.example', ['Ada', undefined]],
    ['age.gte=10', ['', 'Ada', undefined, 'Ädä']],
    ['age.gt=10', ['Ada', undefined, 'Ädä']],
    ['age.lte=10', ['Eve', 'Bob, the builder', '']],
    ['age.lt=10', ['Eve', 'Bob, the builder']],
    ['age.gte=10&age.lt=100', ['', 'Ada', undefined]],
    ['age.gte=100&age.lt=10', []],
    ['age.gte=-5&sort=-age', ['Ädä', undefined, 'Ada', '', 'Bob, the builder', 'Eve']],
    ['name.prefix=Ad', ['Ada', 'Adam']],
    ['name.prefix=', ['', 'Ada', 'Adam', 'Bob, the builder', 'Eve', 'Ädä']],
    ['name.gte=B', ['Bob, the builder', 'Eve', 'Ädä']],
    ['name.lt=B', ['', 'Ada', 'Adam']],
    ['name.prefix=A&age.gte=1', ['Ada']],
    ['email.prefix=bob', [undefined]],
    ['name.words=builder+BOB', ['Bob, the builder']],
    ['name.words=ad', ['Ada', 'Ädä', 'Adam']],
    ['name.words=ad&sort=name', ['Ada', 'Adam', 'Ädä']],
    ['name.words=', ['Ada', 'Bob, the builder', '', 'Ädä', 'Adam', 'Eve']],
    ['name.words=A%20dam', ['Adam']],
    ['createdAt.gte=2026-01-01', ['Ada', 'Bob, the builder', '', 'Ädä', undefined, 'Adam', 'Eve']],
    ['createdAt.lt=2026-01-01T00:00:00%2B02:00', []],
    ['updatedAt.lte=2020-01-01T00:00:00.123456Z', []],
    ['nonsense=1', ['Ada', 'Bob, the builder', '', 'Ädä', undefined, 'Adam', 'Eve']],
    ['links=x', ['Ada', 'Bob, the builder', '', 'Ädä', undefined, 'Adam', 'Eve']],
  ] as const)('select the items with %s', async (query, expected) => {
    expect(await namesOf(`${own}&${query}`)).toEqual(expected);
    expect(await namesOf(`${own}&${query}&limit=1`)).toEqual(expected);
    const counted = await get(`${own}&${query}&limit=2`, { Prefer: 'count=exact' });
    expect(counted.json().total).toBe(expected.length);
    const offset = (await get(`${own}&${query}&offset=1&limit=2`)).json().items.map(({ name }) => name);
    expect(offset).toEqual(expected.slice(1, 3));
  });

  test.each([
    ['age=x'],
    ['age='],
    ['age=3,'],
    ['age=1.5'],
    ['age=0x10'],
    ['age.gte=old'],
    ['age.gte=1&age.gte=2'],
    ['age.prefix=3'],
    ['age.words=3'],
    [`name.words=${Array.from({ length: 21 }, (_, at) => at).join('+')}`],
    ['id=abc'],
    ['id=007'],
    ['id=99999999999999999999'],
    ['createdAt=yesterday'],
    ['createdAt.gte=2026-02-30'],
    ['updatedAt.lt=2026-01-01T25:00:00Z'],
    [`age=${Array.from({ length: 501 }, (_, at) => at).join()}`],
  ])('get 400 with the parameter for %.30s', async (query) => {
    const answer = await get(`/members?${query}`);
    expectProblem(answer, 400, 'validation-error');
    const [parameter] = query.split('=');
    expect(answer.json().errors).toContainEqual(expect.objectContaining({ parameter }));
  });

  test('of 500 values work in every position', async () => {
    const ages = Array.from({ length: 499 }, (_, at) => at + 30).join();
    expect(await namesOf(`${own}&age=${ages}`)).toEqual(['Ada', 'Ädä', undefined]);
    expect(await namesOf(`${own}&age=${ages}&sort=-age`)).toEqual(['Ädä', undefined, 'Ada']);
  });

  // Specification 4.22
  test.each(['name=x', 'age.gte=5', 'id=1', 'sort=name'])('are unknown on DELETE: %s', async (query) => {
    expectProblem(await send('DELETE', `/members?${query}`), 405);
    expectProblem(await send('DELETE', `/customers?${query}`), 400, 'validation-error');
  });

  test('stay in the links of a page, and a cursor of another filter gets 400', async () => {
    const first = (await get(`${own}&age.gte=1&limit=1&fields=name`)).json();
    const next = linkOf(first, 'next') as string;
    expect(next).toContain('age.gte=1');
    expect(next).toContain(`username=${tag}`);
    const after = new URL(next, 'http://localhost').searchParams.get('after');
    for (const query of ['age.gte=2', 'age.gt=1', 'age.gte=1&name=x', 'age.gte=1&sort=-age']) {
      expectProblem(await get(`${own}&${query}&limit=1&after=${after}`), 400, 'validation-error');
    }
  });
});

// Specification 4.12, 4.15
describe('filters of orders', () => {
  test('join status, customer and value', async () => {
    const { path, ids } = await customerWith([
      { orderValue: 5 },
      { orderValue: 99.9, quantity: 2 },
      { orderValue: 100, quantity: 2 },
    ]);
    const customer = path.split('/')[2];
    await send('POST', `/orders/${ids[1]}/pay`);
    const found = async (query: string) => itemsOf(await walk(query)).map(({ orderId }) => orderId);
    expect(await found(`/orders?customerId=${customer}`)).toEqual(ids);
    expect(await found(`/orders?customerId=${customer}&status=paid`)).toEqual([ids[1]]);
    expect(await found(`/orders?customerId=${customer}&status=created,paid&limit=1`)).toEqual(ids);
    expect(await found(`/orders?customerId=${customer}&orderValue=99.90`)).toEqual([ids[1]]);
    expect(await found(`/orders?customerId=${customer}&minCost=99.9&quantity=2&sort=-orderId`)).toEqual([
      ids[2],
      ids[1],
    ]);
    expect(await found(`/orders?customerId=${customer}&sort=-status`)).toEqual([ids[1], ids[2], ids[0]]);
    expect(await found(`${path}?status=created&sort=-orderValue`)).toEqual([ids[2], ids[0]]);
    expect(await found(`${path}?customerId=${customer}`)).toEqual(ids);
    expect(await found(`${path}?customerId=1`)).toEqual([]);
    expect(await found(`${path}?customerId.gte=1&limit=1`)).toEqual(ids);
    expect(await found(`/orders?customerId=${customer},1&sort=quantity&limit=2`)).toEqual(ids);
    expectProblem(await get(`${path}?status=unpaid`), 400, 'validation-error');
    expectProblem(await get(`${path}?status.gte=zzz&customerId=01`), 400, 'validation-error');
  });
});

// Specification 4.25
describe('the filter id', () => {
  test('returns exactly these items, and leaves out missing ones', async () => {
    const made: number[] = [];
    for (const name of ['b', 'c', 'a']) made.push((await create('/customers', { name })).id);
    const [b, c, a] = made;
    const found = async (query: string) => itemsOf(await walk(`/customers?${query}`)).map(({ id }) => id);
    expect(await found(`id=${a},${b},1,${b}`)).toEqual([b, a]);
    expect(await found(`id=${a}&id=${c}`)).toEqual([c, a]);
    expect(await found(`id=${made}&sort=name`)).toEqual([a, b, c]);
    expect(await found(`id=${made}&sort=-name&limit=1`)).toEqual([c, b, a]);
    expect(await found(`id=${made}&name=a,c`)).toEqual([c, a]);
    expect(await found(`id=${made}&name.gt=a&limit=1`)).toEqual([b, c]);
    expect(await found('id=1,2,3')).toEqual([]);
    expect(await found(`id.gte=${b}&id.lt=${a}`)).toEqual(expect.arrayContaining([b, c]));
    const page = (await get(`/customers?id=${made},5&offset=1&limit=1`, { Prefer: 'count=exact' })).json();
    expect([page.total, page.items.map(({ id }) => id)]).toEqual([3, [c]]);
    const last = (await get(linkOf(page, 'next') as string)).json();
    expect((await get(linkOf(last, 'prev') as string)).json().items.map(({ id }) => id)).toEqual([c]);
    expect((await get(`/customers?id=${made}&limit=0`)).json().items).toEqual([]);
  });

  test('reads hundreds of items', async () => {
    const bodies = Array.from({ length: 99 }, (_, at) => ({ name: `n${at}` }));
    const ids: number[] = [];
    for (let at = 0; at < 2; at += 1) {
      const answer = await send('POST', '/customers', { json: bodies });
      ids.push(...answer.json().items.map(({ id }) => id));
    }
    const found = (await get(`/customers?id=${ids}&limit=1000`)).json().items.map(({ id }) => id);
    expect(found).toEqual([...ids].sort((x, y) => x - y));
  });

  test('names the identifier of orders and files too, and keeps to its list', async () => {
    const [one, two] = [await customerWith([{}, {}]), await customerWith([{}])];
    const all = [...one.ids, ...two.ids];
    const found = async (query: string) => itemsOf(await walk(query)).map(({ orderId }) => orderId);
    expect(await found(`/orders?id=${all}`)).toEqual(all);
    expect(await found(`/orders?orderId=${all}&limit=1`)).toEqual(all);
    expect(await found(`${two.path}?id=${all}`)).toEqual(two.ids);
    const name = unique('file');
    for (const end of ['b', 'a', 'c']) await send('PUT', `/files/${name}${end}`, { body: 'x' });
    const files = async (query: string) => itemsOf(await walk(query)).map(({ filename }) => filename);
    expect(await files(`/files?filename=${name}b,${name}a,${name}x`)).toEqual([`${name}a`, `${name}b`]);
    expect(await files(`/files?id=${name}c`)).toEqual([`${name}c`]);
    expect(await files(`/files?filename.prefix=${name}&limit=1`)).toEqual([
      `${name}a`,
      `${name}b`,
      `${name}c`,
    ]);
    expect(await files(`/files?filename.gt=${name}a&filename.lt=${name}c`)).toEqual([`${name}b`]);
    // DynamoDB refuses such keys.
    for (const other of ['', 'x'.repeat(3000)])
      expect(await files(`/files?id=${other},${name}b`)).toEqual([`${name}b`]);
    expect(await files('/files?filename=')).toEqual([]);
    expect(await files(`/files?filename.prefix=${name}&size=1&sort=-contentType,-filename`)).toEqual([
      `${name}c`,
      `${name}b`,
      `${name}a`,
    ]);
  });

  test('of an operation finds it only for its owner', async () => {
    const answer = await send('POST', '/customers', {
      json: { name: 'a' },
      headers: { Prefer: 'respond-async' },
    });
    const id = answer.json().operationId;
    expect((await get(`/operations?operationId=${id},1`)).json().items).toHaveLength(1);
    expect((await get(`/operations?id=${id}&kind=customers.create`)).json().items).toHaveLength(1);
    expect((await get(`/operations?id=${id}&kind=x`)).json().items).toEqual([]);
  });
});

// Specification 4.13, 4.14
test('a filter of a property with several types finds texts and numbers, and no object', async () => {
  const name = unique('sized');
  for (const size of ['5', 5, 'XL', 12.5, { width: 5 }, 'M']) await create('/products', { name, size });
  const sizes = async (query: string) =>
    itemsOf(await walk(`/products?name=${name}&limit=2&${query}`)).map(({ size }) => size);
  expect(await sizes('size=5')).toEqual(['5', 5]);
  expect(await sizes('size=12.50,XL')).toEqual(['XL', 12.5]);
  expect(await sizes('size.gte=6')).toEqual(['5', 'XL', 12.5, 'M']);
  expect(await sizes('size.lt=13&sort=-size')).toEqual([12.5, 5]);
  expect(await sizes('size.prefix=X')).toEqual(['XL']);
  expect(await sizes('sort=size')).toEqual([5, 12.5, '5', 'M', 'XL', { width: 5 }]);
});

// Specification 1.12, 4.12
test('the products of an order are filtered too', async () => {
  const product = await create('/products', { name: 'mug', price: 5 });
  const order = await create('/orders', { productId: product.id });
  const found = async (query: string) => (await get(`${order.path}/products?${query}`)).json().items.length;
  expect(await found('name=mug&price.gte=5')).toBe(1);
  expect(await found('name=cup')).toBe(0);
  expect(await found('id=1')).toBe(0);
});
