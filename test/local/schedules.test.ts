import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { clientOf } from '../support/client/client.ts';
import { ended } from '../support/client/operation.ts';
import { issuerOf } from '../support/client/tokens.ts';
import { eventually } from '../support/eventually.ts';
import { clientAs } from '../support/service/closed.ts';
import { command } from '../support/service/command.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
let place: Awaited<ReturnType<typeof temporary>>;
let service: Run | undefined;

beforeEach(async () => {
  place = await temporary();
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
  await place.remove();
});

const environment = () => ({
  ...withFixture('timed'),
  RUNS: join(place.directory, 'runs.jsonl'),
  DATA_DIR: join(place.directory, 'data'),
  MAIL_FROM: 'library@example.org',
  MAIL_KEY: 'k',
});

/** Starts a service whose schedule reminds readers at 02:00 in Berlin. */
async function started(more: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const own = environment();
  const made = await run({
    directory: own.DATA_DIR,
    args: ['--empty', ...args],
    environment: { ...own, ...more },
  });
  service = made;
  if (made.url === undefined) throw new Error(made.output());
  return { send: clientOf(made.url), made };
}

/** Runs `npx resource-api run`. */
const runNow = (...args: readonly string[]) =>
  command(process.execPath, ['tools/command/bin.ts', 'run', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment() },
  });

// Specification 21.1, 21.2, 21.5, 21.7
test('a test lets nights pass: each runs once, in order, also at the end of summer time', async () => {
  const script = join(ROOT, 'test/fixtures/timed/nights.ts');
  const { code, log } = await command(process.execPath, [script], {
    cwd: ROOT,
    env: { ...process.env, ...environment(), LEASE_SECONDS: '0.1' },
  });
  const printed = JSON.parse(log.split('\n').find((line) => line.startsWith('{"before"')) ?? log);
  expect(code).toBe(0);
  expect(printed.before).toEqual({ seen: [0, 0], runs: [] });
  const days = ['21', '22', '23', '24', '25'];
  expect(printed.after).toEqual({
    // The book is overdue in the last three nights.
    seen: [3, 0],
    runs: days.map((day) => ({
      time: `2026-10-${day}T00:00:00.000Z`,
      today: `2026-10-${day}`,
      from: 'library@example.org',
    })),
  });
  expect(printed.again).toEqual({ seen: [4, 0], runs: 6 });
  expect(printed.listed.items.map((one: { status: string }) => one.status)).toEqual(
    Array(6).fill('Succeeded'),
  );
  expect(printed.notes).toBe(6);
  expect(printed.failed).toContain('The code failed 3 times');
}, 120_000);

test('a settled service has posted its webhooks', async () => {
  const script = join(ROOT, 'test/fixtures/timed/hooks.ts');
  const { log } = await command(process.execPath, [script], {
    cwd: ROOT,
    env: { ...process.env, ...environment() },
  });
  expect(log.split('\n')).toContain('{"received":2}');
}, 60_000);

// Specification 21.4
test('a run that passes the time of its function goes on in another invocation', async () => {
  // An invocation has 200 ms for its items.
  const { send } = await started({ RUN_SECONDS: '30.2' });
  const loans = Array.from({ length: 400 }, (_, at) => ({ title: `${at}`, due: '2026-01-01', open: true }));
  await ended(await send('POST', '/loans', { json: loans, headers: { Prefer: 'respond-async' } }), send);
  expect(await runNow('reminders')).toMatchObject({
    code: 0,
    log: 'A run of reminders begins: GET /operations?schedule=reminders shows how far it is.\n',
  });
  const operation = await eventually(async () => {
    const [found] = (await send('GET', '/operations?schedule=reminders')).json().items;
    expect(found).toMatchObject({ kind: 'reminders.run', status: 'Succeeded' });
    return found;
  });
  expect(operation?.progress).toMatchObject({ done: 400, failed: 0 });
  const { items } = (await send('GET', '/loans?limit=1000&fields=reminders')).json();
  expect(items.map((one) => one.reminders)).toEqual(Array(400).fill(1));
}, 120_000);

// Specification 21.3, 21.4, 21.5
test('a run with a mistake of its code fails with a sentence, and late writes and lost messages fail none', async () => {
  const script = join(ROOT, 'test/fixtures/timed/mistakes.ts');
  const { log } = await command(process.execPath, [script], {
    cwd: ROOT,
    env: { ...process.env, ...environment() },
  });
  const printed = JSON.parse(log.split('\n').find((line) => line.startsWith('{"nested"')) ?? log);
  const overlap = 'One each of a run goes on at a time: await it, and read a list inside of it by for await';
  expect(printed).toEqual({
    nested: overlap,
    parallel: overlap,
    // What the code catches, or does not await, fails all the same.
    caught: overlap,
    forgotten: overlap,
    limited: 'each goes by identifiers: leave sort and limit out of its list, or read it by for await',
    // No mistake has committed a write.
    reminders: [0, 0, 0],
    late: 'ended',
    raced: 'ended',
    notes: ['late'],
    // Both writers have changed it.
    changed: { title: 'by another writer', reminders: 2 },
    turns: [true, false, false, true, false],
    lost: 'Failed',
  });
}, 60_000);

// Specification 21.6
test('only callers with the scope see the runs, and no request cancels one', async () => {
  const { made } = await started({}, ['--auth']);
  expect((await runNow('reminders')).code).toBe(0);
  const closed = { send: clientOf(made.url as string), issue: await issuerOf(made) };
  const withScope = (scope: string) => clientAs(closed, 'ada', scope);
  const operator = await withScope('operations:read');
  const path = await eventually(async () => {
    const [one] = (await operator('GET', '/operations?schedule=reminders')).json().items;
    expect(one?.status).toBe('Succeeded');
    return `/operations/${one?.operationId}`;
  });
  expect((await operator('GET', path)).json()).toMatchObject({ kind: 'reminders.run' });
  expect((await operator('DELETE', path)).status).toBe(404);
  const headers = { 'If-Match': '*' };
  expect((await operator('DELETE', path, { headers })).status).toBe(404);
  const other = await withScope('loans:read');
  expect((await other('GET', '/operations?schedule=reminders')).json().items).toEqual([]);
  expect((await other('GET', path)).status).toBe(404);
}, 60_000);

test('a time that was missed in the last day runs once at the next start', async () => {
  const { send } = await started();
  expect((await send('GET', '/operations?schedule=reminders')).json().items).toEqual([]);
  for (const _ of ['first', 'second']) {
    await service?.stop();
    const again = await started();
    await eventually(async () => {
      const { items } = (await again.send('GET', '/operations?schedule=reminders')).json();
      expect(items.map((one) => one.status)).toEqual(['Succeeded']);
    });
  }
}, 60_000);

test('the command names the schedules', async () => {
  expect(await runNow('reminder')).toMatchObject({
    code: 2,
    log: 'Name one schedule: reminders. With --queue URL, it is that of a deployment.\n',
  });
  expect(await runNow('reminders')).toMatchObject({
    code: 2,
    log: 'No npm start runs with this DATA_DIR: start it, or name a queue with --queue.\n',
  });
}, 60_000);
