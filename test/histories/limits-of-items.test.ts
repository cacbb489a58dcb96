import { expect, test } from '@jest/globals';
import type { Answer } from '../support/client/client.ts';
import { MERGE_PATCH } from '../support/client/patches.ts';
import { withConstraints } from '../support/service/constrained.ts';

/*
 * Specification 2.56: writers at once never pass a limit, and each place under it is taken or free: none is lost, and none
 * counts twice.
 */
const { send } = withConstraints();
const WRITERS = 50;
const AT_MOST = 5;

let numbers = 100_000;
const fresh = (): number => {
  numbers += 1;
  return numbers;
};
const together = <One>(act: (at: number) => Promise<One>): Promise<One[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, at) => act(at)));
const lend = (readerId: number, more: object = {}) =>
  send('POST', '/loans', { json: { copyId: fresh(), readerId, ...more } });
const openOf = async (readerId: number): Promise<readonly { id: number }[]> =>
  (await send('GET', `/loans?readerId=${readerId}&open=true&limit=200`)).json().items;
const statuses = (answers: readonly Answer[]) => new Set(answers.map(({ status }) => status));

/** Fills the places that are left one by one, and expects exactly as many as the list shows. */
async function expectExact(readerId: number): Promise<void> {
  const { length } = await openOf(readerId);
  expect(length).toBeLessThanOrEqual(AT_MOST);
  for (let at = length; at < AT_MOST; at += 1) expect((await lend(readerId)).status).toBe(201);
  expect((await lend(readerId)).status).toBe(409);
  expect(await openOf(readerId)).toHaveLength(AT_MOST);
}

test('of 50 creations at once, five succeed', async () => {
  const readerId = fresh();
  const answers = await together(() => lend(readerId));
  expect([...statuses(answers)].sort()).toEqual([201, 409]);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(AT_MOST);
  await expectExact(readerId);
});

test('of 50 creations of one combination at once, one succeeds', async () => {
  const copyId = fresh();
  const answers = await together(() => lend(fresh(), { copyId }));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(WRITERS - 1);
});

test('50 writers that take and free places in every way never pass the limit', async () => {
  const readerId = fresh();
  const others = await together(async () => (await lend(fresh())).headers.location as string);
  const ways: readonly ((at: number) => Promise<Answer>)[] = [
    () => lend(readerId),
    (at) => send('PATCH', others[at] as string, { json: { readerId }, headers: MERGE_PATCH }),
    () => send('POST', '/loans', { json: [0, 1].map(() => ({ copyId: fresh(), readerId })) }),
    async (at) => {
      const [one] = await openOf(readerId);
      return one ? send('POST', `/loans/${one.id}/take-back`) : send('GET', others[at] as string);
    },
    async (at) => {
      const [one] = await openOf(readerId);
      return one ? send('DELETE', `/loans/${one.id}`) : send('GET', others[at] as string);
    },
    async () => {
      const { items } = (await send('GET', `/loans?readerId=${readerId}&open=false&limit=1`)).json();
      return items[0] ? send('POST', `/loans/${items[0].id}/lend-again`) : lend(readerId);
    },
  ];
  let answered = 0;
  for (let round = 0; round < 4; round += 1) {
    const answers = await together((at) => (ways[(at + round) % ways.length] as (typeof ways)[number])(at));
    const unexpected = answers.filter(({ status }) => ![200, 201, 204, 404, 409, 503].includes(status));
    expect(unexpected.map(({ text }) => text)).toEqual([]);
    answered += answers.length;
    expect((await openOf(readerId)).length).toBeLessThanOrEqual(AT_MOST);
  }
  expect(answered).toBe(4 * WRITERS);
  await expectExact(readerId);
});
