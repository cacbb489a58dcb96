import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
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
  service = await supervised('owned', { WEBHOOK_PAUSES: '600', WEBHOOK_SECONDS: '6000' });
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
    `${first.replace(/.*\//, '')}  ada  ${new URL(receiver.url).host}  product.*  active  0 waiting  never`,
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

  // A resumption concerns only what operators have suspended, and brings back the state before.
  await bob('PATCH', second, { json: { active: false }, headers: MERGE });
  expect(await run('suspend', '--subject', 'bob')).toContain('1 subscriptions');
  expect((await bob('GET', second)).json()).toMatchObject({ status: 'suspended', wasActive: false });
  expect(await run('resume', '--all')).toContain('2 subscriptions');
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

/** The rows of a partition of the table `waiting`. */
const waitingIn = async (subscription: string): Promise<readonly Record<string, AttributeValue>[]> => {
  const { Items = [] } = await service.dynamoDb.send(
    new QueryCommand({
      TableName: 'resource-api-waiting',
      KeyConditionExpression: 'subscription = :subscription',
      ExpressionAttributeValues: { ':subscription': { N: subscription } },
      ConsistentRead: true,
    }),
  );
  return Items;
};

// Specification 18.8, 18.15
test('operators see what waits, and what they suspend, resume and remove begins and ends its events', async () => {
  const [ada, bob] = [await clientAs(service, 'ada', SCOPES), await clientAs(service, 'bob', SCOPES)];
  const subscribe = async (client: typeof ada, path: string) => {
    const json = { url: receiver.url + path, types: ['product.*'] };
    return String((await client('POST', '/subscriptions', { json })).headers.location);
  };
  const [first, second] = [await subscribe(ada, '/500/first'), await subscribe(ada, '/500/second')];
  const idOf = (path: string) => path.replace(/.*\//, '');
  const product = async (name: string) =>
    expect((await bob('POST', '/products', { json: { name } })).status).toBe(201);
  const revision = async () => (await waitingIn('0')).find(({ event }) => event?.S === '-')?.revision?.S;
  /** Runs a command. The function that follows the log reads the subscriptions again after it. */
  const run = async (command: string, ...names: string[]) => {
    const before = await revision();
    const { code, output } = await data(service.directory, ['subscriptions', command, ...names]);
    expect([code, output]).toEqual([0, expect.stringContaining(`1 subscriptions: ${command}`)]);
    expect([before, await revision()]).not.toEqual([before, before]);
  };
  const listed = async () =>
    (await data(service.directory, ['subscriptions', 'list', '--subject', 'ada'])).output;

  await product('Waits');
  await eventually(async () => {
    for (const path of ['/500/first', '/500/second']) expect(receiver.at(path)).toHaveLength(1);
    expect((await listed()).match(/ active {2}1 waiting, the oldest for \d+ s {2}never/g)).toHaveLength(2);
  });

  await run('suspend', idOf(first));
  expect(
    (await ada('PATCH', first, { json: { url: `${receiver.url}/204/first` }, headers: MERGE })).status,
  ).toBe(200);
  await subscribe(bob, '/204/between');
  await product('While suspended');
  // Now the function that follows the log knows the subscriptions without the suspended one.
  await eventually(async () => expect(receiver.at('/204/between')).toHaveLength(1));
  await run('resume', idOf(first));
  await run('remove', idOf(second));
  expect(await waitingIn(idOf(second))).toEqual([]);
  service.pass(700_000);
  await product('Resumed');
  await eventually(async () => expect(receiver.at('/204/first').length).toBeGreaterThan(0));
  // The attempt of the event that waited was due before this one.
  expect(receiver.at('/204/first').map(({ event }) => event.data?.name)).toEqual(['Resumed']);

  const third = await subscribe(ada, '/500/third');
  await product('Erased');
  await eventually(async () => {
    const head = (await waitingIn(idOf(third))).find(({ event }) => event?.S === '-');
    // No run removes the rows in the time of this test.
    expect(Number(head?.nextAt?.N)).toBeGreaterThan(Date.now() + 1_000_000);
  });
  const erasure = ['erase', service.directory, 'subscriptions', idOf(third), '--confirm'];
  expect(await data(service.directory, erasure)).toMatchObject({ code: 0 });
  expect(await waitingIn(idOf(third))).toEqual([]);
}, 60_000);

// Specification 18.8
test('nothing of a subscription waits after its owner has removed it', async () => {
  const ada = await clientAs(service, 'ada', SCOPES);
  const subscribe = async (path: string) => {
    const json = { url: receiver.url + path, types: ['product.*'] };
    return String((await ada('POST', '/subscriptions', { json })).headers.location);
  };
  const made = [await subscribe('/204/removed'), await subscribe('/500/removed')];
  expect((await ada('POST', '/products', { json: { name: 'Before' } })).status).toBe(201);
  const rowsOf = (path: string) => waitingIn(path.replace(/.*\//, ''));
  await eventually(async () => {
    // One head is at rest, the other one pauses.
    const heads = await Promise.all(
      made.map(async (path) => (await rowsOf(path)).map((row) => row.nextAt?.N)),
    );
    expect([heads[0]?.length, heads[0]?.[0], heads[1]?.length]).toEqual([1, undefined, 2]);
  });
  for (const path of made) {
    await ada('PATCH', path, { json: { active: false }, headers: MERGE });
    await ada('PATCH', path, { json: { active: true }, headers: MERGE });
    expect((await ada('DELETE', path)).status).toBe(204);
  }
  await eventually(async () => {
    for (const path of made) expect(await rowsOf(path)).toEqual([]);
  });
}, 60_000);
