import { describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, urlencoded } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const browse = async (path: string) => (await get(path, BROWSER)).text;
const submit = (path: string, body: string) => send('POST', path, { body, headers: { ...BROWSER, ...FORM } });

/** The text of the status on a page; undefined if the page has none. */
const statusOf = (page: string) => /<p [^>]*role="status"[^>]*>([^<]*)<\/p>/.exec(page)?.[1];

// Specification 6.2. A form sends no value as an empty text, and each end of a line as CRLF.
test.each(['urlencoded', 'multipart'])(
  'a form of an item that is saved unchanged changes nothing: %s',
  async (coding) => {
    const values = { username: unique('ada'), note: '', name: 'a\r\nb\nc\rd', more: '\r', plain: 'x' };
    const { path } = await create('/members', values);
    const { etag } = (await get(path)).headers;
    const save = async (others: Readonly<Record<string, string>>) => {
      const [form] = formsOf(await browse(`${path}/edit`));
      const inputs = [...(form?.inputs ?? [])].map(
        ([name, text]) => [name, (others[name] ?? text).replaceAll(/\r\n?|\n/g, '\r\n')] as const,
      );
      expect(inputs.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(values)));
      if (coding === 'urlencoded') return submit(`${path}/edit`, urlencoded(inputs));
      const parts = inputs.map(
        ([name, text]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
      );
      const headers = { ...BROWSER, 'Content-Type': 'multipart/form-data; boundary=b' };
      return send('POST', `${path}/edit`, { body: `${parts.join('')}--b--\r\n`, headers });
    };
    expect((await save({})).status).toBe(303);
    const saved = await get(path);
    expect([saved.headers.etag, saved.json()]).toMatchObject([etag, values]);
    expect((await save({ name: 'a\nb', plain: '' })).status).toBe(303);
    const changed = (await get(path)).json();
    expect(changed).toMatchObject({ note: '', name: 'a\nb', more: '\r' });
    expect(changed).not.toHaveProperty('plain');
  },
);

// Specification 6.6
describe('the page after a form says that the form has worked', () => {
  test('after each kind of form of an item', async () => {
    const made = (await submit('/members', `username=${unique('ada')}`)).headers.location as string;
    expect(statusOf(await browse(made))).toBe('The member is created.');
    const [path = ''] = made.split('?');
    const saved = (await submit(`${path}/edit`, 'age=3')).headers.location as string;
    expect(statusOf(await browse(saved))).toBe('The member is saved.');
    const gone = (await submit(`${path}/delete`, '')).headers.location as string;
    expect(statusOf(await browse(gone))).toBe('The member is deleted.');
  });

  test('after a transition', async () => {
    const { path } = await create('/orders', { productId: 1 });
    const page = await browse(path);
    const [pay] = formsOf(page);
    const paid = (await submit(pay?.action ?? '', urlencoded(pay?.inputs ?? []))).headers.location as string;
    expect(statusOf(await browse(paid))).toBe('The order is now paid.');
  });

  test('after files', async () => {
    expect(statusOf(await browse('/files?:done=stored&:made=3'))).toBe('3 files are stored.');
    expect(statusOf(await browse('/files?:done=stored&:made=1'))).toBe('The file is stored.');
  });

  // Specification 6.10
  test('and leads from one new item to the next one', async () => {
    const customer = await create('/customers', { name: unique('Acme') });
    const page = await browse(`/orders/new?customerId=${customer.id}`);
    expect(page).toContain('<button class="quiet" name=":then" value="new">Create and add another</button>');
    const made = await submit('/orders/new', `customerId=${customer.id}&productId=1&:then=new`);
    const next = await browse(made.headers.location as string);
    const path = /is created\. <a href="([^"]*)">Show it<\/a>/.exec(next)?.[1] ?? '';
    expect((await get(path)).json()).toMatchObject({ customerId: customer.id });
    expect(formsOf(next)[0]?.inputs.get(':named.customerId')).toMatch(`${customer.id} Acme`);
    expect(formsOf(next)[0]?.inputs.get('productId')).toBe('');
    expect(await browse('/members/new?:done=created&:made=1"><b>')).not.toContain('<b>');
  });

  // Specification 7.10
  test('after the cancellation of an operation that has not begun', async () => {
    expect(statusOf(await browse('/operations?:done=canceled'))).toBe('The operation is canceled.');
  });

  test('with words of the service alone', async () => {
    for (const path of ['/members', '/orders'])
      for (const other of ['x', 'toString', '<b>', '', 'read', 'remove'])
        expect(statusOf(await browse(`${path}?:done=${encodeURIComponent(other)}`))).toBeUndefined();
    expect(statusOf(await browse('/members?:done=pay'))).toBeUndefined();
    expect(statusOf(await browse('/members?:done=saved&:done=x'))).toBe('The member is saved.');
  });

  test('and its links do not repeat it', async () => {
    await create('/members', { username: unique('a') });
    const page = await browse('/members?:done=deleted&limit=1');
    expect(page).not.toMatch(/(?:href|value)="[^"]*:done/);
  });

  test('and JSON is the same with and without the parameter', async () => {
    const { path } = await create('/members', { username: unique('ada') });
    const [plain, marked] = [await get(path), await get(`${path}?:done=saved`)];
    expect([marked.text, marked.headers.etag]).toEqual([plain.text, plain.headers.etag]);
  });
});

// Specification 8.3
test('a transition without a way back asks for confirmation, the usual one in the color of the next step', async () => {
  const { path } = await create('/orders', { productId: 1 });
  const page = await browse(path);
  expect(formsOf(page).map(({ action }) => action)).toEqual([`${path}/pay`, `${path}/cancel`]);
  const asking = [...page.matchAll(/<summary class="([^"]*)">([^<]*)<\/summary>\n<form[\s\S]*?<\/form>/g)];
  expect(asking.map(([, look, label]) => [look, label])).toEqual([
    ['button', 'Pay order…'],
    ['button quiet danger', 'Cancel order…'],
  ]);
  expect(asking.map(([step]) => step.includes('This cannot be undone.'))).toEqual([true, true]);
});
