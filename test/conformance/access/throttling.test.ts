import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, type Client, clientOf, type SentRequest } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { issuerOf } from '../../support/client/tokens.ts';
import { type Run, run, temporary } from '../../support/service/service.ts';

/** The service as `npm start -- --throttle --auth` runs it: API Gateway's limits with the deployed numbers. */
let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;
let send: Client;
let ada: SentRequest['headers'];
let bob: SentRequest['headers'];

beforeAll(async () => {
  place = await temporary();
  service = await run({ directory: join(place.directory, 'data'), args: ['--auth', '--throttle'] });
  send = clientOf(service.url as string);
  const issue = await issuerOf(service);
  const as = async (caller: string) => ({ Authorization: `Bearer ${await issue(caller, 'add:read')}` });
  [ada, bob] = [await as('ada'), await as('bob')];
}, 40_000);

afterAll(async () => {
  await service.stop();
  await place.remove();
});

/** Requests that no limit of a caller or an open path allows in a test's time. */
const MANY = 6000;
const AT_ONCE = 50;

/** Sends the request again and again, until a response is 429. Returns that response. */
async function refused(path: string, headers: SentRequest['headers'] = {}): Promise<Answer> {
  for (let sent = 0; sent < MANY; sent += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send('GET', path, { headers })));
    const refusal = answers.find(({ status }) => status === 429);
    if (refusal) return refusal;
  }
  throw new Error(`${MANY} requests to ${path} got no 429`);
}

// Specification 10.11
test('a 429 is a problem that says when to send the request again', async () => {
  const answer = await refused('/health');
  expectProblem(answer, 429);
  expect(answer.json().type).toBe('/problems/too-many-requests');
  expect(answer.headers).toMatchObject({
    'retry-after': '1',
    'ratelimit-policy': '"strictest";q=100;w=1',
    ratelimit: '"strictest";r=0;t=1',
    'cache-control': 'no-store',
  });
});

test('a path that needs no token has a limit of its own', async () => {
  await refused('/health');
  expect((await send('GET', '/problems/not-found')).status).toBe(200);
});

test('a caller with too many requests gets 429, also at other paths, and other callers do not', async () => {
  await refused('/add?operand1=1&operand2=2', ada);
  const others = await Promise.all([
    send('GET', '/add?operand1=1&operand2=2', { headers: bob }),
    send('GET', '/', { headers: bob }),
  ]);
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  await refused('/', ada);
});

test('a refused request can be repeated after the seconds in Retry-After', async () => {
  const { headers } = await refused('/', ada);
  await new Promise((later) => setTimeout(later, Number(headers['retry-after']) * 1000));
  expect((await send('GET', '/', { headers: ada })).status).toBe(200);
});
