import { describe, expect, test } from '@jest/globals';
import type { Answer, SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withConstraints } from '../../support/service/constrained.ts';

/*
 * Specification 2.56: a resource with limits of items that agree. Each copy has one open loan, and each reader five.
 */
const { send } = withConstraints();
const post = (json: unknown, headers = {}) => send('POST', '/loans', { json, headers });

let numbers = 1000;
/** A number of a copy or a reader that no other test uses. */
const fresh = (): number => {
  numbers += 1;
  return numbers;
};

interface Loan {
  readonly path: string;
  readonly id: number;
  readonly copyId: number;
}

async function loan(more: object = {}): Promise<Loan> {
  const sent = { copyId: fresh(), ...more };
  const answer = await post(sent);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return { path: answer.headers.location as string, id: answer.json().id, copyId: sent.copyId };
}

const LENT = 'The copy is lent';
const FIVE = 'A reader has at most five loans';
const expectRefused = (answer: Answer, says = LENT, pointer = '/copyId') => {
  expectProblem(answer, 409, 'conflict');
  expect(answer.json().detail).toContain(says);
  expect(answer.json().errors).toEqual([{ pointer, detail: says }]);
};

const ASYNC = { Prefer: 'respond-async' };
const LENIENT = { Prefer: 'handling=lenient' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const key = () => ({ 'Idempotency-Key': `"${crypto.randomUUID()}"` });
const openOf = async (field: string, value: number): Promise<number> =>
  (await send('GET', `/loans?${field}=${value}&open=true&limit=100`)).json().items.length;

describe('an item beyond a limit', () => {
  test.each([
    ['POST', (copyId: number) => post({ copyId })],
    ['POST with a key', (copyId: number) => post({ copyId }, key())],
    ['POST that responds later', (copyId: number) => post({ copyId }, ASYNC)],
    ['an array', (copyId: number) => post([{ copyId }])],
  ])('gets 409 for %s', async (_, create) => {
    const answer = await create((await loan()).copyId);
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().detail).toContain(LENT);
  });

  const changes: readonly (readonly [string, string, string, (copyId: number) => SentRequest])[] = [
    ['PUT', 'PUT', '', (copyId) => ({ json: { copyId } })],
    ['PUT with a key', 'PUT', '', (copyId) => ({ json: { copyId }, headers: key() })],
    ['a merge patch', 'PATCH', '', (copyId) => ({ json: { copyId }, headers: MERGE_PATCH })],
    [
      'a JSON patch',
      'PATCH',
      '',
      (value) => ({
        body: JSON.stringify([{ op: 'replace', path: '/copyId', value }]),
        headers: JSON_PATCH,
      }),
    ],
    ['POST of a change', 'POST', '', (copyId) => ({ json: { copyId } })],
  ];
  test.each(changes)('gets 409 for %s, which changes nothing', async (_, method, under, sent) => {
    const [{ copyId }, { path }] = [await loan(), await loan()];
    const before = await send('GET', path);
    expectRefused(await send(method, `${path}${under}`, sent(copyId)));
    expect((await send('GET', path)).text).toBe(before.text);
  });

  test('gets 409 for an action, also if it creates both', async () => {
    const { path, copyId } = await loan({ returned: '2026-01-01' });
    await loan({ copyId });
    expectRefused(await send('POST', `${path}/lend-again`));
    expectRefused(await send('POST', '/loans/lend-two', { json: { copyId: fresh() } }));
  });

  test('appears with its reason in the form again', async () => {
    const { copyId } = await loan();
    const answer = await send('POST', '/loans/new', { body: `copyId=${copyId}`, headers: FORM });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain(LENT);
    expect(answer.text).toContain(`value="${copyId}"`);
  });

  test('gets 409 in an array with its pointer, and nothing is created', async () => {
    const readerId = fresh();
    const answer = await post(Array.from({ length: 6 }, () => ({ copyId: fresh(), readerId })));
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().errors).toEqual([{ pointer: '/5/readerId', detail: FIVE }]);
    expect(await openOf('readerId', readerId)).toBe(0);
  });

  test('is the problem of one element in a lenient array', async () => {
    const readerId = fresh();
    const answer = await post(
      Array.from({ length: 7 }, () => ({ copyId: fresh(), readerId })),
      LENIENT,
    );
    expect(answer.status).toBe(207);
    expect(await openOf('readerId', readerId)).toBe(5);
  });

  test('gets 409 in a PUT of the collection', async () => {
    const [one, two] = [await loan(), await loan()];
    const answer = await send('PUT', '/loans', { json: [{ id: two.id, copyId: one.copyId }] });
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().errors).toEqual([{ pointer: '/0/copyId', detail: LENT }]);
  });

  test('fails an accepted operation that creates many items', async () => {
    const readerId = fresh();
    const values = Array.from({ length: 150 }, (_, at) => ({
      copyId: fresh(),
      ...(at > 100 && { readerId }),
    }));
    const operation = await ended(await post(values, ASYNC), send);
    expect(operation.text).toContain(FIVE);
    expect(await openOf('readerId', readerId)).toBe(0);
  });

  test('gets 409 when its version would come back', async () => {
    const { path, copyId } = await loan();
    await send('PATCH', path, { json: { returned: '2026-01-01' }, headers: MERGE_PATCH });
    const other = await loan({ copyId });
    expectRefused(await send('POST', `${path}/versions/1/restore`));
    await send('DELETE', other.path);
    expect((await send('POST', `${path}/versions/1/restore`)).status).toBe(200);
    expectRefused(await post({ copyId }));
  });

  test('gets 409 when its removal would be undone', async () => {
    const { path, copyId } = await loan();
    await send('DELETE', path);
    const other = await loan({ copyId });
    expectRefused(await send('POST', `${path}/versions/1/restore`));
    await send('DELETE', other.path);
    expect((await send('POST', `${path}/versions/1/restore`)).status).toBe(201);
    expectRefused(await post({ copyId }));
  });
});

describe('a place under a limit', () => {
  test('stays with its item when other properties change', async () => {
    const { path, copyId } = await loan();
    expect((await send('PUT', path, { json: { copyId, note: 'b' } })).status).toBe(200);
    expect((await send('PATCH', path, { json: { note: 'c' }, headers: MERGE_PATCH })).status).toBe(200);
    expectRefused(await post({ copyId }));
  });

  test('is not taken by an item without the field, or with another value of the condition', async () => {
    const { copyId } = await loan();
    expect((await post({ copyId, returned: '2026-01-01' })).status).toBe(201);
    expect((await post(Array.from({ length: 7 }, () => ({ copyId: fresh() })))).status).toBe(201);
  });

  const releases: readonly (readonly [string, (one: Loan) => Promise<Answer>])[] = [
    ['PUT', ({ path, copyId }) => send('PUT', path, { json: { copyId, returned: '2026-01-01' } })],
    ['PUT of another value', ({ path }) => send('PUT', path, { json: { copyId: fresh() } })],
    [
      'a patch',
      ({ path }) => send('PATCH', path, { json: { returned: '2026-01-01' }, headers: MERGE_PATCH }),
    ],
    ['an action', ({ path }) => send('POST', `${path}/take-back`)],
    ['DELETE', ({ path }) => send('DELETE', path)],
    ['DELETE with a key', ({ path }) => send('DELETE', path, { headers: key() })],
    [
      'DELETE that responds later',
      async ({ path }) => ended(await send('DELETE', path, { headers: ASYNC }), send),
    ],
    ['PUT of the collection', ({ id }) => send('PUT', '/loans', { json: [{ id, copyId: fresh() }] })],
    ['the form that removes it', ({ path }) => send('POST', `${path}/delete`, { body: '', headers: FORM })],
  ];
  test.each(releases)('is free after %s', async (_, release) => {
    const one = await loan();
    expect((await release(one)).status).toBeLessThan(400);
    expect((await post({ copyId: one.copyId })).status).toBe(201);
    expectRefused(await post({ copyId: one.copyId }));
  });

  test('goes to another item in one request', async () => {
    const [one, two] = [await loan(), await loan()];
    const json = [
      { id: one.id, copyId: two.copyId },
      { id: two.id, copyId: one.copyId },
    ];
    expect((await send('PUT', '/loans', { json })).status).toBe(200);
    expectRefused(await post({ copyId: one.copyId }));
    expectRefused(await post({ copyId: two.copyId }));
    await send('DELETE', one.path);
    expect((await post({ copyId: two.copyId })).status).toBe(201);
  });

  test('is free for each copy after DELETE of the collection', async () => {
    const values = Array.from({ length: 120 }, () => ({ copyId: fresh() }));
    await ended(await post(values), send);
    await ended(await send('DELETE', '/loans'), send);
    expect((await send('GET', '/loans')).json().items).toEqual([]);
    expect((await ended(await post(values), send)).status).toBeLessThan(400);
    expectRefused(await post(values[0]));
  });
});
