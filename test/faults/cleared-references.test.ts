import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sendEnded } from '../../shared/aws/clients/queue.ts';
import { collectLog } from '../engines/collected-log.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Harness, startHarness } from './harness.ts';
import { type Extent, type Fault, Network, type Plan } from './network.ts';
import { made } from './scenarios/scenario.ts';

/*
 * Makes each engine call fail of the runs that claim a removed item after its history, and clear the references to it. The
 * next runs clear the rest, and lose nothing else.
 */
const HISTORY_MS = 30 * 86_400_000;
const WAYS: readonly (readonly [Fault, Extent])[] = [
  ['error', 'call'],
  ['error', 'outage'],
  ['lost', 'attempt'],
  ['lost', 'call'],
  ['late', 'attempt'],
  ['conflict', 'call'],
];

const network = new Network();
let stand: Harness;

beforeAll(async () => {
  collectLog();
  stand = await startHarness(network.to);
});
afterAll(() => stand.close());

/** Removes a customer with three orders, and clears the references under a fault. Returns the number of calls. */
async function cleared(plan?: Plan): Promise<number> {
  const customer = await made(stand, '/customers', { name: 'Ada' });
  const customerId = Number(customer.split('/').at(-1));
  const paths = [];
  for (const quantity of [1, 2, 3])
    paths.push(await made(stand, '/orders', { customerId, productId: 1, orderValue: 5, quantity }));
  await stand.ask('DELETE', customer, {}, 204);
  stand.pass(HISTORY_MS);
  await sendEnded({});
  network.arm(plan);
  await stand.work();
  stand.pass();
  await stand.work();
  const { calls } = await network.disarm();
  for (let runs = 0; runs < 3; runs += 1) {
    stand.pass();
    await stand.settle();
  }
  const orders = await Promise.all(paths.map(async (path) => (await stand.client('GET', path)).json()));
  expect(orders.map(({ quantity }) => quantity)).toEqual([1, 2, 3]);
  for (const order of atLeastOne(orders)) expect(order).not.toHaveProperty('customerId');
  return calls;
}

test('a run clears all references in the end, whichever call fails', async () => {
  const calls = await cleared();
  expect(calls).toBeGreaterThan(4);
  for (let nth = 1; nth <= calls; nth += 1)
    for (const [fault, extent] of WAYS) await cleared({ fault, extent, nth });
}, 120_000);
