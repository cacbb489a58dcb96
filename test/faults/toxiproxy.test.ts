import { afterAll, beforeAll, test } from '@jest/globals';
import { collectLog } from '../engines/collected-log.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { describeUnless } from '../support/skips/describe-unless.ts';
import { type Harness, startHarness } from './harness.ts';
import { bulk } from './scenarios/bulk.ts';
import { files } from './scenarios/files.ts';
import { operations } from './scenarios/operations.ts';
import { requests } from './scenarios/requests.ts';
import { isInstalled, TOXICS, Toxiproxy } from './toxiproxy.ts';

/**
 * The same faults over real connections, through Toxiproxy. The service has its deployed time-outs and attempts.
 * FAULTS=all tries every toxic on every scenario. Otherwise SEED chooses one for each.
 */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const ALL = process.env.FAULTS === 'all';
const toxics = Object.keys(TOXICS) as (keyof typeof TOXICS)[];
const next = randomNumbers(SEED);
const cases = [...requests, ...files, ...operations, ...bulk].flatMap(([about, prepare]) =>
  (ALL ? toxics : [toxics[Math.floor(next() * toxics.length)] as keyof typeof TOXICS]).map(
    (toxic) => [about, toxic, prepare] as const,
  ),
);

/* go install github.com/Shopify/toxiproxy/v2/cmd/server@latest, and name it by TOXIPROXY_SERVER. */
describeUnless(isInstalled() ? undefined : 'needs Toxiproxy', `Toxiproxy (SEED=${SEED})`, () => {
  const proxy = new Toxiproxy();
  let current: Harness;
  let tags = 0;

  beforeAll(async () => {
    collectLog();
    current = await startHarness(proxy.to);
  });
  afterAll(() => current.close());

  test.each(cases)(
    '%s: %s',
    async (_about, toxic, prepare) => {
      tags += 1;
      const { act, verify: expectEffect } = await prepare(current, `toxic-${tags}`);
      await proxy.poison(toxic);
      try {
        await act();
      } finally {
        await current.settle();
      }
      await expectEffect();
    },
    120_000,
  );
});
