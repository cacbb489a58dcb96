import { describe, expect, test } from '@jest/globals';
import { ended } from '../../support/client/operation.ts';
import { BROWSER, headingOf, unescaped, urlencoded } from '../../support/client/page.ts';
import { eventually } from '../../support/eventually.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Pages use words for people, and API representations use those for programs. Source: Specification 6.13. */
underTest();

const FORM = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
const browse = async (path: string) => unescaped((await get(path, BROWSER)).text);
const submit = async (path: string, inputs: Readonly<Record<string, string>>) =>
  unescaped((await send('POST', path, { body: urlencoded(Object.entries(inputs)), headers: FORM })).text);

/** Words of the API that say nothing to people. */
const OF_API =
  /other than id, times and links|payload|idempotency key|named properties|home document|must be given|\^\[/i;

describe('a page says what is wrong in words for people', () => {
  test('about an empty form', async () => {
    const page = await submit('/customers/new', { name: '' });
    expect(page).toContain('fill in at least one of the inputs');
    expect(page).not.toMatch(OF_API);
  });

  test('about a value that lacks', async () => {
    const page = await submit('/orders/new', { quantity: '2' });
    expect(page).toContain('<p class="error" id="input-productId-error-0">fill this in</p>');
    expect(page).toContain('<h2>Some values need a correction</h2>');
    expect(page).not.toMatch(OF_API);
  });

  test('about the product of an order, at its input', async () => {
    const page = await submit('/orders/new', { productId: '999999999', quantity: '2' });
    expect(page).toContain('<p class="error" id="input-productId-error-0">names no product</p>');
  });

  test('about an item that is gone, and about a page that never was', async () => {
    const { path, id } = await create('/customers', { name: unique('Acme') });
    await send('DELETE', path);
    const gone = await browse(path);
    expect(gone).toContain(`There is no customer ${id}. Perhaps it was deleted.`);
    expect(gone).toContain(`<a href="${path}/versions">History</a>`);
    for (const nowhere of ['/nothing', `${(await create('/customers', { name: 'a' })).path}/nothing`])
      expect(await browse(nowhere)).toContain('There is no page at this address.');
    const { path: present } = await create('/customers', { name: 'b' });
    expect(await browse(`${present}/versions/9`)).toContain('There is no version 9 of this customer.');
    expect(gone).not.toMatch(OF_API);
  });

  test('about a filter without an input, and about one in closed filters', async () => {
    const page = await browse('/orders?minCost=abc');
    expect(page).toContain('<p class="error">“abc” must be a number.</p>');
    expect(await browse('/orders?productId=Nothing')).toMatch(
      /<details open>[\s\S]*There is no product “Nothing”/,
    );
  });

  test('and the API keeps its own words, without rules', async () => {
    const answer = await send('POST', '/orders', { json: { quantity: 2 } });
    expect(answer.json().errors).toEqual([{ pointer: '/productId', detail: 'must be given' }]);
    expect((await get('/customers/1')).json().detail).toContain('home document');
  });
});

// Specification 16.9
test('the page before a deletion says whether a person can undo it', async () => {
  const { path } = await create('/customers', { name: unique('Acme') });
  expect(await browse(`${path}/delete`)).toContain('You can undo this for 30 days.');
  const file = `/files/${unique('f')}.txt`;
  await send('PUT', file, { body: 'x' });
  expect(await browse(`${file}/delete`)).toContain('This cannot be undone.');
});

test('the page of the changes names each item', async () => {
  const since = new Date(Date.now() - 1000).toISOString();
  const { path } = await create('/customers', { name: unique('Acme') });
  const { name } = (await get(path)).json();
  let page = `/changes?type=customer.created&since=${since}`;
  await eventually(async () => {
    const { items, links } = (await get(page)).json();
    const subjects = items.map(({ subject }) => subject);
    // A page ends after 2,000 changes that the filter drops, and other tests make many.
    if (!subjects.includes(path)) page = links.find(({ rel }) => rel === 'next')?.href ?? page;
    expect(subjects).toContain(path);
  });
  expect(await browse(page)).toContain(`<a href="${path}">${name}</a>`);
});

// Specification 17.3
test('a page of the changes without a change links to later ones', async () => {
  const page = `/changes?type=order.completed&since=${new Date().toISOString()}`;
  const { links } = (await get(page)).json();
  const next = links.find(({ rel }) => rel === 'next')?.href ?? '';
  expect(await browse(next)).toMatch(
    /This page has no changes\. <a rel="next" href="[^"]+">Later changes<\/a>/,
  );
});

test('the page of an operation names its work', async () => {
  const { path } = await create('/customers', { name: unique('Acme') });
  const accepted = await send('DELETE', path, { headers: { Prefer: 'respond-async' } });
  await ended(accepted);
  const page = await browse(accepted.headers.location as string);
  expect(headingOf(page)).toBe('Deletion of customers');
  const list = await browse('/operations');
  expect(list).toContain('>Deletion of customers</a>');
  for (const shown of [page, list]) expect(shown).not.toContain('customers.remove');
});

// Specification 6.3. The page above a missing item is its list: the page of the item itself is this refusal.
test('the page of a missing item leads back to its list', async () => {
  const { status, text } = await send('GET', '/members/1', { headers: { Accept: 'text/html' } });
  expect(status).toBe(404);
  expect(text).toContain('<a class="button quiet" href="/members?sort=-id">Back to Members</a>');
});
