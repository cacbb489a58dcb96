import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../conformance/subscriptions/receiver.ts';
import { data } from '../data/tool.ts';
import { expectProblem } from '../support/client/problem.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Supervised, supervised } from './supervised.ts';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const SCOPES = 'subscriptions:read subscriptions:write products:read products:write';

let receiver: Receiver;
let service: Supervised;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await supervised('owned');
}, 40_000);
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

// Specification 18.15
test('operators list, suspend, resume and remove subscriptions, and owners end no suspension of theirs', async () => {
  const [ada, bob] = [await clientAs(service, 'ada', SCOPES), await clientAs(service, 'bob', SCOPES)];
  const subscribe = async (client: typeof ada, path: string) => {
    const json = { url: receiver.url + path, types: ['product.*'] };
    return String((await client('POST', '/subscriptions', { json })).headers.location);
  };
  const [first, second] = [await subscribe(ada, '/204/token?key=hidden'), await subscribe(bob, '/204/bob')];
  const run = async (...args: string[]) => {
    const { code, output } = await data(service.directory, ['subscriptions', ...args]);
    expect([code, output]).toEqual([0, expect.stringContaining('subscriptions')]);
    return output;
  };
  const listed = await run('list');
  expect(listed).toContain(
    `${first.replace(/.*\//, '')}  ada  ${new URL(receiver.url).host}  product.*  active  never`,
  );
  expect(listed).toContain('2 subscriptions');
  for (const hidden of ['token', 'key', 'hidden', 'whsec_']) expect(listed).not.toContain(hidden);

  expect(await run('suspend', '--subject', 'ada', '--reason', 'A token is lost')).toContain(
    '1 subscriptions',
  );
  await ada('POST', '/products', { json: { name: 'While suspended' } });
  await eventually(async () => expect(receiver.at('/204/bob')).toHaveLength(1));
  const item = (await ada('GET', first)).json();
  expect(item).toMatchObject({ status: 'suspended', reason: 'A token is lost', suspendedBy: 'operators' });
  const active = { json: { active: true }, headers: MERGE };
  const refused = await ada('PATCH', first, active);
  expectProblem(refused, 409, 'conflict');
  expect(refused.json().detail).toContain('A token is lost');
  expect(await run('list', '--suspended')).toContain('1 subscriptions');

  // A resumption concerns only what operators have suspended.
  await bob('PATCH', second, { json: { active: false }, headers: MERGE });
  expect(await run('resume', '--all')).toContain('1 subscriptions');
  expect((await bob('GET', second)).json()).toMatchObject({ status: 'paused' });
  await ada('POST', '/products', { json: { name: 'Resumed' } });
  const at = '/204/token?key=hidden';
  const [event] = await eventually(async () => {
    expect(receiver.at(at)).toHaveLength(1);
    return receiver.at(at);
  });
  expect(event?.event.data).toMatchObject({ name: 'Resumed' });

  expect(await run('remove', second.replace(/.*\//, ''))).toContain('1 subscriptions');
  expectProblem(await bob('GET', second), 404);
  expect((await data(service.directory, ['subscriptions', 'remove'])).code).toBe(2);
}, 60_000);
