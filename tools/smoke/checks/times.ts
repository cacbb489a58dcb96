import { setTimeout as pause } from 'node:timers/promises';
import { byHand, type Check, check } from '../check.ts';
import { expectStatus } from '../expect.ts';

const LAG_MS = 10_000;

/** Checks with a delay: indexes of DynamoDB follow their tables, and the worker follows the acceptance. */
export const TIMES: readonly Check[] = [
  check('S11', 'A new item is in its list soon', async (smoke) => {
    const name = smoke.name('listed');
    const path = await smoke.create(name);
    const start = Date.now();
    while (!(await smoke.send('GET', '/members?limit=20&sort=-createdAt')).text.includes(name)) {
      if (Date.now() - start > LAG_MS) throw new Error(`${path} is not in the list after ${LAG_MS} ms`);
      await pause(100);
    }
    return `after ${Date.now() - start} ms`;
  }),
  check('S13', 'The worker completes an accepted request: 202, then 303 to the new item', async (smoke) => {
    const start = Date.now();
    const headers = { Prefer: 'respond-async' };
    const json = { name: smoke.name('deferred') };
    const accepted = expectStatus(await smoke.send('POST', '/members', { json, headers }), 202);
    const end = expectStatus(await smoke.ended(accepted.headers.location ?? ''), 303);
    const made = end.headers.location ?? '';
    smoke.takeAway(smoke.pathOf(made));
    expectStatus(await smoke.follow('GET', made), 200);
    return `after ${Date.now() - start} ms`;
  }),
  byHand(
    'S13',
    'A worker that was stopped during an operation continues from its checkpoint',
    'stop the worker function by a reserved concurrency of 0 while it works on 10,000 items: docs/smoke.md',
  ),
  byHand(
    'S14',
    'A message that fails permanently becomes a dead letter, and its operation fails',
    'remove DynamoDB from the role of the worker function and start an operation: docs/smoke.md',
  ),
];
