import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { customerWith, itemsOf, linkOf, walk } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, dated, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const XML = { Accept: 'application/xml' };

/** The item as a list shows it: without the links that the list itself has. */
async function inList(path: string) {
  const { links, ...item } = (await get(path)).json();
  return { ...item, links: links.filter(({ rel }) => !['collection', 'describedby'].includes(rel)) };
}

/** An order of a new customer and a new product. */
async function orderOf() {
  const customer = await create('/customers', { name: unique('expanded'), more: { nested: [1, 'two'] } });
  const product = await create('/products', { name: unique('expanded'), price: 0.1 });
  const order = await create(`${customer.path}/orders`, { productId: product.id });
  return { customer, product, order };
}

describe('expand on an order', () => {
  // Specification 4.24
  test('shows the customer and the products inside, under the names of the relations', async () => {
    const { customer, product, order } = await orderOf();
    const plain = (await get(order.path)).json();
    const { links, ...whole } = (await get(`${order.path}?expand=customer,products`)).json();
    expect(links).toEqual(plain.links);
    expect({ ...whole, links }).toEqual({
      ...plain,
      customer: await inList(customer.path),
      products: [await inList(product.path)],
    });
    const one = (await get(`${order.path}?expand=customer`)).json();
    expect(one).not.toHaveProperty('products');
    expect(one.customer).toEqual(whole.customer);
    expect((await get(order.path)).json()).toEqual(plain);
  });

  // Specification 4.24, 2.38
  test('shows them in XML as elements', async () => {
    const { customer, product, order } = await orderOf();
    const { text } = await get(`${order.path}?expand=customer,products`, XML);
    expect(text).toMatch(new RegExp(`<customer><id>${customer.id}</id><name>[^<]+</name>`));
    expect(text).toMatch(
      new RegExp(`<products><item><id>${product.id}</id><name>[^<]+</name><price>0.1</price>`),
    );
  });

  // Specification 4.24. The name of a relation belongs to the service: a copy of the customer would be stored.
  test('has no effect in a representation that a client sends back', async () => {
    const { customer, order } = await orderOf();
    const { etag } = (await get(order.path)).headers;
    for (const Accept of ['application/json', 'application/xml']) {
      const { text } = await get(`${order.path}?expand=customer,products`, { Accept });
      const sent = { body: text, headers: { 'Content-Type': Accept } };
      const answer = await send('PUT', order.path, sent);
      expect([answer.status, answer.headers.etag]).toEqual([200, etag]);
    }
    const json = (await get(`${order.path}?expand=customer,products`)).json();
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await send('PATCH', order.path, {
      body: JSON.stringify({ ...json, note: 'a' }),
      headers,
    });
    expect([patched.status, patched.json().customer, patched.json().note]).toEqual([200, undefined, 'a']);
    const list = (await get(`${customer.path}/orders?expand=customer,products`)).json();
    const replaced = await send('PUT', `${customer.path}/orders`, { json: list });
    expect([replaced.status, replaced.json().items[0]]).toEqual([
      200,
      expect.not.objectContaining({ customer: expect.anything() }),
    ]);
    const copied = await send('POST', '/orders', { json });
    expect([copied.status, copied.json().customer, copied.json().customerId]).toEqual([
      201,
      undefined,
      customer.id,
    ]);
  });

  // Specification 4.24
  test.each([
    ['customer', 'customerId', (id: number) => ({ customer: { id: id + 1 }, customerId: id })],
    ['customer', 'customerId', (id: number) => ({ customer: { id } })],
    ['customer', 'customerId', () => ({ customer: 'Kite' })],
    ['products', 'productId', () => ({ products: [{ id: 1 }, { id: 2 }] })],
    ['products', 'productId', () => ({ products: 'none' })],
  ])('does not belong to the client: %s is the link of %s', async (name, field, of) => {
    const { customer, order } = await orderOf();
    const json = { productId: 1, orderValue: 1, ...of(customer.id as number) };
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { productId, orderValue, ...change } = json;
    const sent = [
      await send('POST', '/orders', { json }),
      await send('POST', '/orders', { json: [json] }),
      await send('PUT', order.path, { json }),
      await send('PATCH', order.path, {
        body: JSON.stringify(
          name === 'customer' && !('customerId' in json) ? { ...change, customer: 'Kite' } : change,
        ),
        headers,
      }),
    ];
    for (const answer of sent) {
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual([
        {
          pointer: expect.stringMatching(new RegExp(`/${name}$`)),
          detail: `is the link of ${field}: set ${field}`,
        },
      ]);
    }
  });

  // Specification 4.24, 1.12
  test('shows a missing customer as null and a missing product by its id alone', async () => {
    const { customer, product, order } = await orderOf();
    for (const { path } of [customer, product]) expect((await send('DELETE', path)).status).toBe(204);
    const expanded = await get(`${order.path}?expand=customer,products`);
    expect(expanded.json()).toMatchObject({ customer: null, products: [{ id: product.id }] });
    const { text } = await get(`${order.path}?expand=customer,products`, XML);
    expect(text).toContain('<customer type="null"/>');
    expect(text).toContain(`<products><item><id>${product.id}</id></item></products>`);
    const alone = await create('/orders', { productId: product.id, orderValue: 1 });
    expect((await get(`${alone.path}?expand=customer`)).json().customer).toBeNull();
  });

  // Specification 4.17, 4.24
  test('works together with fields, which may name the relation', async () => {
    const { order, customer } = await orderOf();
    for (const fields of ['orderValue', 'orderValue,customer']) {
      const { orderId, ...others } = (await get(`${order.path}?expand=customer&fields=${fields}`)).json();
      expect(orderId).toBe(order.answer.json().orderId);
      expect(others).toEqual({ orderValue: 0.1, customer: await inList(customer.path) });
    }
    expect((await get(`${order.path}?fields=orderValue,customer`)).json()).not.toHaveProperty('customer');
  });

  // Specification 3.1, 4.24
  test('has validators that cover what it shows', async () => {
    const { order, customer, product } = await orderOf();
    const uri = `${order.path}?expand=customer,products`;
    const seen: (string | undefined)[] = [(await get(order.path)).headers.etag];
    const changes: (() => Promise<unknown>)[] = [
      async () => undefined,
      () => send('PUT', customer.path, { json: { name: 'Other' } }),
      () => send('PUT', product.path, { json: { name: 'Other', price: 2 } }),
      () => send('PUT', order.path, { json: { productId: product.id, quantity: 2 } }),
      () => send('DELETE', customer.path),
      () => send('DELETE', product.path),
    ];
    for (const [at, change] of changes.entries()) {
      await change();
      const before = seen.at(-1) as string;
      const answer = await get(uri, { 'If-None-Match': before });
      expect(answer.status).toBe(200);
      expect(seen).not.toContain(answer.headers.etag);
      seen.push(answer.headers.etag);
      const tag = answer.headers.etag as string;
      expect((await get(uri, { 'If-None-Match': tag })).status).toBe(304);
      expect((await send('HEAD', uri)).headers.etag).toBe(tag);
      const later = new Date(Date.now() + 60_000).toUTCString();
      // The time of a removal is not stored.
      const isRemoval = at >= 4;
      expect((await get(uri, { 'If-Modified-Since': later })).status).toBe(isRemoval ? 200 : 304);
    }
  });

  test('has the time of the last change of anything that it shows as Last-Modified', async () => {
    const { order, customer } = await orderOf();
    await new Promise((later) => setTimeout(later, 1100));
    const changed = await send('PUT', customer.path, { json: { name: 'Later' } });
    const expanded = await dated(`${order.path}?expand=customer`);
    const next = Date.parse(changed.json().updatedAt) + 1000;
    expect(expanded.headers['last-modified']).toBe(new Date(next).toUTCString());
    expect((await get(order.path)).headers['last-modified']).not.toBe(expanded.headers['last-modified']);
  });

  // Specification 3.2
  test('has an ETag that guards a write of the order', async () => {
    const { order, customer, product } = await orderOf();
    const { etag } = (await get(`${order.path}?expand=customer`)).headers;
    await send('PUT', customer.path, { json: { name: 'Other' } });
    const change = (quantity: number) =>
      send('PUT', order.path, { json: { productId: product.id, quantity }, headers: { 'If-Match': etag } });
    expect((await change(7)).status).toBe(200);
    expectProblem(await change(8), 412);
  });

  test('leaves the HTML page as it is, because every page names the related items', async () => {
    const { order } = await orderOf();
    const pages: string[] = [];
    for (const query of ['', '?expand=customer,products']) {
      const answer = await get(`${order.path}${query}`, { Accept: 'text/html' });
      expect(answer.status).toBe(200);
      pages.push(answer.text.replace(/value="[^"]*"/g, ''));
    }
    expect(pages[1]?.length).toBe(pages[0]?.length);
    expect(pages[1]).toContain(`<a href=/customers/`);
  });
});

describe('expand on a list of orders', () => {
  // Specification 4.24
  test('shows the related items inside each order, in JSON and in XML', async () => {
    const { customer, product, order } = await orderOf();
    const second = await create(`${customer.path}/orders`, { productId: 987_654_321, orderValue: 1 });
    for (const list of [`${customer.path}/orders?`, '/orders?sort=-orderId&limit=2&']) {
      const answer = await get(`${list}expand=customer&expand=products`);
      const items = [...answer.json().items].sort((a, b) => a.orderId - b.orderId);
      expect(items.map(({ orderId }) => orderId)).toEqual([
        order.answer.json().orderId,
        second.answer.json().orderId,
      ]);
      for (const item of atLeastOne(items)) expect(item.customer).toEqual(await inList(customer.path));
      expect(items.map(({ products }) => products)).toEqual([
        [await inList(product.path)],
        [{ id: 987_654_321 }],
      ]);
    }
    const { text } = await get(`${customer.path}/orders?expand=customer`, XML);
    expect(text.split(`<customer><id>${customer.id}</id>`)).toHaveLength(3);
  });

  // Specification 4.24
  test('costs one read of DynamoDB more for each relation and 20 items', async () => {
    const orders: object[] = [];
    for (let at = 0; at < 20; at += 1) {
      const customer = await create('/customers', { name: unique('one') });
      const product = await create('/products', { name: unique('one'), price: 1 });
      orders.push({ customerId: customer.id, productId: product.id });
    }
    expect((await send('POST', '/orders', { json: orders })).status).toBe(201);
    const callsOnce = async (query: string): Promise<number> => {
      const answer = await get(`/orders?limit=20&sort=-orderId${query}`, { Prefer: 'server-timing' });
      expect(answer.json().items.filter(({ customer }) => customer === null)).toEqual([]);
      return Number(
        /dynamodb;dur=[\d.]+;desc="(\d+) calls?"/.exec(answer.headers['server-timing'] ?? '')?.[1],
      );
    };
    // The first of some requests also reads the inventory of the table.
    const callsOf = async (query: string): Promise<number> =>
      Math.min(await callsOnce(query), await callsOnce(query), await callsOnce(query));
    const plain = await callsOf('');
    expect(await callsOf('&expand=customer')).toBe(plain + 1);
    expect(await callsOf('&expand=customer,products')).toBe(plain + 2);
  });

  // Specification 4.24
  test('has an ETag that changes with a related item', async () => {
    const { customer } = await orderOf();
    const uri = `${customer.path}/orders?expand=customer`;
    const { etag } = (await get(uri)).headers;
    expect((await get(uri, { 'If-None-Match': etag })).status).toBe(304);
    await send('PUT', customer.path, { json: { name: 'Other' } });
    expect((await get(uri, { 'If-None-Match': etag })).status).toBe(200);
  });

  test('is in the links to the other pages', async () => {
    const { path } = await customerWith([{}, {}, {}]);
    const pages = await walk(`${path}?limit=1&expand=customer`);
    expect(itemsOf(pages)).toHaveLength(3);
    for (const { customer } of itemsOf(pages)) expect(customer).toMatchObject({ id: expect.any(Number) });
  });

  // Specification 4.2
  test('ends a page early if the related items are large, and a walk loses and repeats nothing', async () => {
    const { path, id } = await create('/customers', { name: unique('large') });
    const orders = Array.from({ length: 60 }, (_, at) => ({ productId: 1, orderValue: at }));
    expect((await send('POST', `${path}/orders`, { json: orders })).status).toBe(201);
    const large = { name: 'large', more: 'x'.repeat(200_000) };
    expect((await send('PUT', path, { json: large })).status).toBe(200);
    const uri = `${path}/orders?limit=1000&sort=orderValue&expand=customer`;
    const pages = await walk(uri);
    expect(pages.length).toBeGreaterThan(2);
    expect(itemsOf(pages).map(({ orderValue }) => orderValue)).toEqual(
      orders.map(({ orderValue }) => orderValue),
    );
    expect(itemsOf(pages).every(({ customer }) => (customer as { id: number }).id === id)).toBe(true);
    const back: number[] = [];
    for (let at = linkOf(pages.at(-1) as never, 'prev'); at !== undefined; ) {
      const answer = await get(at);
      expect(answer.bytes.length).toBeLessThanOrEqual(4_000_000);
      back.unshift(...answer.json().items.map(({ orderValue }) => orderValue as number));
      at = linkOf(answer.json(), 'prev');
    }
    expect(back).toEqual(back.map((_, at) => at));
    expect(back.length + (pages.at(-1)?.items.length ?? 0)).toBe(60);
  });
});

describe('the names in expand', () => {
  // Specification 4.24
  test.each([
    ['of no relation', 'expand=status'],
    ['of a property that JavaScript prototypes use', 'expand=__proto__,constructor,toString'],
    ['of a relation of a relation', 'expand=customer.orders'],
    ['in other letters', 'expand=Customer'],
    ['with an empty one among them', 'expand=customer,,products'],
    ['with a blank', 'expand=customer,%20products'],
    ['some of them unknown', 'expand=customer&expand=x'],
    ['1,500 of them', `expand=${Array.from({ length: 1500 }, (_, at) => `a${at}`).join(',')}`],
  ])('get 400 with the accepted names: %s', async (_, query) => {
    const { path } = await customerWith([{}]);
    for (const uri of [path, '/orders', `/orders/${(await get(path)).json().items[0]?.orderId}`]) {
      const answer = await get(`${uri}?${query}`);
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors[0]).toMatchObject({ parameter: 'expand' });
      expect(answer.json().errors[0]?.detail).toContain('use customer, products');
      expect(answer.bytes.length).toBeLessThan(70_000);
    }
  });

  test('may be empty, repeated and numerous', async () => {
    const { path } = await customerWith([{}]);
    const [plain] = (await get(path)).json().items;
    expect((await get(`${path}?expand=`)).json().items).toEqual([plain]);
    const many = Array.from({ length: 900 }, () => 'customer').join(',');
    for (const query of ['expand=customer&expand=customer', `expand=${many}`, 'expand=&expand=customer'])
      expect(Object.keys((await get(`${path}?${query}`)).json().items[0] ?? {})).toContain('customer');
  });

  // Specification 4.21
  test('are an unknown parameter where no relation is declared', async () => {
    const { path } = await create('/members', { name: 'x' });
    for (const uri of [path, '/members', '/files']) {
      expect((await get(`${uri}?expand=customer`)).status).toBe(200);
      expectProblem(await get(`${uri}?expand=customer`, { Prefer: 'handling=strict' }), 400);
    }
    const { order } = await orderOf();
    expect((await get(`${order.path}?expand=customer`, { Prefer: 'handling=strict' })).status).toBe(200);
    expect((await get(`${order.path}/customer?expand=customer`)).status).toBe(200);
  });

  test('leave 404 for a missing order and a missing customer', async () => {
    expectProblem(await get('/orders/1?expand=customer'), 404);
    for (const query of ['expand=customer', 'expand=x'])
      expectProblem(await get(`/customers/1/orders?${query}`), 404);
  });
});
