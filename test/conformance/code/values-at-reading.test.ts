import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../../support/client/client.ts';
import { BROWSER } from '../../support/client/page.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { type Run, run, temporary } from '../../support/service/service.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/*
 * Values that each response computes from the stored ones and the day. Specification 2.57, 2.58.
 */
let service: Run;
let send: Client;
let clock: string;
let remove: () => Promise<void>;
let days = 0;

/** Lets the clock of the service run ahead. */
const pass = (more: number) => {
  days += more;
  writeFileSync(clock, String(days * 86_400_000));
};
const dayAfter = (more: number) =>
  new Date(Date.now() + (days + more) * 86_400_000).toISOString().slice(0, 10);
const get = (path: string, headers: Readonly<Record<string, string>> = {}) => send('GET', path, { headers });

/** Sets the clock of the whole process, also that of its gateway, which says when a request arrives. */
const AHEAD = `import { readFileSync } from 'node:fs';
const now = Date.now;
Date.now = () => now() + Number(readFileSync(process.env.TEST_CLOCK, 'utf8'));`;

beforeAll(async () => {
  const folder = await temporary();
  remove = folder.remove;
  clock = join(folder.directory, 'clock');
  pass(0);
  const { NODE_OPTIONS } = withFixture('lending');
  const preload = join(folder.directory, 'clock.mjs');
  writeFileSync(preload, AHEAD);
  service = await run({
    directory: join(folder.directory, 'data'),
    environment: { TEST_CLOCK: clock, NODE_OPTIONS: `${NODE_OPTIONS} --import ${preload}` },
  });
  if (service.url === undefined) throw new Error(service.output());
  send = clientOf(service.url);
}, 40_000);
afterAll(async () => {
  await service.stop();
  await remove();
});

let next = 1;
/** A new loan that is due tomorrow. */
async function loan(more: object = {}) {
  const json = { readerId: next++, title: 'Book', due: dayAfter(1), open: true, ...more };
  const answer = await send('POST', '/loans', { json });
  expect([answer.status, answer.json().overdue]).toEqual([201, false]);
  return String(answer.headers.location);
}

test('the value follows the day in every format, without a write', async () => {
  const path = await loan();
  const shown = async () => [
    (await get(path)).json().overdue,
    /<overdue>(\w+)</.exec((await get(path, { Accept: 'application/xml' })).text)?.[1],
    (await get(`/loans?id=${path.split('/').pop()}`)).json().items[0]?.overdue,
    (await get(`/loans?id=${path.split('/').pop()}&fields=overdue`, { Accept: 'text/csv' })).text.split(
      /[\r\n,]+/,
    )[3],
    /Overdue<\/dt><dd>(\w+)/.exec((await get(path, BROWSER)).text)?.[1],
  ];
  const before = await get(path);
  expect(await shown()).toEqual([false, 'false', false, 'false', 'no']);
  pass(2);
  expect(await shown()).toEqual([true, 'true', true, 'true', 'yes']);
  const after = (await get(path)).json();
  expect(after.updatedAt).toBe(before.json().updatedAt);
  expect(Object.keys(after)).toEqual(Object.keys(before.json()));
});

test('the entity tag changes with the value, and no date hides the change', async () => {
  const path = await loan();
  const first = await get(path);
  expect(first.headers).not.toHaveProperty('last-modified');
  const tag = String(first.headers.etag);
  expect((await get(path, { 'If-None-Match': tag })).status).toBe(304);
  const list = `/loans?id=${path.split('/').pop()}`;
  const inList = (await get(list)).json().items[0]?.links.find(({ rel }) => rel === 'self');
  expect(inList).toMatchObject({ etag: tag });
  const listTag = String((await get(list)).headers.etag);
  pass(2);
  const date = new Date(Date.now() + days * 86_400_000).toUTCString();
  expect((await get(path, { 'If-Modified-Since': date })).status).toBe(200);
  const second = await get(path, { 'If-None-Match': tag });
  expect([second.status, second.json().overdue]).toEqual([200, true]);
  expect((await get(list, { 'If-None-Match': listTag })).status).toBe(200);
  const changed = await send('PATCH', path, {
    headers: { 'If-Match': tag, ...MERGE_PATCH },
    body: '{"title":"Other"}',
  });
  expect([changed.status, changed.json().overdue]).toEqual([200, true]);
  expect(changed.headers.etag).toBe((await get(path)).headers.etag);
});

test('no entity tag depends on a value that the caller does not see', async () => {
  const answer = await send('POST', '/readers', { json: { name: 'Ada', since: dayAfter(1) } });
  expect(answer.status).toBe(201);
  const readerId = Number(answer.json().id);
  const path = `/readers/${readerId}`;
  const loan = await send('POST', '/loans', {
    json: { readerId, title: 'Book', due: dayAfter(90), open: false },
  });
  expect(loan.status).toBe(201);
  const paths = [path, `/readers?id=${readerId}`, `${loan.headers.location}?expand=reader`];
  const tags = await Promise.all(paths.map(async (one) => String((await get(one)).headers.etag)));
  expect((await get(path)).json()).not.toHaveProperty('isRegular');
  pass(2);
  for (const [at, one] of paths.entries())
    expect([one, (await get(one, { 'If-None-Match': String(tags[at]) })).status]).toEqual([one, 304]);
});

test('a version has no such value, and stays as it is', async () => {
  const path = await loan();
  const version = `${path}/versions/1`;
  const { headers, json } = await get(version);
  expect(json()).toMatchObject({ open: true, isLong: false });
  expect(json()).not.toHaveProperty('overdue');
  pass(2);
  expect((await get(version, { 'If-None-Match': String(headers.etag) })).status).toBe(304);
});

test('a client does not set the value', async () => {
  const path = await loan();
  const json = { readerId: next++, title: 'Book', due: dayAfter(1), open: true, overdue: true };
  expect((await send('PUT', path, { json })).json().overdue).toBe(false);
  const patched = await send('PATCH', path, { headers: MERGE_PATCH, body: '{"overdue":true}' });
  expectProblem(patched, 409, 'patch-conflict');
});

test.each([
  ['overdue=true', 'overdue', 'is computed for each response: use due, open'],
  ['Overdue=true', 'Overdue', 'is computed for each response: use due, open'],
  ['overdue.gte=true', 'overdue.gte', 'is computed for each response: use due, open'],
  ['sort=-overdue', 'sort', "'-overdue' is computed for each response: use due, open"],
])('a list has no filter and no order by it: %s', async (query, parameter, detail) => {
  const answer = await get(`/loans?${query}`);
  expectProblem(answer, 400, 'validation-error');
  expect(answer.json().errors).toEqual([{ parameter, detail }]);
});

test('pages and the description offer no filter by it', async () => {
  await loan();
  const page = (await get('/loans', BROWSER)).text;
  expect(page).toContain('name="isLong"');
  expect(page).not.toContain('name="overdue');
  const { paths, components } = JSON.parse((await get('/openapi.json')).text);
  const names = paths['/loans'].get.parameters.map(({ name }: { name?: string }) => name);
  expect(names).toContain('isLong');
  expect(names.filter((name: unknown) => /^overdue/.test(String(name)))).toEqual([]);
  expect(components.schemas.Loan.properties.overdue).toMatchObject({ type: 'boolean', readOnly: true });
});
