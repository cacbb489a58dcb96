import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { clientOf } from '../support/client/client.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { Observer } from './observer.ts';
import { createdAtOnce, removedAtOnce, replacedAtOnce } from './scenarios/bulk.ts';
import { file, filesAtOnce } from './scenarios/files.ts';
import { changed, created } from './scenarios/items.ts';
import { ordered } from './scenarios/orders.ts';
import { untilGone, Writer } from './sent-request.ts';

/**
 * Kills the whole service while operations are accepted, running and being canceled. After a restart, each
 * operation ends, and its effect happened once. KILL_ROUNDS sets the number of rounds, and SEED repeats them. Each
 * round has its own service and random numbers, so ROUND alone repeats one round.
 */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const ONLY = process.env.ROUND === undefined ? undefined : Number(process.env.ROUND);
const WRITERS = 6;
const SCENARIOS = [
  created,
  changed,
  createdAtOnce,
  replacedAtOnce,
  removedAtOnce,
  ordered,
  file,
  filesAtOnce,
];

const seedOf = (round: number, stream: number) => (SEED + round * 7919 + stream * 104_729) % 2 ** 31;

/** Sends the requests of one writer until the service is gone. */
function write(writer: Writer, name: string): Promise<void> {
  let turn = 0;
  return untilGone(async () => {
    turn += 1;
    const scenario = SCENARIOS[writer.whole(0, SCENARIOS.length - 1)] as (typeof SCENARIOS)[number];
    await scenario(writer, `${name}-${turn}`);
  });
}

/** Deletes all customers by an operation that survives a kill. */
async function clear(
  world: Observer,
  service: Run,
  restart: () => Promise<Observer>,
  after: number,
): Promise<void> {
  const before = await world.all('/customers?limit=1000');
  const { status, headers } = await world.client('DELETE', '/customers', {
    headers: { Prefer: 'respond-async' },
  });
  expect(status).toBe(202);
  await new Promise((later) => setTimeout(later, after));
  await service.stop('SIGKILL');
  const restarted = await restart();
  await restarted.settle();
  const operation = restarted.operationOf({
    request: 'DELETE /customers',
    mayFail: [],
    operation: headers.location,
  });
  const left = await restarted.all('/customers?limit=1000');
  expect([operation?.status, operation?.progress.done, left]).toEqual(['Succeeded', before.length, []]);
}

describe(`operations of a service that is killed in ${ROUNDS} rounds (SEED=${SEED})`, () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (ONLY !== undefined && round !== ONLY) continue;
    test(`end once in round ${round}`, async () => {
      const next = randomNumbers(seedOf(round, 0));
      const { directory, remove } = await temporary();
      let service: Run | undefined;
      /** Runs of 31 s leave 1 s before the rest continues in a new message. */
      const start = async (killAfter?: number) => {
        const environment = { LEASE_SECONDS: '1', ...(next() < 0.5 ? { RUN_SECONDS: '31' } : {}) };
        service = await run({ directory: join(directory, 'data'), environment, killAfter });
        return service;
      };
      const started = async () => {
        const { url, output } = await start();
        if (url === undefined) throw new Error(output());
        return new Observer(clientOf(url));
      };
      try {
        const { client } = await started();
        const writers = Array.from(
          { length: WRITERS },
          (_, at) => new Writer(client, randomNumbers(seedOf(round, at + 1))),
        );
        const writing = writers.map((writer, at) => write(writer, `${round}-${at}`));
        await new Promise((later) => setTimeout(later, 100 + next() * 3500));
        await service?.stop('SIGKILL');
        await Promise.all(writing);
        // Kill the service again while it starts or recovers.
        for (let again = Math.floor(next() * 3); again > 0; again -= 1)
          await (await start(200 + next() * 2500)).ended;
        const world = await started();
        await world.settle();
        for (const { deeds, checks } of writers) {
          world.expectReasons(deeds);
          for (const check of checks) await check(world);
        }
        await clear(world, service as Run, started, next() * 700);
      } catch (error) {
        throw new Error(`SEED=${SEED} ROUND=${round}\n${service?.output()}`, { cause: error });
      } finally {
        await service?.stop('SIGKILL');
        await remove();
      }
    }, 180_000);
  }
});
