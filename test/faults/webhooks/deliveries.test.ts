import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { configureLog } from '../../../shared/aws/log.ts';
import { type Receiver, startReceiver } from '../../conformance/subscriptions/receiver.ts';
import { collectLog } from '../../engines/collected-log.ts';
import type { Body } from '../../support/client/client.ts';
import { timePasses } from '../../support/clock.ts';
import { type Deliveries, startDeliveries } from './harness.ts';

const DAY = 86_400_000;
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

let receiver: Receiver;
let service: Deliveries;
beforeAll(async () => {
  // So many events that wait for a receiver end its subscription.
  process.env.WEBHOOK_MOST = '40';
  // On a busy machine, no attempt is due before a test lets time pass.
  process.env.WEBHOOK_PAUSES = '60 300 1800 7200 21600 43200';
  collectLog();
  [receiver, service] = [await startReceiver(), await startDeliveries()];
}, 40_000);
afterAll(async () => {
  configureLog();
  await service.close();
  await receiver.stop();
});
let made: string[] = [];
afterEach(async () => {
  service.through((call, pass) => pass(...call));
  for (const path of made) await service.client('DELETE', path);
  made = [];
});

const subscribe = async (url: string, more: object = {}): Promise<string> => {
  const json = { url, types: ['product.*'], ...more };
  const { headers, status } = await service.client('POST', '/subscriptions', { json });
  expect(status).toBe(201);
  made.push(String(headers.location));
  return String(headers.location);
};
const closed = 'http://127.0.0.1:1/';
const at = (path: string) => receiver.url + path;
const read = async (path: string) => (await service.client('GET', path)).json();
const change = async (name: string): Promise<Body> =>
  (await service.client('POST', '/products', { json: { name } })).json();
const namesAt = (path: string) => receiver.at(path).map(({ event }) => event.data?.name);

// Specification 18.4, 18.8
test('a receiver for which too many events wait is suspended, and /changes has exactly what is missing', async () => {
  const [dead, quick] = [await subscribe(closed), await subscribe(at('/204/beside'))];
  await change('before');
  const { links } = (await service.client('GET', '/changes')).json();
  expect(links.length).toBeGreaterThan(0);
  const wanted: string[] = ['before'];
  for (let page = 0; page < 5; page += 1) {
    const json = Array.from({ length: 10 }, (_, one) => ({ name: `${page} ${one}` }));
    await service.client('POST', '/products', { json });
    wanted.push(...json.map(({ name }) => name));
    await service.settle();
  }
  expect([...namesAt('/204/beside')].sort()).toEqual([...wanted].sort());
  const { status, reason } = await read(dead);
  expect(status).toBe('suspended');
  const since = /^Too many events wait for the receiver\. Events are missing since \S+: (\S+)$/.exec(
    String(reason),
  )?.[1];
  const missing = (await read(since ?? '')).items as unknown as readonly { data: { name: string } }[];
  expect(missing.map(({ data }) => data.name).sort()).toEqual([...wanted].sort());
  expect((await read(quick)).status).toBe('active');
});

// Specification 18.8
test('while no run sends, no attempt counts: nothing is suspended before five attempts, and nothing is lost', async () => {
  const [dead, late] = [await subscribe(closed), await subscribe(at('/fails/2/after-days'))];
  await change('after days');
  await service.settle();
  timePasses(4 * DAY);
  await service.settle();
  expect(await read(dead)).toMatchObject({ status: 'active' });
  for (let attempt = 3; attempt <= 5; attempt += 1) {
    expect((await read(`${dead}/deliveries`)).items).toHaveLength(attempt - 1);
    expect((await read(dead)).status).toBe('active');
    timePasses(DAY);
    await service.settle();
  }
  expect(await read(dead)).toMatchObject({
    status: 'suspended',
    reason: expect.stringContaining('/changes?since='),
  });
  expect(namesAt('/fails/2/after-days')).toEqual(['after days', 'after days', 'after days']);
  expect((await read(late)).status).toBe('active');
});

// Specification 18.9
describe('a crash', () => {
  /** Lets calls pass until this number of writes, of which the last one fails before or after its effect. */
  function crashAt(write: number, isApplied: boolean): () => boolean {
    let [writes, isDead] = [0, false];
    service.through(async (call, pass) => {
      const operation = String(call[0].headers['x-amz-target']).replace(/^.*\./, '');
      const isWrite = /^(Put|Update|Delete|TransactWrite|SendMessage)/.test(operation);
      if (!isDead && isWrite && ++writes === write) {
        isDead = true;
        if (isApplied) await pass(...call);
      }
      if (isDead) throw new Error('The process has crashed');
      return pass(...call);
    });
    return () => isDead;
  }

  test.each([
    ['before', false],
    ['after', true],
  ] as const)(
    '%s any write loses no event, and a removed subscription gets none',
    async (_, isApplied) => {
      let crashes = 0;
      for (let write = 1, isDead = true; isDead; write += 1) {
        const path = `/204/crash-${isApplied}-${write}`;
        const [one, removed] = [await subscribe(at(path)), await subscribe(at(`${path}/removed`))];
        await change(`one ${write}`);
        await change(`two ${write}`);
        await service.publish();
        expect((await service.client('DELETE', removed)).status).toBe(204);
        const hasCrashed = crashAt(write, isApplied);
        await service.settle().catch(() => undefined);
        isDead = hasCrashed();
        service.through((call, pass) => pass(...call));
        crashes += Number(isDead);
        for (let times = 0; times < 2; times += 1) {
          timePasses(100_000);
          await service.settle();
        }
        expect([...new Set(namesAt(path))].sort()).toEqual([`one ${write}`, `two ${write}`]);
        expect(receiver.at(`${path}/removed`)).toEqual([]);
        const { items } = await read(`${one}/deliveries`);
        expect(items.length).toBeGreaterThanOrEqual(2);
        await service.client('DELETE', one);
      }
      expect(crashes).toBeGreaterThan(12);
    },
    150_000,
  );
});

// Specification 18.8
test('a resumed subscription gets no events of its pause, and those after it', async () => {
  const path = await subscribe(at('/fails/1/paused'));
  await change('before');
  await service.settle();
  await service.client('PATCH', path, { json: { active: false }, headers: MERGE });
  await change('paused');
  await service.publish();
  timePasses(1000);
  await service.client('PATCH', path, { json: { active: true }, headers: MERGE });
  timePasses(100_000);
  await change('after');
  await service.settle();
  expect(namesAt('/fails/1/paused')).toEqual(['before', 'after']);
});
