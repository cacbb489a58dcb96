import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { command } from '../support/service/command.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

/**
 * Kills the service while it writes, counts totals and counts them anew. ITEMS sets how many items it makes, KILL_ROUNDS how
 * often it is killed, and SEED repeats a run.
 */
const ITEMS = Number(process.env.ITEMS ?? 4_000);
const KILLS = Number(process.env.KILL_ROUNDS ?? 6);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const AT_ONCE = 100;
const next = randomNumbers(SEED);
const ROOT = join(import.meta.dirname, '../..');

const sale = () => ({
  ...(next() < 0.1 ? {} : { region: next() < 0.5 ? 'north' : 'south' }),
  day: `2026-01-${String(1 + Math.floor(next() * 28)).padStart(2, '0')}`,
  value: Math.floor(next() * 1_000_000) / 100 - 5000,
  pieces: Math.floor(next() * 9),
});

interface Sale {
  readonly id: number;
  readonly status: string;
  readonly region?: string;
  readonly value?: number;
  readonly pieces?: number;
}

/** Changes some items of a page: replaces, removes and closes them. A killed service answers some of these never. */
async function change(send: Client, page: readonly Sale[]): Promise<void> {
  const [first, second, ...others] = page;
  await Promise.allSettled([
    ...(first ? [send('DELETE', `/sales/${first.id}`)] : []),
    ...(second ? [send('POST', `/sales/${second.id}/close`)] : []),
    send('PUT', '/sales', { json: others.slice(0, 40).map(({ id }) => ({ id, ...sale() })) }),
  ]);
}

/** Writes until it has made this many items. */
async function write(send: Client, items: number): Promise<void> {
  for (let made = 0; made < items; made += 4 * AT_ONCE) {
    const page = await send('GET', `/sales?limit=${AT_ONCE}&sort=${next() < 0.5 ? '-' : ''}createdAt`);
    const creations = Array.from({ length: 4 }, () =>
      send('POST', '/sales', { json: Array.from({ length: AT_ONCE }, sale) }),
    );
    await Promise.allSettled([...creations, change(send, page.json().items as never)]);
  }
}

/** The totals of all items, by SQLite. */
async function judged(send: Client): Promise<readonly object[]> {
  const judge = new DatabaseSync(':memory:');
  judge.exec('CREATE TABLE sales (id PRIMARY KEY, status, region, cents INTEGER, pieces INTEGER)');
  const insert = judge.prepare('INSERT INTO sales VALUES (?, ?, ?, ?, ?)');
  for (let path = '/sales?limit=1000&sort=id'; path !== ''; ) {
    const page = (await send('GET', path)).json();
    for (const { id, status, region, value = 0, pieces = 0 } of page.items as unknown as Sale[])
      insert.run(id, status, region ?? null, Math.round(value * 100), pieces);
    path = page.links.find(({ rel }: { rel: string }) => rel === 'next')?.href ?? '';
  }
  const rows = judge
    .prepare(
      'SELECT status, region, COUNT(*) AS count, SUM(cents) AS cents, SUM(pieces) AS pieces FROM sales GROUP BY 1, 2 ORDER BY 1, region IS NULL, 2',
    )
    .all();
  judge.close();
  return rows.map((row) => ({ ...row }));
}

async function counted(send: Client): Promise<readonly object[]> {
  const answer = await send('GET', '/sales/totals?by=status,region&sum=value,pieces');
  expect(answer.json()).toHaveProperty('asOf');
  return (answer.json().items as unknown as (Sale & { count: number; sum: Sale })[]).map(
    ({ status, region, count, sum: { value = 0, pieces } }) => ({
      status,
      region: region ?? null,
      count,
      cents: Math.round(value * 100),
      pieces,
    }),
  );
}

// Specification 4.30
test(`kept totals of ${ITEMS} items are those of SQLite after random writes, ${KILLS} kills and a backfill (SEED=${SEED})`, async () => {
  const { directory, remove } = await temporary();
  const data = join(directory, 'data');
  const environment = { ...withFixture('ruled'), LEASE_SECONDS: '0.5', INVENTORY_SECONDS: '0.05' };
  let service: Run | undefined;
  const started = async (): Promise<Client> => {
    service = await run({ directory: data, args: ['--empty'], environment });
    if (service.url === undefined) throw new Error(service.output());
    return clientOf(service.url);
  };
  const backfill = async () => {
    const { code, log } = await command(process.execPath, ['tools/command/bin.ts', 'backfill', 'sales'], {
      cwd: ROOT,
      env: { ...process.env, ...environment, DATA_DIR: data },
    });
    expect([code, log]).toEqual([0, expect.any(String)]);
  };
  const expectEqual = async (send: Client) => {
    const expected = await judged(send);
    expect(expected.length).toBeGreaterThan(3);
    await eventually(async () => expect(await counted(send)).toEqual(expected), 250, 240_000);
  };
  try {
    let send = await started();
    for (let kills = 0; kills < KILLS; kills += 1) {
      // The second half begins while all items are counted anew.
      if (kills === Math.floor(KILLS / 2)) await backfill();
      const writing = write(send, ITEMS / KILLS).catch(() => undefined);
      const pause = new Promise((done) => setTimeout(done, next() * 1500));
      await Promise.race([writing, pause]);
      await service?.stop('SIGKILL');
      await writing;
      send = await started();
      await write(send, ITEMS / KILLS);
    }
    await expectEqual(send);
    await backfill();
    await write(send, 4 * AT_ONCE);
    await expectEqual(send);
  } finally {
    await service?.stop('SIGKILL');
    await remove();
  }
}, 1_200_000);
