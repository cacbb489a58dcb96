import { setTimeout as pause } from 'node:timers/promises';
import { type Check, check } from '../check.ts';
import { expectStatus } from '../expect.ts';

const LAG_MS = 10_000;

/** Checks with a delay: indexes of DynamoDB follow their tables, and the worker follows the acceptance. */
export const TIMES: readonly Check[] = [
  check('S11', 'A new item is in its list soon', async (smoke) => {
    const name = smoke.name('listed');
    const path = await smoke.create(name);
    const start = Date.now();
    while (!(await smoke.send('GET', `${smoke.collection}?limit=20&sort=-createdAt`)).text.includes(name)) {
      if (Date.now() - start > LAG_MS) throw new Error(`${path} is not in the list after ${LAG_MS} ms`);
      await pause(100);
    }
    return `after ${Date.now() - start} ms`;
  }),
  check('S13', 'The worker completes an accepted request: 202, then 303 to the new item', async (smoke) => {
    const start = Date.now();
    const headers = { Prefer: 'respond-async' };
    const json = { name: smoke.name('deferred') };
    const accepted = expectStatus(await smoke.send('POST', smoke.collection, { json, headers }), 202);
    const end = expectStatus(await smoke.ended(accepted.headers.location ?? ''), 303);
    const made = end.headers.location ?? '';
    smoke.takeAway(smoke.pathOf(made));
    expectStatus(await smoke.follow('GET', made), 200);
    return `after ${Date.now() - start} ms`;
  }),
];
