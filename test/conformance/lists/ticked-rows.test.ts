import { describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, unescaped } from '../../support/client/page.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** What the buttons below a list do with its ticked rows. Source: Specification 6.14. */
underTest();

const FORM = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };

/** Orders of a new customer: the path of their list, and their paths and identifiers. */
async function orders(count: number) {
  const list = `${(await create('/customers', { name: unique('c') })).path}/orders`;
  const paths: string[] = [];
  for (let quantity = 1; quantity <= count; quantity += 1)
    paths.push((await create(list, { productId: 1, quantity })).path);
  return { list, paths, ids: paths.map((path) => path.slice('/orders/'.length)) };
}

/** Ticks rows and presses a button. */
async function tick(list: string, rows: readonly string[], button: string, key = unique('key')) {
  const form = formsOf((await get(list, BROWSER)).text).find(({ method }) => method === 'post');
  const body = new URLSearchParams([
    [':idempotency-key', key],
    ...rows.map((row): [string, string] => [':row', row]),
    [':with', button],
  ]);
  return send('POST', form?.action ?? '', { headers: FORM, body: body.toString() });
}

const statuses = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await get(path)).json().status));

describe('the ticked rows of a list', () => {
  test('pass a transition together, and the list with its filters says so', async () => {
    const { list, paths, ids } = await orders(3);
    const done = await tick(`${list}?quantity.lte=9`, ids.slice(0, 2), 'pay');
    expect([done.status, done.headers.location]).toEqual([303, `${list}?quantity.lte=9&%3Adone=pay.2`]);
    expect(await statuses(paths)).toEqual(['paid', 'paid', 'created']);
    const { text } = await get(done.headers.location as string, BROWSER);
    expect(text).toMatch(/role="status"[^>]*>2 orders are now paid\.</);
    expect(text).toContain(`action="${list}?quantity.lte=9"`);
  });

  test('have the transitions that the state of a row allows, which ask if nothing leads back', async () => {
    const { list, paths } = await orders(2);
    const offered = async () => {
      const { text } = await get(list, BROWSER);
      const bar = /<div class="actions"><span>With[\s\S]*<\/form>/.exec(text)?.[0] ?? '';
      return [...bar.matchAll(/<details[\s\S]*?name=":with" value="(\w+)"/g)].map(([step, wanted]) => [
        wanted,
        step.includes('This cannot be undone.'),
      ]);
    };
    expect(await offered()).toEqual([
      ['pay', true],
      ['cancel', true],
      ['delete', false],
    ]);
    await send('POST', `${paths[0]}/pay`);
    expect((await offered()).map(([wanted]) => wanted)).toEqual(['pay', 'place', 'cancel', 'delete']);
  });

  test('are deleted together, also if one is gone', async () => {
    const { list, paths, ids } = await orders(2);
    await send('DELETE', paths[0] ?? '');
    const done = await tick(list, ids, 'delete');
    expect(done.headers.location).toBe(`${list}?%3Adone=deleted.2`);
    expect((await get(paths[1] ?? '')).status).toBe(404);
    expect((await get(done.headers.location as string, BROWSER)).text).toContain('2 orders are deleted.');
  });

  // Specification 16.9
  test('come back together after their deletion', async () => {
    const { list, paths } = await orders(3);
    const shown = (await get(list, BROWSER)).text;
    const rows = [...shown.matchAll(/name=:row value=([\d.]+)/g)].map(([, row = '']) => row);
    await send('POST', `${paths[0]}/pay`);
    const some = await tick(list, rows, 'delete');
    expect(some.text).toContain('<h1>1 of 3 orders is unchanged</h1>');
    expect(some.text).toContain('<div class="effect">2 orders are deleted. ');
    expect(some.text).toContain('It has changed since you opened the page.');
    expect(some.text).toMatch(/value="restore">Undo</);
    // The button for the rows that have changed names the versions that the page shows.
    const row = `2.${paths[0]?.split('/').at(-1)}`;
    expect(formsOf(some.text).at(-1)?.inputs.get(':row')).toBe(row);
    const deleted = await tick(list, [row], 'delete');
    expect(deleted.headers.location).toContain(`${list}?%3Adone=deleted.1&%3Amade=2.`);

    const [one, ...others] = [...rows].sort().reverse();
    const page = deleted.headers.location as string;
    // A removed item comes back in its last state (16.6), so an earlier version of the paid order does not.
    expect((await tick(page, others.slice(1), 'restore')).text).toContain('is unchanged');
    const undone = await tick(page, [others[0] ?? '', row], 'restore');
    expect([undone.status, undone.headers.location]).toEqual([303, `${list}?%3Adone=restored.2`]);
    expect((await get(undone.headers.location as string, BROWSER)).text).toContain('2 orders are restored.');
    expect(await statuses(paths.slice(0, 2))).toEqual(['paid', 'created']);
    expect((await tick(page, [one?.replace(/^1/, '9') ?? ''], 'restore')).text).toContain('is unchanged');
  });

  test('of files are deleted together', async () => {
    const name = `${unique('tick')} "1".txt`;
    await send('PUT', `/files/${encodeURIComponent(name)}`, { body: 'x' });
    const list = `/files?filename.prefix=${name.slice(0, 12)}`;
    const [, row = ''] = /name=:row value="([^"]*)"/.exec((await get(list, BROWSER)).text) ?? [];
    expect((await tick(list, [unescaped(row)], 'delete')).status).toBe(303);
    expect((await get(`/files/${encodeURIComponent(name)}`)).status).toBe(404);
  });

  test('get 413 and no effect if they are more than 250', async () => {
    const { list, paths, ids } = await orders(1);
    const others = Array.from({ length: 250 }, (_, at) => String(at + 1));
    const refused = await tick(list, [...ids, ...others], 'pay');
    expect([refused.status, refused.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
    expect(refused.text).toContain('251 ticked rows');
    expect(await statuses(paths)).toEqual(['created']);
  });

  test('have a page that names what is unchanged if one fails', async () => {
    const { list, paths, ids } = await orders(2);
    await send('POST', `${paths[0]}/pay`);
    const { status, text } = await tick(list, ids, 'place');
    expect(status).toBe(200);
    expect(text).toContain('<h1>1 of 2 orders is unchanged</h1>');
    expect(text).toContain('The other order is now placed.');
    expect(text).toMatch(
      new RegExp(
        `<li><a href="${paths[1]}">Order of c\\w+, 29.00 EUR, created</a>: Its present state does not allow this\\.`,
      ),
    );
    expect(await statuses(paths)).toEqual(['placed', 'created']);
  });

  // A person decides by what the page shows.
  test('of items that have changed since the page was shown get a question', async () => {
    const { list, paths } = await orders(3);
    const shown = (await get(list, BROWSER)).text;
    const rows = [...shown.matchAll(/name=:row value=([\d.]+)/g)].map(([, row = '']) => row);
    expect(rows).toHaveLength(3);
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    await send('PATCH', paths[0] ?? '', { json: { quantity: 7 }, headers });
    const asked = await tick(list, rows, 'pay');
    expect(asked.status).toBe(200);
    expect(await statuses(paths)).toEqual(['created', 'paid', 'paid']);
    const form = formsOf(asked.text).find(({ inputs }) => inputs.has(':row'));
    expect(asked.text).toContain('>Pay 1 order that changed</button>');
    const body = new URLSearchParams([...(form?.inputs ?? []), [':with', 'pay']]).toString();
    const done = await send('POST', form?.action ?? '', { headers: FORM, body });
    expect([done.status, done.headers.location]).toEqual([303, `${list}?%3Adone=pay.1`]);
    expect(await statuses(paths)).toEqual(['paid', 'paid', 'paid']);
  });

  test('have one effect if the form arrives twice', async () => {
    const { list, paths, ids } = await orders(1);
    const key = unique('key');
    for (let time = 0; time < 2; time += 1) expect((await tick(list, ids, 'pay', key)).status).toBe(303);
    expect((await get(paths[0] ?? '')).headers.etag).toMatch(/^"2\./);
  });

  test('become a CSV file with these rows alone', async () => {
    const { list, ids } = await orders(3);
    const lead = await tick(list, ids.slice(0, 2), 'csv');
    expect(lead.status).toBe(303);
    const { headers, text } = await get(lead.headers.location as string, BROWSER);
    expect(headers['content-disposition']).toBe('attachment; filename="orders.csv"');
    expect([...text.matchAll(/^\d+/gm)].map(([id]) => id)).toEqual(ids.slice(0, 2));
  });

  test.each(['nothing', 'edit', 'constructor'])(
    'stay as they are with the unknown button %s',
    async (button) => {
      const { list, paths, ids } = await orders(1);
      const lead = await tick(list, ids, button);
      expect([lead.status, lead.headers.location]).toEqual([303, list]);
      expect(await statuses(paths)).toEqual(['created']);
    },
  );

  test('stay as they are if the form is on a page of another site', async () => {
    const { list, paths, ids } = await orders(1);
    const headers = { ...FORM, 'Sec-Fetch-Site': 'cross-site' };
    expect((await send('POST', list, { headers, body: `:row=${ids[0]}&:with=delete` })).status).toBe(403);
    expect((await get(paths[0] ?? '')).status).toBe(200);
  });

  test('lead back to the list if no row is ticked', async () => {
    const { list } = await orders(1);
    expect((await tick(list, [], 'delete')).headers.location).toBe(list);
  });
});

test('a list that takes no POST has no boxes', async () => {
  const { paths } = await orders(1);
  expect((await get(`${paths[0]}/products`, BROWSER)).text).not.toContain('name=":row"');
});
