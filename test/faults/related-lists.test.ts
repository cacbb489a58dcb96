import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectLog } from '../engines/collected-log.ts';
import { BROWSER, sectionsOf } from '../support/client/page.ts';
import { type Harness, startHarness } from './harness.ts';
import { Network } from './network.ts';
import { made } from './scenarios/scenario.ts';

/* Makes a read of a page fail. Without its orders, the page of a customer still shows the customer, and so does the home page. */
const network = new Network();
let stand: Harness;

beforeAll(async () => {
  collectLog();
  stand = await startHarness(network.to);
});
afterAll(() => stand.close());

test('the page of a customer links its orders if the service cannot read them', async () => {
  const customer = await made(stand, '/customers', { name: 'Ada' });
  await made(stand, '/orders', {
    productId: 1,
    customerId: Number(customer.split('/').at(-1)),
    orderValue: 5,
  });
  const pageWith = async (nth: number) => {
    network.arm({ fault: 'error', extent: 'call', nth });
    const answer = await stand.ask('GET', customer, { headers: BROWSER }, 200);
    return { text: answer?.text, ...(await network.disarm()) };
  };
  expect((await pageWith(1)).text).toBeUndefined();
  const { text = '', calls } = await pageWith(2);
  expect(calls).toBeGreaterThan(1);
  const orders = sectionsOf(text).get('Orders');
  expect(orders).toContain('The service cannot read them now.');
  expect(orders).toContain(`href="${customer}/orders?sort=-orderId"`);
});

test('the home page has a part for each collection if the service cannot read one', async () => {
  network.arm({ fault: 'error', extent: 'call', nth: 1 });
  const answer = await stand.ask('GET', '/', { headers: BROWSER }, 200);
  await network.disarm();
  const text = answer?.text ?? '';
  expect(text.split('The service cannot read them now.')).toHaveLength(2);
  for (const path of ['/customers?sort=-id', '/orders?sort=-orderId', '/products?sort=-id'])
    expect(text).toContain(`<a href="${path}">`);
});
