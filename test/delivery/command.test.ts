import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newCredentials } from 'embedded-aws';
import { announceEngines } from '../../local/running.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { type Run, run, temporary } from '../support/service/service.ts';

/** Tests `npm run events` against a running service. */
const ROOT = join(import.meta.dirname, '../..');

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;
let send: Client;
const running: ChildProcess[] = [];

beforeAll(async () => {
  place = await temporary();
  service = await run({ directory: place.directory, args: ['--empty'] });
  send = clientOf(service.url as string);
}, 40_000);

afterAll(async () => {
  for (const child of running) child.kill();
  await service.stop();
  await place.remove();
});

function events(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['local/events.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: place.directory, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const lines: string[] = [];
  let errors = '';
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  return { child, lines, errors: () => errors, ended };
}

const until = async (done: () => boolean) => {
  for (let turn = 0; turn < 1200 && !done(); turn++) await new Promise((later) => setTimeout(later, 10));
};

/** A line of JSON without the values that differ between runs. */
const lasting = (line: string) =>
  line.replaceAll(/\b(?:\d{14,16}|[0-9a-f]{32})\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');

test('npm run events prints the events of a type and the number to continue from', async () => {
  await send('POST', '/members', { json: { name: 'Ada' } });
  const order = { productId: 1, orderValue: 43.5, quantity: 3 };
  const { headers } = await send('POST', '/orders', { json: order });
  await send('POST', `${headers.location}/pay`);
  const { child, lines, errors, ended } = events(['--type', 'order.*', '--from', '0']);
  await until(() => lines.length === 2);
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['order.created', 'order.paid']);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  const [, number = ''] = /Continue with --from (\d+)/.exec(errors()) ?? [];
  const next = events(['--from', number]);
  await send('POST', '/members', { json: { name: 'Bob' } });
  await until(() => next.lines.length > 0);
  expect(JSON.parse(next.lines[0] as string)).toMatchObject({
    type: 'member.created',
    data: { name: 'Bob' },
  });
  expect(next.lines).toHaveLength(1);
});

test('docs/tour.md shows an event as the command prints it', async () => {
  const tour = readFileSync(join(ROOT, 'docs/tour.md'), 'utf8');
  const [, wrapped = ''] =
    /^\$ npm run -s events -- --type 'order\.\*'\n(\{[\s\S]*?\})\n```$/m.exec(tour) ?? [];
  const shown = wrapped.replace(/\n\s*/g, '');
  const { headers: customer } = await send('POST', '/customers', { json: { name: 'Acme' } });
  const path = `${customer.location}/orders`;
  const { headers } = await send('POST', path, {
    json: { productId: 114811818460120, quantity: 3, orderValue: 43.5 },
  });
  const { lines } = events(['--type', 'order.paid', '--from', '0']);
  await send('POST', `${headers.location}/pay`);
  await until(() => lines.some((line) => line.includes(`"${headers.location}"`)));
  const line = lines.find((one) => one.includes(`"${headers.location}"`)) as string;
  expect(lasting(line)).toBe(lasting(shown));
});

test('npm run events reports that no service runs', async () => {
  const nowhere = events([], { DATA_DIR: join(place.directory, 'none') });
  expect(await nowhere.ended).toEqual([1, null]);
  expect(nowhere.errors()).toBe(
    'No npm start runs with this DATA_DIR: start it, or set DATA_DIR to its directory.\n',
  );
  const gone = join(place.directory, 'gone');
  mkdirSync(gone);
  announceEngines(gone, { url: 'http://127.0.0.1:1', credentials: newCredentials() });
  const closed = events([], { DATA_DIR: gone });
  expect(await closed.ended).toEqual([1, null]);
  expect(closed.errors()).toContain('check that npm start runs');
});

test.each([[['--from', 'x']], [['--unknown']]])('npm run events prints its usage for %j', async (args) => {
  const { ended, errors } = events(args);
  expect(await ended).toEqual([1, null]);
  expect(errors()).toContain('npm run -s events');
});

test('npm run events ends without an error when its reader ends, such as head', async () => {
  const { child, lines, errors, ended } = events(['--from', '0']);
  await until(() => lines.length > 0);
  child.stdout.destroy();
  await send('POST', '/members', { json: { name: 'unread' } });
  expect(await ended).toEqual([0, null]);
  expect(errors()).toBe('');
});

test('npm run events ends with the service', async () => {
  const { ended, lines, errors } = events(['--from', '0']);
  await until(() => lines.length > 0);
  await service.stop();
  expect(await ended).toEqual([0, null]);
  expect(errors()).toMatch(/^The service has ended\. Continue with --from \d+\n$/);
});
