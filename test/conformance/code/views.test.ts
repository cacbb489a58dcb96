import { expect, test } from '@jest/globals';
import { BROWSER } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';
import { unique } from '../../support/service/under-test.ts';

/*
 * A view: a GET of its own, which code of an author answers. Specification 20.1 to 20.4.
 */
const send = withOpened('lending');
const get = (path: string, headers: Readonly<Record<string, string>> = {}) => send('GET', path, { headers });

async function made(collection: string, json: object): Promise<number> {
  const answer = await send('POST', collection, { json });
  expect(answer.status).toBe(201);
  return Number(answer.json().id);
}

/** Readers with overdue loans, earlier than those of all other tests. */
async function overdue(due: string) {
  const name = unique('Reader, "A"');
  const readerId = await made('/readers', { name });
  for (const title of ['One', 'Two']) await made('/loans', { readerId, title, due, open: true });
  return { name, readerId };
}

test('a view computes its rows from lists, and shows them in each format of a list', async () => {
  const { name, readerId } = await overdue('1990-01-01');
  const path = '/overdue-readers?on=1990-01-02';
  const json = await get(path);
  expect([json.status, json.headers['content-type']]).toEqual([200, 'application/json']);
  const last = expect.stringMatching(/^20\d\d-.*Z$/);
  const row = { readerId, name, loans: 2, fee: 3, last, titles: ['One', 'Two'] };
  expect(json.json()).toEqual({
    items: [row],
    limit: 100,
    offset: 0,
    total: 1,
    links: [{ rel: 'first', href: '/overdue-readers?on=1990-01-02&limit=100&offset=0', method: 'GET' }],
  });
  const xml = (await get(path, { Accept: 'application/xml' })).text;
  expect(xml).toContain(`<overdueReaders>`);
  expect(xml).toMatch(
    new RegExp(`<item><readerId>${readerId}</readerId><name>Reader, &quot;A&quot;[^<]*</name>`),
  );
  const csv = await get(path, { Accept: 'text/csv' });
  expect(csv.text).toMatch(
    new RegExp(
      `^readerId,name,loans,fee,last,titles\r\n${readerId},"Reader, ""A""[^"]*",2,3,20[^,]*Z,"\\[""One"",""Two""\\]"\r\n$`,
    ),
  );
  const lines = await get(path, { Accept: 'application/jsonl' });
  expect(JSON.parse(lines.text)).toEqual(row);
  const page = await get(path, BROWSER);
  expect(page.text).toMatch(
    /<td data-label=Name>Reader, &quot;A&quot;\w+<td data-label=Loans>2<td data-label=Fees>3</,
  );
});

test('a view has the entity tag of its representation', async () => {
  await overdue('1991-01-01');
  const path = '/overdue-readers?on=1991-01-02';
  const { headers } = await get(path);
  expect(headers['cache-control']).toBe('private, no-cache');
  const tag = String(headers.etag);
  expect((await get(path, { 'If-None-Match': tag })).status).toBe(304);
  const head = await send('HEAD', path);
  expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, tag]);
  await overdue('1991-01-01');
  expect((await get(path, { 'If-None-Match': tag })).status).toBe(200);
});

test('limit and offset select a page, fields the properties', async () => {
  const page = async (query: string) => (await get(`/numbers?below=2500&${query}`)).json();
  const first = await page('limit=2');
  expect(first).toMatchObject({ items: [{ number: 0 }, { number: 1 }], limit: 2, offset: 0, total: 2500 });
  const rels = first.links.map(({ rel }) => rel);
  expect(rels).toEqual(['first', 'next']);
  const next = (await get(String(first.links[1]?.href))).json();
  expect(next).toMatchObject({ items: [{ number: 2 }, { number: 3 }], offset: 2 });
  expect(next.links.map(({ rel, href }) => [rel, href])).toEqual([
    ['first', '/numbers?below=2500&limit=2&offset=0'],
    ['prev', '/numbers?below=2500&limit=2&offset=0'],
    ['next', '/numbers?below=2500&limit=2&offset=4'],
  ]);
  expect((await page('limit=5000')).items).toHaveLength(1000);
  expect((await page('limit=5000&offset=2400')).items).toHaveLength(100);
  expect((await page('limit=0')).items).toEqual([]);
  expect(await page('offset=9999')).toMatchObject({ items: [], total: 2500 });
  const selected = await get('/numbers?below=1&long=true&fields=text&limit=1');
  expect(Object.keys(selected.json().items[0] ?? {})).toEqual(['text']);
});

test('a page of large rows ends early, and its link leads to the others', async () => {
  const numbers: unknown[] = [];
  let path: string | undefined = '/numbers?below=20&long=true';
  let pages = 0;
  for (; path; pages += 1) {
    const answer = (await get(path)).json();
    numbers.push(...answer.items.map(({ number }) => number));
    path = answer.links.find(({ rel }) => rel === 'next')?.href;
  }
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(pages).toBe(3);
});

test('a view with more than 10,000 rows is refused', async () => {
  expect((await get('/numbers?below=10000&limit=1')).status).toBe(200);
  const answer = await get('/numbers?below=10001&limit=1');
  expectProblem(answer, 400, 'validation-error');
  expect(answer.json().detail).toBe('The view has more than 10000 rows. Choose parameters that select fewer');
});

test('a view that lists too much for its order is refused', async () => {
  const prefix = unique('thorough');
  const json = { name: prefix, about: 'x'.repeat(250_000) };
  const id = await made('/readers', json);
  const path = `/thorough?prefix=${prefix}`;
  expect((await get(`${path}&lists=true`)).json()).toEqual({ found: 1 });
  // Items that the code reads one by one have no limit, and count.
  expect((await get(`${path}&id=${id}&times=45`)).json()).toEqual({ found: 45 });
  const beyond = await get(`${path}&id=${id}&times=45&lists=true`);
  expectProblem(beyond, 400, 'validation-error');
  for (let more = 0; more < 90; more += 1) await made('/readers', json);
  const answer = await get(`${path}&lists=true`);
  expectProblem(answer, 400, 'validation-error');
  expect(answer.json().detail).toMatch(/^The view sorts more than 10000 items, or fewer large ones\./);
}, 60_000);

test.each([
  ['/numbers', ['below'], 'must be given'],
  ['/numbers?below=x', ['below'], 'must be a number'],
  ['/numbers?below=1.5', ['below'], 'must be a whole number'],
  ['/numbers?below=100001', ['below'], 'must be at most 100000'],
  ['/numbers?below=1&below=2', ['below'], 'must be given once'],
  ['/numbers?below=1&long=maybe', ['long'], 'must be true or false'],
  ['/numbers?below=x&long=maybe', ['below', 'long'], 'must be a number'],
  ['/numbers?below=1&limit=-1', ['limit'], 'must be an integer of 0 or more'],
  ['/numbers?below=1&fields=numbr', ['fields'], "'numbr' is not a field: use number, text"],
  ['/numbers?below=1&Long=true', ['Long'], 'is not a parameter of this request: use long'],
  ['/weekday?date=2026-02-30', ['date'], 'must be a date such as 2026-11-22'],
  ['/weekday?date=0000-01-01', ['date'], 'is before the year 1'],
  ['/overdue-readers?on=never', ['on'], 'must be a day'],
])('a wrong parameter gets 400: %s', async (path, parameters, detail) => {
  const answer = await get(path);
  expectProblem(answer, 400, 'validation-error');
  const { errors } = answer.json();
  expect([errors.map(({ parameter }) => parameter), errors[0]?.detail]).toEqual([parameters, detail]);
});

test('a view with one document has no page, and can be plain text', async () => {
  const path = '/weekday?date=2026-11-28';
  const { json } = await get(path);
  expect(json()).toEqual({
    date: '2026-11-28',
    day: 'Saturday',
    today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect((await get(path, { Accept: 'text/plain' })).text).toBe('Saturday');
  expectProblem(await get(path, { Accept: 'text/csv' }), 406, 'not-acceptable');
});

test('a person fills in the parameters, and sees the table', async () => {
  const form = await get('/numbers', BROWSER);
  expect([form.status, form.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(form.text).toMatch(/<form method="get" action="[^"]*\/numbers">/);
  expect(form.text).toMatch(/name="below" type="text" value="" required>/);
  expect(form.text).toMatch(/name="long" type="text" value="">/);
  const page = await get('/numbers?below=150&long=', BROWSER);
  expect(page.status).toBe(200);
  expect(page.text).toContain('1 to 100 of 150');
  expect(page.text).toMatch(/<a rel="next" href="[^"]*offset=100">/);
  expect((await get('/numbers?below=x', BROWSER)).status).toBe(400);
});

test('the home document and the navigation of pages lead to a view', async () => {
  const { links } = (await get('/')).json();
  expect(links).toContainEqual(
    expect.objectContaining({ rel: 'overdue-readers', href: '/overdue-readers{?on}', templated: true }),
  );
  expect((await get('/readers', BROWSER)).text).toContain('href="/overdue-readers"');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a view refuses %s', async (method) => {
  const answer = await send(method, '/numbers?below=1', { json: {} });
  expectProblem(answer, 405, 'method-not-allowed');
  expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
});
