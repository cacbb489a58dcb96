import { describe, expect, test } from '@jest/globals';
import {
  attributes,
  BROWSER,
  formOf,
  formsOf,
  headingOf,
  numbered,
  unescaped,
  urlencoded,
} from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Choosing the related item of a form from a list. Source: Specification 6.3. */
underTest();

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const browse = async (path: string) => (await get(path, BROWSER)).text;

/** Sends the first form of a page, with some of its inputs filled in. */
function submit(page: string, filled: Readonly<Record<string, string>>) {
  const { action, inputs } = formOf(page);
  const body = urlencoded(new Map([...inputs, ...Object.entries(filled)]));
  return send('POST', action, { body, headers: { ...BROWSER, ...FORM } });
}

/** The address of the list to which a form leads. */
async function listFor(page: string, filled: Readonly<Record<string, string>>): Promise<string> {
  const left = await submit(page, filled);
  expect([left.status, left.headers['cache-control']]).toEqual([303, 'no-store']);
  return left.headers.location as string;
}

/** The address behind the name of an item on a page. */
function addressOf(page: string, name: string): string {
  const [, tag = ''] = new RegExp(`(<a [^>]*>)${name}</a>`).exec(page) ?? [];
  return attributes(tag).href ?? '';
}

const customer = async () => {
  const name = unique('Acme');
  const { path } = await create('/customers', { name });
  return { name, id: path.slice('/customers/'.length) };
};

describe('an input for a related item', () => {
  test('has a button that leads to the list and back with the choice', async () => {
    const { name, id } = await customer();
    const page = await browse('/orders/new');
    expect(page).toMatch(/<button [^>]*name=":choose" value="customerId" formnovalidate>Choose customer</);
    const list = await listFor(page, { productId: '1', quantity: 'three', ':choose': 'customerId' });
    expect(list).toMatch(/^\/customers\?/);
    const shown = await browse(`${list}&name.prefix=${name}`);
    expect(headingOf(shown)).toBe('Choose a customer');

    const form = await browse(addressOf(shown, name));
    const { inputs } = formOf(form);
    expect(inputs.get('customerId')).toBe(name);
    const plain = numbered(inputs);
    expect([plain.get('customerId'), plain.get('productId'), plain.get('quantity')]).toEqual([
      id,
      '1',
      'three',
    ]);
    const made = await submit(form, { quantity: '3' });
    expect(made.status).toBe(303);
    expect((await get(made.headers.location as string)).json()).toMatchObject({
      customerId: Number(id),
      productId: 1,
      quantity: 3,
    });
  });

  test('names the item that it has', async () => {
    const { name, id } = await customer();
    const { path } = await create('/orders', { productId: 1, customerId: Number(id) });
    for (const address of [`/orders/new?customerId=${id}`, `${path}/edit`])
      expect(formOf(await browse(address)).inputs.get('customerId')).toBe(name);
  });

  test('of an edit form loses no value and no update', async () => {
    const [before, after] = [await customer(), await customer()];
    const { path } = await create('/orders', { productId: 1, customerId: Number(before.id), note: 'old' });
    const list = await listFor(await browse(`${path}/edit`), {
      note: 'mine & more',
      ':choose': 'customerId',
    });
    await send('PATCH', path, {
      json: { quantity: 7 },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    const form = await browse(addressOf(await browse(`${list}&name.prefix=${after.name}`), after.name));
    expect(formOf(form).inputs.get('note')).toBe('mine & more');
    const refused = await submit(form, {});
    expect(refused.status).toBe(412);
    expect((await submit(refused.text, { ':take': 'quantity' })).status).toBe(303);
    expect((await get(path)).json()).toMatchObject({
      customerId: Number(after.id),
      note: 'mine & more',
      quantity: 7,
    });
  });

  test('keeps the form while a person searches, sorts and turns pages', async () => {
    await Promise.all([customer(), customer()]);
    const list = await listFor(await browse('/orders/new'), { ':choose': 'customerId', productId: '77' });
    const page = await browse(`${list}&limit=1`);
    const search = formsOf(page).find(({ method, action }) => method === 'get' && action === '/customers');
    expect(search?.inputs.get(':for')).toMatch(/^\/orders\/new\?.*productId=77/);
    const addresses = [...page.matchAll(/href="(\/customers\?[^"]*)"/g)].map(([, href = '']) =>
      unescaped(href),
    );
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses)
      expect(new URLSearchParams(address.split('?')[1]).get(':for')).toContain('productId=77');
    expect(page).not.toContain('New customer');
    const back = /<a href="([^"]*)">Back to the form<\/a>/.exec(page)?.[1];
    expect(formOf(await browse(unescaped(back ?? ''))).inputs.get('productId')).toBe('77');
  });

  test('leads from a page of this service alone', async () => {
    const { name, id } = await customer();
    const others = [
      '//evil.example/new?:choose=a',
      'https://evil.example/a/new?:choose=a',
      '/\\evil/new?:choose=a',
      'javascript:1',
      '/orders/new',
      '/orders/new?a=b',
      '/orders/pay?:choose=a',
      '',
    ];
    for (const other of others) {
      const page = await browse(`/customers?name.prefix=${name}&:for=${encodeURIComponent(other)}`);
      expect([other, headingOf(page), addressOf(page, name)]).toEqual([
        other,
        'Customers',
        `/customers/${id}`,
      ]);
    }
  });

  test('stays in the form if its texts are too long for an address', async () => {
    const { path } = await create('/orders', { productId: 1, note: 'x' });
    const note = 'long '.repeat(2000);
    const refused = await submit(await browse(`${path}/edit`), { note, ':choose': 'customerId' });
    expect(refused.status).toBe(413);
    expect(formOf(refused.text).inputs.get('note')).toBe(note);
  });

  test('has no meaning for other fields and other formats', async () => {
    const body = urlencoded([
      ['productId', '1'],
      [':choose', 'quantity'],
    ]);
    expect((await send('POST', '/orders/new', { body, headers: FORM })).status).toBe(201);
    expectProblem(await send('POST', '/orders/new', { body: ':choose=x', headers: FORM }), 400);
    const { text } = await get('/customers?limit=1&:for=/orders/new?:choose=customerId');
    expect(text).not.toContain('orders/new');
  });
});
