import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, clientOf } from '../support/client.ts';
import { type Run, run, temporary } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;

beforeAll(async () => {
  place = await temporary();
  service = await run({ directory: place.directory });
}, 40_000);

afterAll(async () => {
  await service.stop();
  await place.remove();
}, 20_000);

/** Runs `npm run backfill` and returns its exit status and what it printed. */
async function backfill(args: readonly string[], directory = place.directory) {
  const child = spawn(process.execPath, ['tools/backfill/main.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: directory, NODE_OPTIONS: '' },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const [status] = await once(child, 'close');
  return { status, text };
}

// Specification 13.3
test('npm run backfill begins an operation of the worker', async () => {
  const { status, text } = await backfill(['products']);
  expect([status, text]).toEqual([0, expect.stringMatching(/GET \/operations\/\d+ shows/)]);
  const [path = ''] = /\/operations\/\d+/.exec(text) ?? [];
  const send = clientOf(service.url ?? '');
  // The worker writes the record when it receives the message.
  const seen = async (turns = 200): Promise<Answer> => {
    const answer = await send('GET', path, { headers: { Prefer: 'wait=10' } });
    if (answer.status !== 404 || turns === 0) return answer;
    await new Promise((later) => setTimeout(later, 50));
    return seen(turns - 1);
  };
  const ended = await seen();
  expect([ended.status, ended.json()]).toMatchObject([
    200,
    { kind: 'products.backfill', status: 'Succeeded', progress: { done: 3, failed: 0 } },
  ]);
});

test.each([[['operations']], [[]], [['members', 'orders']], [['members', '--unknown']]])(
  'npm run backfill prints its usage for %j',
  async (args) => {
    const { status, text } = await backfill(args);
    expect([status, text]).toEqual([2, expect.stringContaining('npm run backfill -- RESOURCE')]);
  },
);

test('npm run backfill reports that no service runs', async () => {
  const { status, text } = await backfill(['members'], join(place.directory, 'missing'));
  expect([status, text]).toEqual([2, expect.stringContaining('No npm start runs')]);
});
