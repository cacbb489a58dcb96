import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { names, queueUrl } from '../../local/provision/names.ts';
import { type RunningEngines, runningEngines } from '../../local/running.ts';
import { clientOf } from '../support/client/client.ts';
import { ended } from '../support/client/operation.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { command } from '../support/service/command.ts';
import { run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

/**
 * Kills the process that runs a schedule, each time after a few items. KILL_ROUNDS sets the number of kills, and SEED repeats
 * a run.
 */
const KILLS = Number(process.env.KILL_ROUNDS ?? 200);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const LOANS = 10 * KILLS;
const next = randomNumbers(SEED);
const TABLES = ['idempotency', 'loans', 'notes', 'operations'];
const ROOT = join(import.meta.dirname, '../..');

/** Bundles the function of the schedule, which starts in a tenth of the time of its modules. Returns its file. */
async function bundled(directory: string): Promise<string> {
  const source = `const { bundleInto } = await import(${JSON.stringify(join(ROOT, 'infra/bundle/bundle.ts'))});
    await bundleInto(${JSON.stringify(directory)}, 'test/fixtures/timed/invoke.ts');`;
  const env = { ...process.env, ...withFixture('timed') };
  const { code, log } = await command(process.execPath, ['--input-type=module', '-e', source], {
    cwd: ROOT,
    env,
  });
  if (code !== 0) throw new Error(log);
  return join(directory, 'index.js');
}

// Specification 21.3
test(`a schedule over ${LOANS} items changes each once, although ${KILLS} kills end its runs (SEED=${SEED})`, async () => {
  const { directory, remove } = await temporary();
  const data = join(directory, 'data');
  const own = {
    ...withFixture('timed'),
    RUNS: join(directory, 'runs.jsonl'),
    // A killed run does not block the next one for long.
    LEASE_SECONDS: '0.05',
    MAIL_FROM: 'library@example.org',
    MAIL_KEY: 'k',
  };
  const service = await run({ directory: data, args: ['--empty'], environment: own });
  try {
    if (service.url === undefined) throw new Error(service.output());
    const send = clientOf(service.url);
    const loans = Array.from({ length: LOANS }, (_, at) => ({
      title: `${at}`,
      due: '2026-01-01',
      open: true,
    }));
    const headers = { Prefer: 'respond-async' };
    for (let at = 0; at < LOANS; at += 1000)
      await ended(await send('POST', '/loans', { json: loans.slice(at, at + 1000), headers }), send);
    const file = await bundled(join(directory, 'bundle'));
    const time = String(Date.now());
    const { url, credentials } = runningEngines({ DATA_DIR: data }) as RunningEngines;
    const environment = {
      ...process.env,
      RUNS: own.RUNS,
      LEASE_SECONDS: own.LEASE_SECONDS,
      SHOW_ITEMS: 'true',
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: url,
      AWS_ENDPOINT_URL_SQS: url,
      TABLES: TABLES.map((name) => `${name}=${names.table(name)}`).join(' '),
      SCHEDULE_QUEUES: `reminders=${queueUrl(names.scheduleQueue('reminders'), url)}`,
      SHARDS: '4',
    };
    /** Runs until this many items have begun. Returns what the process printed. */
    const invoke = async (items: number): Promise<readonly string[]> => {
      const child = spawn(process.execPath, [file, time], {
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines: string[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        if (lines.length >= items) child.kill('SIGKILL');
      });
      await once(child, 'close');
      return lines;
    };
    let kills = 0;
    for (let lines: readonly string[] = []; !lines.includes('ended'); ) {
      lines = await invoke(kills < KILLS ? 2 + Math.floor(next() * 8) : Number.POSITIVE_INFINITY);
      if (!lines.includes('ended')) kills += 1;
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS);
    const counts = new Map<unknown, number>();
    for (let path = '/loans?limit=1000&fields=reminders'; path !== ''; ) {
      const page = (await send('GET', path)).json();
      for (const { reminders } of page.items) counts.set(reminders, (counts.get(reminders) ?? 0) + 1);
      path = page.links.find(({ rel }: { rel: string }) => rel === 'next')?.href ?? '';
    }
    expect([...counts]).toEqual([[1, LOANS]]);
    const [operation] = (await send('GET', '/operations?schedule=reminders')).json().items;
    expect(operation).toMatchObject({ status: 'Succeeded', progress: { done: LOANS, failed: 0 } });
    expect((await send('GET', '/notes')).json().items).toHaveLength(1);
  } finally {
    await service.stop('SIGKILL');
    await remove();
  }
}, 300_000);
