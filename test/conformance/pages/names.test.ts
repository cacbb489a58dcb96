import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { BROWSER, formOf, formsOf, headingOf, unescaped, urlencoded } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Names of related items in forms and filters. Source: Specification 6.9. */
underTest();

const FORM = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
const browse = async (path: string) => unescaped((await get(path, BROWSER)).text);
const submit = (action: string, filled: Readonly<Record<string, string>>) =>
  send('POST', action, { body: urlencoded(Object.entries(filled)), headers: FORM });

const customer = async (name: string) => (await create('/customers', { name })) as { id: number };

/** The buttons of a choice on a page: their values, by the texts beside them. */
const choices = (page: string): Map<string, string> =>
  new Map(
    [...page.matchAll(/<input type="radio"[^>]* value="([^"]*)"> ([^<]*) <small>(\d+)/g)].map(
      ([, value = '', name = '', id = '']) => [`${name} ${id}`, unescaped(value)],
    ),
  );

describe('a name in a form', () => {
  test('is suggested, and means the only item with it', async () => {
    const name = unique('Harbour Books');
    const { id } = await customer(name);
    expect(await browse('/orders/new')).toMatch(/list="input-customerId-names"[\s\S]*<datalist[^>]*><option/);
    const made = await submit('/orders/new', { customerId: ` ${name} `, productId: 'Stoneware mug' });
    expect(made.status).toBe(303);
    const path = made.headers.location?.replace(/\?.*/, '') ?? '';
    expect((await get(path)).json()).toMatchObject({ customerId: id, productId: 1 });
  });

  test('is in the form of an item that has it', async () => {
    const name = unique('Acme');
    const { id } = await customer(name);
    const { path } = await create('/orders', { productId: 1, customerId: id });
    for (const address of [`/orders/new?customerId=${id}`, `${path}/edit`])
      expect(formOf((await get(address, BROWSER)).text).inputs.get('customerId')).toBe(name);
  });

  test('can be a beginning, in either case of its first letter, and a number still works', async () => {
    const name = unique('Quay');
    const { id } = await customer(`${name} Print`);
    for (const written of [name, `q${name.slice(1)}`, String(id)]) {
      const { path } = await create('/orders', { productId: 1 });
      const saved = await submit(`${path}/edit`, { customerId: written });
      expect([written, saved.status]).toEqual([written, 303]);
      expect((await get(path)).json().customerId).toBe(id);
    }
  });

  test('is the whole name of one item before it is the beginning of others', async () => {
    const name = unique('Acme');
    const { id } = await customer(name);
    await customer(`${name} & Sons`);
    const made = await submit('/orders/new', { customerId: name, productId: '1' });
    expect((await get(made.headers.location ?? '')).json().customerId).toBe(id);
  });

  test('of several items leads to a choice in the same form, which keeps the other values', async () => {
    const name = unique('Blue "Door" &');
    const [first, second] = [await customer(`${name} Café`), await customer(`${name} Café`)];
    const asked = await submit('/orders/new', { customerId: name, productId: '1', quantity: 'x', note: 'n' });
    expect(asked.status).toBe(400);
    const { inputs, action } = formOf(asked.text);
    expect([inputs.get('customerId'), inputs.get('quantity'), inputs.get('note')]).toEqual([name, 'x', 'n']);
    expect(unescaped(asked.text)).toContain(`2 customers begin with “${name}”`);
    const found = choices(asked.text);
    expect([...found.keys()].map(unescaped).sort()).toEqual([
      `${name} Café ${first.id}`,
      `${name} Café ${second.id}`,
    ]);
    const chosen = [...found].find(([text]) => text.endsWith(String(second.id)))?.[1] ?? '';
    const filled = { ...Object.fromEntries(inputs), ':named.customerId': chosen, quantity: '3' };
    const made = await submit(action, filled);
    expect((await get(made.headers.location ?? '')).json()).toMatchObject({
      customerId: second.id,
      quantity: 3,
      note: 'n',
    });
  });

  test('of no item is an error at its input', async () => {
    const refused = await submit('/orders/new', { customerId: 'No such one', productId: '1' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      '<p class="error" id="input-customerId-error-0">there is no customer “No such one”</p>',
    );
    expect(formOf(refused.text).inputs.get('productId')).toBe('1');
  });

  test('survives the refusal of another input', async () => {
    const name = unique('Northwind');
    const { id } = await customer(`${name} School`);
    const refused = await submit('/orders/new', { customerId: name, productId: '1', quantity: '0' });
    const { inputs, action } = formOf(refused.text);
    expect(inputs.get('customerId')).toBe(`${name} School`);
    await customer(`${name} School`);
    const made = await submit(action, { ...Object.fromEntries(inputs), quantity: '2' });
    expect((await get(made.headers.location ?? '')).json()).toMatchObject({ customerId: id, quantity: 2 });
  });

  test('of an item whose name has a namesake leaves an edited item as it is', async () => {
    const name = unique('Twin');
    const { id } = await customer(name);
    await customer(name);
    const { path } = await create('/orders', { productId: 1, customerId: id });
    const { action, inputs } = formOf((await get(`${path}/edit`, BROWSER)).text);
    const saved = await submit(action, { ...Object.fromEntries(inputs), quantity: '4' });
    expect(saved.status).toBe(303);
    expect((await get(path)).json()).toMatchObject({ customerId: id, quantity: 4 });
  });

  test('has no meaning for API clients', async () => {
    const { headers } = await submit('/orders/new', { productId: 'Stoneware mug' });
    expect(headers.location).toBeDefined();
    const body = urlencoded([['productId', 'Stoneware mug']]);
    const plain = { 'Content-Type': FORM['Content-Type'] };
    expect((await send('POST', '/orders', { body, headers: plain })).status).toBe(400);
  });
});

describe('a filter by a related item', () => {
  const orderOf = async (name: string) => {
    const { id } = await customer(name);
    const { path } = await create('/orders', { productId: 1, customerId: id, orderValue: 7 });
    return { id, path };
  };
  const searchOf = (page: string) => formsOf(page).find(({ method }) => method === 'get');

  test('takes a name, and keeps the other filters', async () => {
    const name = unique('Harbour');
    const [{ path }, other] = [await orderOf(`${name} Books`), await orderOf(unique('Other'))];
    const page = await browse(`/orders?customerId=${name}&orderValue.gte=5&status=created`);
    expect(page).toContain(`<a href=${path}>`);
    expect(page).not.toContain(`<a href=${other.path}>`);
    const inputs = searchOf(page)?.inputs;
    expect([inputs?.get('customerId'), inputs?.get('orderValue.gte'), inputs?.get('status')]).toEqual([
      `${name} Books`,
      '5',
      'created',
    ]);
    expect(await browse(`/orders?customerId=${name}&orderValue.gte=8`)).toContain('No orders match');
  });

  test('shows the name of the item with a number', async () => {
    const name = unique('Acme');
    const { id } = await orderOf(name);
    expect(searchOf(await browse(`/orders?customerId=${id}`))?.inputs.get('customerId')).toBe(name);
  });

  test('of several items shows the orders of all, and a link for each', async () => {
    const name = unique('Quay');
    const both = [await orderOf(`${name} A`), await orderOf(`${name} B`)];
    const page = await browse(`/orders?customerId=${name}&status=created&limit=1`);
    expect(page).toContain('2 customers match:');
    for (const { id } of both) expect(page).toContain(`/orders?status=created&limit=1&customerId=${id}"`);
    const next = unescaped(/<a rel="next" href="([^"]*)"/.exec(page)?.[1] ?? '');
    expect([...(await browse(next)).matchAll(/<tr><th>/g)]).toHaveLength(1);
  });

  test('of more items than a page names says that others can match', async () => {
    const name = unique('Wharf');
    const json = Array.from({ length: 21 }, (_, at) => ({ name: `${name} ${at}`, vatId: 'IE1' }));
    expect((await send('POST', '/customers', { json })).status).toBe(201);
    const page = await browse(`/orders?customerId=${name}`);
    expect(page).toContain('20 customers match, and others can: write more of the name to see them');
  });

  test('of exactly as many items as a page names does not say so', async () => {
    const name = unique('Pier');
    const json = Array.from({ length: 20 }, (_, at) => ({ name: `${name} ${at}` }));
    expect((await send('POST', '/customers', { json })).status).toBe(201);
    const page = await browse(`/orders?customerId=${name}`);
    expect(page).toContain('20 customers match:');
  });

  // Specification 4.2, 4.27
  test('of items that are too large to be read together says that others can match', async () => {
    const name = unique('Depot');
    for (let at = 0; at < 18; at += 3) {
      const json = [0, 1, 2].map((more) => ({ name: `${name} ${at + more}`, big: 'x'.repeat(250_000) }));
      expect((await send('POST', '/customers', { json })).status).toBe(201);
    }
    const found = unescaped((await get(`/orders?customerId=${name}`, BROWSER)).text);
    const [, count] = /(\d+) customers match, and others can: write more of the name/.exec(found) ?? [];
    expect(Number(count)).toBeGreaterThan(0);
    expect(Number(count)).toBeLessThan(18);
    const units = (answer: Answer) =>
      Number(/read-units;desc="([\d.]+)"/.exec(answer.headers['server-timing'] ?? '')?.[1]);
    // Two such filters leave read units for the list.
    const product = unique('Depot');
    for (let at = 0; at < 9; at += 3)
      await send('POST', '/products', {
        json: [0, 1, 2].map((more) => ({ name: `${product} ${at + more}`, big: 'x'.repeat(250_000) })),
      });
    const narrow = await get(`/orders?customerId=${name}&productId=${product}`, {
      ...BROWSER,
      Prefer: 'server-timing',
    });
    expect(narrow.status).toBe(200);
    expect(narrow.text).toMatch(/products? match/);
    expect(units(narrow)).toBeLessThan(2_500);
    // The form has the same filter, and its page says the same.
    const inputs = [...(searchOf(found)?.inputs ?? [])].filter(([input]) => /customerId$/.test(input));
    expect(inputs).toHaveLength(2);
    expect(await browse(`/orders?${urlencoded(inputs)}`)).toContain(
      `${count} customers match, and others can`,
    );
    const asked = await submit('/orders/new', { customerId: name, productId: '1' });
    expect(asked.status).toBe(400);
    expect(unescaped(asked.text)).toContain(`more than ${count} customers begin with “${name}”`);
  });

  test('of no item says so at the filter', async () => {
    const page = await browse('/orders?customerId=No+such+one&orderValue.gte=5');
    expect(headingOf(page)).toBe('Orders');
    expect(page).toContain('There is no customer “No such one”.');
    expect(searchOf(page)?.inputs.get('orderValue.gte')).toBe('5');
  });

  // Specification 2.5
  test('of no item selects nothing, whatever number an order names', async () => {
    const { path } = await create('/orders', { productId: 0, orderValue: 1 });
    await create('/orders', { productId: Number.MAX_SAFE_INTEGER, orderValue: 1 });
    const page = await browse('/orders?productId=No+such+one');
    expect(page).toContain('There is no product “No such one”.');
    expect(page).toContain('No orders match');
    expect(await browse('/orders?productId=0')).toContain(path);
  });

  test('stays a number for API clients', async () => {
    expect((await get('/orders?customerId=Harbour')).status).toBe(400);
  });
});
