import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Engines, inProcess } from 'embedded-aws';
import { handler as publish } from '../../functions/events/handler.ts';
import { collectLog } from '../engines/collected-log.ts';
import { type Harness, startHarness } from '../faults/harness.ts';
import { Changes } from '../faults/webhooks/changes.ts';
import type { Answer, Body } from '../support/client/client.ts';
import { MERGE_PATCH } from '../support/client/patches.ts';
import { testTime } from '../support/clock.ts';

/* An undo of many items, stopped at any call of an engine. Source: Specification 17.9, 17.10. */

type Handle = ReturnType<typeof inProcess>['handle'];

/** The items of an undo. UNDONE=2000 makes it long. */
const COUNT = Number(process.env.UNDONE ?? 24);
/** The calls at which the undo is stopped: FAULTS=all stops it at each one. */
const STOPS = process.env.FAULTS === 'all' ? Number.POSITIVE_INFINITY : Number(process.env.STOPS ?? 12);

/** Changes between two that go back together: more than a transaction has items, or than the walk passes at once. */
const BETWEEN = process.env.FAULTS === 'all' ? 2100 : 40;

let service: Harness;
let changes: Changes;
let between: (call: Parameters<Handle>, pass: Handle) => ReturnType<Handle> = (call, pass) => pass(...call);

beforeAll(async () => {
  collectLog();
  process.env.LOG_SECONDS = '0';
  let engines: Engines | undefined;
  service = await startHarness((own) => {
    engines = own;
    const whole = inProcess(own);
    const handle: Handle = (...call) => between(call, whole.handle);
    const settings = { requestHandler: { ...whole, handle } };
    return { settings, clear: async () => undefined, close: async () => undefined };
  });
  changes = new Changes(engines as Engines);
});
afterAll(() => service.close());

/** Gives the new changes to the events function. */
async function logged(): Promise<void> {
  for (;;) {
    const { records } = changes.taken();
    if (records.length === 0) return;
    for (let at = 0; at < records.length; at += 100) await publish({ Records: records.slice(at, at + 100) });
  }
}

async function sent(method: string, path: string, json?: unknown, headers = {}): Promise<Answer> {
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const answer = await service.client(method, path, {
    ...body,
    headers: { ...(json === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** Many new customers, and an order of each. */
async function shop(count: number): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let left = count; left > 0; left -= 100) {
    const customers = Array.from({ length: Math.min(left, 100) }, (_, at) => ({ name: `${at}` }));
    const { json } = await sent('POST', '/customers', customers);
    paths.push(...json().items.map(({ id }) => `/customers/${id}`));
  }
  return paths;
}

/** Changes a third of the customers, removes another one, and creates as many. Returns all paths. */
async function harmed(customers: readonly string[]): Promise<readonly string[]> {
  const fresh = await shop(Math.ceil(customers.length / 3));
  for (const [at, path] of customers.entries()) {
    if (at % 3 === 0) await sent('PATCH', path, { name: 'harmed', email: 'a@b.example' }, MERGE_PATCH);
    if (at % 3 === 1) await sent('DELETE', path);
    if (at % 3 === 1 && at % 2 === 0) await sent('POST', `${path}/versions/1/restore`);
  }
  return [...customers, ...fresh];
}

/** The items without what each change alters. */
async function statesOf(paths: readonly string[]): Promise<unknown[]> {
  const states: unknown[] = [];
  for (const path of paths) {
    const { status, json } = await service.client('GET', path);
    if (status === 404) states.push(undefined);
    else {
      const { updatedAt, links, ...values }: Partial<Body> = json();
      states.push(values);
    }
  }
  return states;
}

/** Begins an undo. Returns the path of its operation. */
async function begun(json: object): Promise<string> {
  const { headers } = await sent('POST', '/changes/undo', json);
  return headers.location as string;
}

const resultOf = async (path: string) => (await sent('GET', path)).json().result;

class Stopped extends Error {}

/** Runs the undo until a call of an engine. `isDone`: the engine still does it. Returns the number of calls. */
async function runUntil(stop: number, isDone: boolean): Promise<number> {
  let count = 0;
  between = async (call, pass) => {
    count += 1;
    if (count < stop) return pass(...call);
    if (count === stop && isDone) await pass(...call);
    throw new Stopped();
  };
  await service.work();
  between = (call, pass) => pass(...call);
  return count;
}

test('an undo ends in the same state and with the same result, at whatever call it was stopped', async () => {
  const customers = await shop(COUNT);
  const rounds: number[] = [];
  let calls = Number.POSITIVE_INFINITY;
  for (let stop = Number.POSITIVE_INFINITY; rounds.length <= STOPS; ) {
    service.pass(1000);
    await logged();
    const before = await statesOf(customers);
    const since = new Date(testTime()).toISOString();
    service.pass(1000);
    const all = await harmed(customers);
    await logged();
    const operation = await begun({ since });
    const count = await runUntil(stop, rounds.length % 2 === 0);
    if (stop === Number.POSITIVE_INFINITY) calls = count;
    await service.settle();
    const after = await statesOf(all);
    expect({ stop, after }).toEqual({
      stop,
      after: [...before, ...all.slice(before.length).map(() => undefined)],
    });
    const removed = all.length - customers.length;
    const unchanged = customers.filter((_, at) => at % 6 === 4).length;
    const restored = customers.filter((_, at) => at % 3 < 2).length - unchanged;
    expect({ stop, ...((await resultOf(operation)) as object) }).toEqual({
      ...{ stop, status: 204, restored, removed, unchanged, skipped: [] },
    });
    rounds.push(stop);
    const next = rounds.length === 1 ? 1 : stop + Math.max(1, Math.floor(calls / STOPS));
    if (next > calls) break;
    stop = next;
  }
  expect(rounds.length).toBeGreaterThan(1);
}, 600_000);

// Specification 17.9
test('what an operation did goes back, and nothing else', async () => {
  const customers = await shop(3);
  const before = await statesOf(customers);
  await sent('PATCH', customers[0] as string, { name: 'mine' }, MERGE_PATCH);
  const [, ...others] = before;
  const { headers } = await sent('DELETE', '/customers', undefined, { Prefer: 'respond-async' });
  const bulk = Number(headers.location?.split('/').at(-1));
  expect((await service.client('POST', '/changes/undo', { json: { operation: bulk } })).status).toBe(409);
  await service.settle();
  await logged();
  expect(await statesOf(customers)).toEqual([undefined, undefined, undefined]);
  const operation = await begun({ operation: bulk });
  await service.settle();
  expect(await statesOf(customers)).toEqual([expect.objectContaining({ name: 'mine' }), ...others]);
  expect(await resultOf(operation)).toMatchObject({ removed: 0, unchanged: 0, skipped: [] });
  // The undo is an operation, too.
  await logged();
  await begun({ operation: Number(operation.split('/').at(-1)) });
  await service.settle();
  expect(await statesOf(customers)).toEqual([undefined, undefined, undefined]);
});

// Specification 17.9, 16.1
test('an item whose state before is older than the history is skipped', async () => {
  const [path = ''] = await shop(1);
  service.pass(1000);
  const since = new Date(testTime()).toISOString();
  service.pass(1000);
  await sent('PATCH', path, { name: 'first' }, MERGE_PATCH);
  await logged();
  service.pass(40 * 24 * 3600 * 1000);
  await sent('PATCH', path, { name: 'second' }, MERGE_PATCH);
  await logged();
  const operation = await begun({ since, resources: ['customers'] });
  await service.settle();
  expect(await resultOf(operation)).toMatchObject({
    restored: 0,
    skipped: [{ resource: 'customers', id: Number(path.split('/').at(-1)), reason: 'its history is over' }],
  });
  expect(await statesOf([path])).toEqual([expect.objectContaining({ name: 'second' })]);
});

// Specification 17.9
test('items that have exchanged values go back together, however far apart their changes are', async () => {
  const skus = ['A', 'B', 'C'];
  const paths: string[] = [];
  for (const sku of skus) paths.push(String((await sent('POST', '/products', { sku })).headers.location));
  const [first = '', second = '', third = ''] = paths;
  const patch = (path: string, values: object) => sent('PATCH', path, values, MERGE_PATCH);
  const before = await statesOf(paths);
  service.pass(1000);
  await logged();
  const since = new Date(testTime()).toISOString();
  service.pass(1000);
  await patch(first, { name: 'harmed' });
  for (let at = 0; at < BETWEEN; at += 1) await patch(second, { name: `${at}` });
  await patch(third, { sku: null });
  await patch(second, { sku: 'C' });
  await patch(first, { sku: 'B' });
  await patch(third, { sku: 'A' });
  await logged();
  const operation = await begun({ since });
  await service.settle();
  expect(await resultOf(operation)).toMatchObject({ restored: 3, skipped: [] });
  expect(await statesOf(paths)).toEqual(before);
}, 120_000);

// Specification 17.9
test('a removed file goes back, although the writer that began first wrote its row last', async () => {
  const text = { 'Content-Type': 'text/plain' };
  const put = async (body: string) =>
    expect((await service.client('PUT', '/files/raced.txt', { body, headers: text })).status).toBeLessThan(
      300,
    );
  await put('first');
  service.pass(1000);
  await logged();
  const since = new Date(testTime()).toISOString();
  service.pass(1000);
  let release = () => {};
  const released = new Promise<void>((passed) => {
    release = passed;
  });
  const held = new Promise<void>((isHeld) => {
    between = async (call, pass) => {
      const [{ headers = {}, body }] = call;
      const isWrite = headers['x-amz-target']?.endsWith('.UpdateItem') && body instanceof Uint8Array;
      const isRow = isWrite && Buffer.from(body).includes('raced.txt');
      if (isRow) {
        between = (other, further) => further(...other);
        isHeld();
        await released;
      }
      return pass(...call);
    };
  });
  const slow = put('second');
  await held;
  service.pass(10);
  await put('second');
  release();
  await slow;
  service.pass(1000);
  await sent('DELETE', '/files/raced.txt');
  await logged();
  const operation = await begun({ since, resources: ['files'] });
  await service.settle();
  expect(await resultOf(operation)).toMatchObject({ restored: 1, skipped: [] });
  expect((await sent('GET', '/files/raced.txt')).text).toBe('first');
});
