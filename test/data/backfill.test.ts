import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { names, queueUrl } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { clientOf } from '../support/client/client.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { writeProfile } from './profile.ts';
import { backfill, endOf } from './tool.ts';

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;

beforeAll(async () => {
  place = await temporary();
  service = await run({ directory: place.directory });
}, 40_000);

afterAll(async () => {
  await service.stop();
  await place.remove();
});

// Specification 13.3
test('npm run backfill begins an operation of the worker', async () => {
  const { code, output } = await backfill(place.directory, ['products']);
  expect([code, output]).toEqual([0, expect.stringMatching(/GET \/operations\/\d+ shows/)]);
  const ended = await endOf(output, clientOf(service.url ?? ''));
  expect([ended.status, ended.json()]).toMatchObject([
    200,
    { kind: 'products.backfill', status: 'Succeeded', progress: { done: 3, failed: 0 } },
  ]);
});

test('npm run backfill with a queue gets its region and its credentials from a profile with a process', async () => {
  const engines = runningEngines({ DATA_DIR: place.directory });
  if (engines === undefined || process.env.AWS_ENDPOINT_URL_SQS) return;
  const { environment, runs } = writeProfile(place.directory, engines);
  const args = ['products', '--queue', queueUrl(names.queue, engines.url)];
  // The command finds no running service here.
  const { code, output } = await backfill(`${place.directory}/missing`, args, { environment });
  expect([code, output]).toEqual([0, expect.stringMatching(/GET \/operations\/\d+ shows/)]);
  expect(runs()).toBeGreaterThan(0);
  const ended = await endOf(output, clientOf(service.url ?? ''));
  expect(ended.json()).toMatchObject({ kind: 'products.backfill', status: 'Succeeded' });
});

test.each([[['operations']], [[]], [['members', 'orders']], [['members', '--unknown']]])(
  'npm run backfill prints its usage for %j',
  async (args) => {
    const { code, output } = await backfill(place.directory, args);
    expect([code, output]).toEqual([2, expect.stringContaining('npm run backfill -- RESOURCE')]);
  },
);

test('npm run backfill reports that no service runs', async () => {
  const { code, output } = await backfill(`${place.directory}/missing`, ['members']);
  expect([code, output]).toEqual([2, expect.stringContaining('No npm start runs')]);
});
