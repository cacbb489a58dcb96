import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { attachedBetween, calls, clearFaults, next } from './fault-injection.ts';
import { ask, bodyOf, later, shown, workAll } from './world.ts';

/** An operation halves a step that DynamoDB finds too large. An item that is too large alone fails alone. */
attachedBetween();

beforeEach(async () => {
  await later('DELETE', '/customers');
  await workAll();
});
afterEach(clearFaults);

const COUNT = 100;
const customers = Array.from({ length: COUNT }, (_, at) => ({
  name: at === 70 ? 'too large' : `customer ${at}`,
}));

interface Stored {
  readonly items: readonly { readonly id: number; readonly name: string }[];
}
const stored = async () => (bodyOf(await askAll()) as unknown as Stored).items;
const askAll = () => ask('GET', '/customers');

async function created(): Promise<Stored['items']> {
  await later('POST', '/customers', { json: customers });
  await workAll();
  return stored();
}

const tooLarge = () => next('TransactWriteItems', 'too large', { times: 1000, holding: '"too large"' });

/** Runs an operation on all customers, of which one is too large. */
async function failures(begun: Promise<number>) {
  const id = await begun;
  tooLarge();
  // Halves until the item is alone, then doubles again.
  expect(await calls('TransactWriteItems', workAll)).toBeLessThan(20);
  const { status, progress, result } = await shown(id);
  expect({ status, progress }).toMatchObject({
    status: 'Succeeded',
    progress: { done: COUNT - 1, total: COUNT, failed: 1 },
  });
  return (result as { failures: readonly { href: string; problem: { status: number } }[] }).failures;
}

test('a creation fails for this item alone', async () => {
  const [failure, ...others] = await failures(later('POST', '/customers', { json: customers }));
  expect([failure, others]).toMatchObject([{ href: '/customers', problem: { status: 409 } }, []]);
});

test('a replacement fails for this item alone', async () => {
  const json = (await created()).map(({ id, name }) => ({ id, name, address: 'a' }));
  const large = json.find(({ name }) => name === 'too large');
  const [failure, ...others] = await failures(later('PUT', '/customers', { json }));
  expect([failure, others]).toMatchObject([
    { href: `/customers/${large?.id}`, problem: { status: 409 } },
    [],
  ]);
});

test('a removal fails for this item alone', async () => {
  await created();
  const [failure, ...others] = await failures(later('DELETE', '/customers'));
  const [left, ...more] = await stored();
  expect([left, more]).toMatchObject([{ name: 'too large' }, []]);
  expect([failure, others]).toMatchObject([{ href: `/customers/${left?.id}`, problem: { status: 409 } }, []]);
});

test('a request for a single item gets 409', async () => {
  tooLarge();
  const headers = { 'idempotency-key': 'k' };
  expect(await ask('POST', '/customers', { json: { name: 'too large' }, headers })).toMatchObject({
    status: 409,
  });
  const lenient = { prefer: 'handling=lenient', 'idempotency-key': 'l' };
  const several = await ask('POST', '/customers', {
    json: [{ name: 'too large' }, { name: 'b' }],
    headers: lenient,
  });
  expect(bodyOf(several)).toMatchObject({ items: [{ status: 409 }, { status: 201 }] });
});
