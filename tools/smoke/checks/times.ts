import { setTimeout as pause } from 'node:timers/promises';
import { byHand, type Check } from '../check.ts';
import { expectStatus } from '../expect.ts';

const LAG_MS = 10_000;

/** Checks with a delay: indexes of DynamoDB follow their tables, and the worker follows the acceptance. */
export const TIMES: readonly Check[] = [
  {
    id: 'S11',
    claim: 'What was created is in its list soon',
    run: async (smoke) => {
      const name = smoke.name('listed');
      const path = await smoke.create(name);
      const start = Date.now();
      while (!(await smoke.send('GET', '/members?limit=20&sort=-createdAt')).text.includes(name)) {
        if (Date.now() - start > LAG_MS) throw new Error(`${path} is not in the list after ${LAG_MS} ms`);
        await pause(100);
      }
      return `after ${Date.now() - start} ms`;
    },
  },
  {
    id: 'S13',
    claim: 'What is accepted is done by the worker: 202, then 303 to what it made',
    run: async (smoke) => {
      const start = Date.now();
      const headers = { Prefer: 'respond-async' };
      const json = { name: smoke.name('deferred') };
      const accepted = expectStatus(await smoke.send('POST', '/members', { json, headers }), 202);
      const end = expectStatus(await smoke.ended(accepted.headers.location ?? ''), 303);
      const made = end.headers.location ?? '';
      smoke.takeAway(smoke.pathOf(made));
      expectStatus(await smoke.follow('GET', made), 200);
      return `after ${Date.now() - start} ms`;
    },
  },
  byHand(
    'S13',
    'A worker that is stopped in the middle of an operation goes on where it was',
    'stop the worker function by a reserved concurrency of 0 while it works on 10,000 items: docs/smoke.md',
  ),
  byHand(
    'S14',
    'What cannot be worked on is set aside and its operation fails',
    'take DynamoDB away from the worker function’s role and begin an operation: docs/smoke.md',
  ),
];
