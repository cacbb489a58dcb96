import { expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { BROWSER, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * A rule of removals (`checkRemoval`), which reads an item of another resource. Source: Specification 1.22.
 */
const send = withOpened('ruled');
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

async function made(path: string, json: object) {
  const answer = await send('POST', path, { json });
  expect(answer.status).toBe(201);
  return { path: answer.headers.location as string, id: answer.json().id };
}

/** Requests that remove a slip, or all slips of its shelf. */
const REMOVALS: readonly (readonly [string, (slip: string, shelf: string) => string, SentRequest?])[] = [
  ['DELETE', (slip) => slip],
  ['DELETE', (slip) => slip, { headers: { Prefer: 'respond-async' } }],
  ['DELETE', (slip) => slip, { headers: { 'If-Match': '"1.1-json"' } }],
  ['POST', (slip) => `${slip}/delete`, { headers: FORM }],
  ['POST', (slip) => `${slip}/tear`],
  ['POST', (slip) => `${slip}/tear`, { headers: { Prefer: 'respond-async' } }],
  ['DELETE', (_, shelf) => `${shelf}/slips`],
];

test.each([
  ['locked', { name: 'a' }, 'The shelf is locked'],
  ['open', { stamp: 'red' }, 'The slip has a stamp'],
])('a rule of removals keeps an item from every request: %s shelf, %j', async (name, json, detail) => {
  const shelf = await made('/shelves', { name });
  const { path, id } = await made(`${shelf.path}/slips`, json);
  for (const [method, target, sent] of REMOVALS) {
    const answer = await send(method, target(path, shelf.path), sent);
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().detail).toContain(detail);
    if (target('', '') === '/slips') expect(answer.json().detail).toContain(`(slips ${id})`);
    if ('stamp' in json)
      expect(answer.json().errors).toEqual([{ pointer: '/stamp', detail: 'keeps the slip' }]);
  }
  expect((await send('GET', path)).json()).toMatchObject({ id, ...json });
});

test('and removes what the rule allows', async () => {
  const shelf = await made('/shelves', { name: 'open' });
  const statuses: number[] = [];
  for (const [method, target, sent] of REMOVALS) {
    const { path } = await made(`${shelf.path}/slips`, { name: 'a' });
    const answer = await send(method, target(path, shelf.path), sent);
    if (answer.status === 202) await ended(answer, send);
    statuses.push(answer.status);
    expect((await send('GET', path)).status).toBe(404);
  }
  expect(statuses).toEqual([204, 202, 204, 204, 204, 202, 204]);
});

test('ticked rows: the page names the item that stays, and removes the others', async () => {
  const shelf = await made('/shelves', { name: 'open' });
  const kept = await made(`${shelf.path}/slips`, { stamp: 'red', name: 'kept' });
  const other = await made(`${shelf.path}/slips`, { name: 'other' });
  const rows = [kept, other].map(({ id }) => [':row', `1.${id}`] as const);
  const body = urlencoded([...rows, [':with', 'delete']]);
  const page = await send('POST', `${shelf.path}/slips`, { body, headers: { ...BROWSER, ...FORM } });
  expect(page.text).toContain('The slip has a stamp');
  expect([(await send('GET', kept.path)).status, (await send('GET', other.path)).status]).toEqual([200, 404]);
});

test('an operation names each item that stays, and removes the others', async () => {
  const shelf = await made('/shelves', { name: 'open' });
  const many = Array.from({ length: 120 }, (_, at) => (at === 60 ? { stamp: 'red' } : { name: `${at}` }));
  await ended(await send('POST', `${shelf.path}/slips`, { json: many }), send);
  const all = (await send('GET', `${shelf.path}/slips?stamp=red`)).json().items;
  const accepted = await send('DELETE', `${shelf.path}/slips`);
  expect(accepted.status).toBe(202);
  const operation = (await ended(accepted, send)).json();
  expect(operation).toMatchObject({ progress: { done: 119, failed: 1 } });
  expect(JSON.stringify(operation)).toContain(`/slips/${all[0]?.id}`);
  expect((await send('GET', `${shelf.path}/slips`)).json().items).toMatchObject([{ stamp: 'red' }]);
});
