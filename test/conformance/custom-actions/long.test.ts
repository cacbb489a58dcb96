import { expect, test } from '@jest/globals';
import { ended } from '../../support/client/operation.ts';
import { BROWSER } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * Actions with `long: true`, which go through many items.
 * Source: Specification 22.
 */
const send = withOpened('ruled');
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

interface Plan {
  readonly dryRun: boolean;
  readonly status: number;
  readonly total: number;
  readonly effects: readonly { readonly resource: string }[];
}

/** A box with this number of papers. */
async function boxOf(papers: number) {
  const box = await send('POST', '/boxes', { json: { name: 'a' } });
  expect(box.status).toBe(201);
  const { id } = box.json();
  const json = Array.from({ length: papers }, (_, at) => ({ boxId: id, name: `${at}` }));
  if (papers > 0) expect((await send('POST', '/papers', { json })).status).toBe(201);
  const path = box.headers.location as string;
  const stamps = async () => (await send('GET', `/papers?boxId=${id}`)).json().items.map((one) => one.stamps);
  const stamp = (mark: string, headers = {}) => send('POST', `${path}/stamp`, { json: { mark }, headers });
  return { path, id, stamps, stamp };
}

// Specification 22.1, 22.2
test('the answer is 202 with the operation, also to a client that would wait, and each item changes once', async () => {
  const { path, stamps, stamp } = await boxOf(30);
  const accepted = await stamp('x', { Prefer: 'wait=20' });
  expect([accepted.status, accepted.json().kind]).toEqual([202, 'boxes.stamp']);
  const { status, progress, result } = (await ended(accepted, send)).json();
  expect({ status, progress, result }).toEqual({
    status: 'Succeeded',
    progress: { done: 30, total: 30, failed: 0 },
    result: { status: 204 },
  });
  expect(await stamps()).toEqual(Array(30).fill(1));
  expect((await send('GET', path)).json().isSealed).toBe(true);
});

// Specification 7.18
test('a dry run has the effects of the whole action, and none of them happens', async () => {
  const { stamps, stamp } = await boxOf(3);
  const answer = await stamp('x', { Prefer: 'dry-run' });
  expect(answer.status).toBe(200);
  const { dryRun, status, total, effects } = answer.json() as unknown as Plan;
  expect({ dryRun, status, total }).toEqual({ dryRun: true, status: 202, total: 4 });
  expect(effects.map(({ resource }) => resource)).toEqual(['papers', 'papers', 'papers', 'boxes']);
  expect(await stamps()).toEqual([undefined, undefined, undefined]);
});

// Specification 22.3
test('what prevents the action is refused at once, and a refusal of its code fails the operation', async () => {
  const { path, stamps, stamp } = await boxOf(2);
  expectProblem(await send('POST', '/boxes/1/stamp', { json: { mark: 'x' } }), 404, 'not-found');
  expectProblem(await send('POST', `${path}/stamp`, { json: {} }), 400, 'validation-error');
  expectProblem(await stamp('x', { 'If-Match': '"9.1-json"' }), 412, 'precondition-failed');
  const refused = (await ended(await stamp('none'), send)).json();
  expect(refused).toMatchObject({
    status: 'Failed',
    error: { status: 409, detail: 'The mark none is not a mark' },
  });
  const failed = (await ended(await stamp('torn'), send)).json();
  expect(failed).toMatchObject({ status: 'Failed', error: { status: 500 } });
  const wrapped = (await ended(await send('POST', `${path}/wrap`), send)).json();
  expect(wrapped).toMatchObject({ status: 'Failed', error: { status: 500 } });
  expect(await stamps()).toEqual([undefined, undefined]);
  expect((await ended(await stamp('x'), send)).json().status).toBe('Succeeded');
  const sealed = await stamp('x');
  expectProblem(sealed, 409, 'conflict');
  expect(sealed.json().detail).toBe('The box is sealed');
});

// Specification 22.2, 22.4
test('an item whose rules refuse the write counts as failed, and the others change', async () => {
  const { id, stamps, stamp } = await boxOf(3);
  const [first] = (await send('GET', `/papers?boxId=${id}`)).json().items;
  const moved = async (boxId: unknown) =>
    expect((await send('PATCH', `/papers/${first?.id}`, { headers: MERGE, json: { boxId } })).status).toBe(
      200,
    );
  for (const mark of ['a', 'b']) {
    const other = await boxOf(0);
    await moved(other.id);
    expect((await ended(await other.stamp(mark), send)).json().status).toBe('Succeeded');
  }
  await moved(id);
  const operation = (await ended(await stamp('x'), send)).json();
  expect(operation).toMatchObject({
    status: 'Succeeded',
    progress: { done: 2, failed: 1 },
    result: { status: 207 },
  });
  expect((await stamps()).sort()).toEqual([1, 1, 2]);
});

// Specification 22.2
test('a repeat under one key is one operation, and the code may remove its own item', async () => {
  const { path, id } = await boxOf(3);
  const headers = { 'Idempotency-Key': `"burn-${id}"` };
  const [first, again] = [
    await send('POST', `${path}/burn`, { headers }),
    await send('POST', `${path}/burn`, { headers }),
  ];
  expect(again.headers.location).toBe(first.headers.location);
  expect((await ended(first, send)).json()).toMatchObject({ status: 'Succeeded', progress: { done: 3 } });
  expect((await send('GET', path)).status).toBe(404);
  expect((await send('GET', `/papers?boxId=${id}`)).json().items).toEqual([]);
});

// Specification 22.1
test('a browser gets the page of the operation, and the description has no other success', async () => {
  const { path } = await boxOf(1);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await send('POST', `${path}/burn`, { body: '', headers: { ...BROWSER, ...form } });
  expect(answer.status).toBe(303);
  expect(answer.headers.location).toMatch(/^\/operations\/\d+$/);
  const { paths } = (await send('GET', '/openapi.json')).json() as unknown as {
    paths: Readonly<Record<string, { post: { responses: object } }>>;
  };
  const statuses = Object.keys(paths['/boxes/{id}/stamp']?.post.responses ?? {});
  expect(statuses.filter((one) => one.startsWith('2'))).toEqual(['202']);
  const list = await ended(await send('POST', '/boxes/tidy'), send);
  expect(list.json().status).toBe('Succeeded');
});
