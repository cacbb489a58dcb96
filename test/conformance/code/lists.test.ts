import { expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { withOpened } from '../../support/service/opened.ts';
import { unique } from '../../support/service/under-test.ts';

/*
 * The code of an author reads lists: in a check, in an action, in onChange. Specification 19.1.
 */
const send = withOpened('lending');

async function made(collection: string, json: object) {
  const answer = await send('POST', collection, { json });
  expect(answer.status).toBe(201);
  return { path: String(answer.headers.location), id: Number(answer.json().id) };
}
const loan = (readerId: number, title: string, more: object = {}) =>
  made('/loans', { readerId, title, due: '2026-01-05', open: false, ...more });
const find = async (path: string, json: object) =>
  JSON.parse(String((await send('POST', `${path}/find`, { json })).json().found));

test('a check counts items of its own resource, as they are stored', async () => {
  const { id } = await made('/readers', { name: unique('Ada') });
  await loan(id, 'a', { open: true });
  await loan(id, 'b');
  await loan(id, 'c', { open: true });
  const json = { readerId: id, title: 'd', due: '2026-01-05', open: true };
  const answer = await send('POST', '/loans', { json });
  expectProblem(answer, 409, 'conflict');
  expect(answer.json().detail).toBe('A reader has at most two loans');
  await loan(id, 'd');
});

test('an action reads lists with the filters and the orders of HTTP', async () => {
  const title = unique('title');
  const { id } = await made('/readers', { name: `${title} B` });
  await made('/readers', { name: `${title} A` });
  const { path } = await loan(id, title, { fee: 1.5, due: '2026-01-07' });
  await loan(id, title, { due: '2026-01-03', fee: 1.51 });
  await loan(id, title, { due: '2026-01-09', fee: 1 });
  await loan(id + 1, title, { due: '2026-01-02' });
  await loan(id, `${title},`, { due: '2026-01-02' });
  const found = { named: [`${title} A`, `${title} B`], counted: 2, cheap: 0, none: 0 };
  expect(await find(path, { title, before: '2026-01-09' })).toEqual({
    sorted: ['2026-01-07', '2026-01-03'],
    ...found,
  });
  expect(await find(path, { title, before: '2026-02-01', most: 2 })).toEqual({
    sorted: ['2026-01-09', '2026-01-07'],
    ...found,
  });
  const comma = await find(path, { title: `${title},`, before: '2026-02-01' });
  expect(comma.sorted).toEqual(['2026-01-02']);
});

test('a list goes on after the bytes of one page', async () => {
  const title = unique('large');
  const about = 'x'.repeat(255_000);
  const names = Array.from({ length: 18 }, (_, at) => `${title} ${String.fromCharCode(65 + at)}`);
  for (const name of names) await made('/readers', { name, about });
  const { path } = await loan(1, title);
  expect(await find(path, { title, before: '2026-01-09' })).toMatchObject({ named: names, counted: 18 });
});

test('onChange reads lists', async () => {
  const { id } = await made('/readers', { name: unique('Bob') });
  await loan(id, 'first', { due: '2026-03-01' });
  const { path } = await loan(id, 'watched', { due: '2026-02-01' });
  await eventually(async () => {
    const { found } = (await send('GET', path)).json();
    expect(JSON.parse(String(found))).toEqual({ due: ['2026-02-01', '2026-03-01'], readers: 1 });
  });
});

test('a list of a resource that the definition does not state is a fault of the code', async () => {
  const { path } = await loan(1, 'a');
  expectProblem(await send('POST', `${path}/stray`), 500, 'internal');
});
