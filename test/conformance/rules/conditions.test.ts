import { expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { BROWSER, formsOf, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * Actions with a condition (`when`), and values that a state locks (`lockedIn`) beside custom actions and restorations.
 * Source: Specification 8.5, 8.6.
 */
const send = withOpened('ruled');
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

async function made(json: object) {
  const answer = await send('POST', '/slips', { json });
  expect(answer.status).toBe(201);
  return { path: answer.headers.location as string, id: answer.json().id };
}

const FOLDED = 'The slip folded a is folded already';

test('an item has the link and the button of an action only while its condition is true', async () => {
  const { path, id } = await made({ name: 'a', stamp: 'red' });
  const shown = async () => {
    const answers = await Promise.all([
      send('GET', path),
      send('GET', `/slips?id=${id}`),
      send('GET', path, { headers: { Accept: 'application/xml' } }),
      send('GET', path, { headers: BROWSER }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    return answers.map(({ text }) => [text.includes(`${path}/fold`), text.includes(`${path}/write`)]);
  };
  expect(await shown()).toEqual(Array(4).fill([true, false]));
  const folded = await send('POST', `${path}/fold`);
  expect(folded.status).toBe(200);
  expect(folded.json().links.map(({ rel }) => rel)).not.toContain('fold');
  expect(await shown()).toEqual(Array(4).fill([false, false]));
  await send('PUT', path, { json: { name: 'b' } });
  expect(await shown()).toEqual(Array(4).fill([true, true]));
});

const CALLS: readonly SentRequest[] = [
  {},
  { json: {} },
  { headers: FORM },
  { headers: { Prefer: 'respond-async' } },
  { headers: { 'If-Match': '"2.1-json"' } },
  { headers: { Prefer: 'respond-async', 'If-Match': '"1.1-json"' } },
  { headers: { 'Idempotency-Key': '"1"' } },
];

test('every request for the action gets 409 with the reason, and changes nothing', async () => {
  const { path } = await made({ name: 'a' });
  expect((await send('POST', `${path}/fold`)).status).toBe(200);
  const { text } = await send('GET', path);
  for (const sent of CALLS) {
    const answer = await send('POST', `${path}/fold`, sent);
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().detail).toBe(FOLDED);
  }
  expect((await send('GET', path)).text).toBe(text);
});

test('ticked rows: the page names the item that does not allow the action, and its reason', async () => {
  const [kept, other] = [await made({ name: 'folded a' }), await made({ name: 'b' })];
  const page = await send('GET', '/slips?sort=-createdAt', { headers: BROWSER });
  const form = formsOf(page.text).find(({ action }) => action.startsWith('/slips?'));
  const rows = [kept, other].map(({ id }) => [':row', `1.${id}`] as const);
  const body = urlencoded([...(form?.inputs ?? []), ...rows, [':with', 'fold']]);
  const { text } = await send('POST', form?.action ?? '', { body, headers: { ...BROWSER, ...FORM } });
  expect(text).toContain(FOLDED);
  expect(text).toContain(`href="${kept.path}"`);
  expect(text).not.toContain(`href="${other.path}"`);
  expect((await send('GET', other.path)).json().name).toBe('folded b');
});

test('neither an action nor a restoration changes a locked value, and the same value passes', async () => {
  const { path } = await made({ name: 'a', mark: 1 });
  const steps = async (...all: readonly string[]) => {
    const statuses: number[] = [];
    for (const step of all) statuses.push((await send('POST', `${path}/${step}`)).status);
    expect(statuses).toEqual(all.map(() => 200));
  };
  await steps('file', 'take');
  expect((await send('PUT', path, { json: { name: 'a', mark: 2 } })).status).toBe(200);
  await steps('file');
  const { text } = await send('GET', path);
  // Version 2 has the same state, and another mark.
  for (const target of [`${path}/remark`, `${path}/versions/2/restore`]) {
    const answer = await send('POST', target);
    expectProblem(answer, 409, 'conflict');
    expect(answer.json()).toMatchObject({
      currentStatus: 'filed',
      errors: [{ pointer: '/mark', detail: 'cannot change in the state filed' }],
    });
  }
  expect((await send('GET', path)).text).toBe(text);
  await steps('fold', 'versions/5/restore', 'take', 'remark', 'file', 'remark');
});
