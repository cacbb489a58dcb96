import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../conformance/subscriptions/receiver.ts';
import { data } from '../data/tool.ts';
import { expectProblem } from '../support/client/problem.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Supervised, supervised } from './supervised.ts';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };

let receiver: Receiver;
let service: Supervised;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await supervised('guarded', { WEBHOOK_PAUSES: '1', WEBHOOK_SECONDS: '600' });
}, 40_000);
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

// Specification 18.5
test('a subject that operators deny gets no event any more, old or new, and its subscription is suspended', async () => {
  const scopes = 'subscriptions:read subscriptions:write products:read products:write';
  const [ada, bob] = [await clientAs(service, 'ada', scopes), await clientAs(service, 'bob', scopes)];
  const subscribe = async (client: typeof ada, path: string) => {
    const json = { url: receiver.url + path, types: ['product.*'] };
    return (await client('POST', '/subscriptions', { json })).headers.location as string;
  };
  const [waits, later] = [await subscribe(ada, '/500/waits'), await subscribe(ada, '/204/later')];
  const other = await subscribe(bob, '/204/other');
  await bob('POST', '/products', { json: { name: 'Before' } });
  await eventually(async () => {
    expect(receiver.at('/500/waits').length).toBeGreaterThan(0);
    expect([receiver.at('/204/later').length, receiver.at('/204/other').length]).toEqual([1, 1]);
  });

  await service.deny('ada');
  service.pass(60_000);
  const before = receiver.at('/500/waits').length;
  expect((await bob('POST', '/products', { json: { name: 'After' } })).status).toBe(201);
  await eventually(async () => expect(receiver.at('/204/other')).toHaveLength(2));
  expectProblem(await ada('GET', waits), 403);
  await eventually(async () => {
    const { output } = await data(service.directory, ['subscriptions', 'list', '--suspended']);
    expect(output).toContain('2 subscriptions');
  });
  // The subject sees it after the denial.
  await service.deny();
  service.pass(60_000);
  for (const path of [waits, later]) {
    const item = (await ada('GET', path)).json();
    expect(item).toMatchObject({ status: 'suspended', active: false });
    expect(item.reason).toMatch(
      /^The operators of the service have denied its owner access\. Events are missing since \S+Z: \/changes\?since=\S+Z$/,
    );
  }
  expect(receiver.at('/204/later')).toHaveLength(1);
  expect(receiver.at('/500/waits').length - before).toBeLessThanOrEqual(1);
  expect((await bob('GET', other)).json()).toMatchObject({ status: 'active' });

  // The owner resumes it after the denial has ended.
  const resumed = await ada('PATCH', later, { json: { active: true }, headers: MERGE });
  expect(resumed.json()).toMatchObject({ status: 'active' });
  await bob('POST', '/products', { json: { name: 'Resumed' } });
  await eventually(async () => expect(receiver.at('/204/later')).toHaveLength(2));
}, 60_000);
