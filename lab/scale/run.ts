import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { concurrently } from '../../shared/concurrency/concurrently.ts';
import { measure } from './items/measure.ts';
import type { Result, Simulated } from './result.ts';
import {
  BACKLOGS,
  DEFAULTS,
  drainApart,
  loadOf,
  RATES,
  recommendedFor,
  simulateApart,
} from './simulator/scenarios.ts';

/**
 * `npm run lab -- scale` measures requests at a thousand and a million items, simulates loads, and writes docs/scale.md with
 * its curves. `--items N` and `--local N` set the items of the embedded store and of DynamoDB Local. `--measure` and
 * `--simulate` run one half, and take the other from the last run. `--write` writes the page alone.
 */
const BUILD = join(import.meta.dirname, '../../.build/scale');
const RESULT = join(BUILD, 'result.json');
const FEW = 1000;
/** Simulations at the same time. */
const TOGETHER = 2;
/** The share of lists in the reads of the last load, so that no end of a list is too hot. */
const FEWER_LISTS = 0.05;

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '1000000' },
    local: { type: 'string', default: '100000' },
    measure: { type: 'boolean', default: false },
    simulate: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const recorded = (): Result => (existsSync(RESULT) ? JSON.parse(readFileSync(RESULT, 'utf8')) : {});
const record = (found: Result): void =>
  writeFileSync(RESULT, JSON.stringify({ ...recorded(), ...found }, undefined, 1));

async function simulateAll(): Promise<void> {
  const most = RATES.at(-1) ?? 0;
  const loads: readonly Omit<Simulated, 'outcome'>[] = [
    ...RATES.flatMap((rate) => [
      { kind: 'defaults', load: loadOf(rate, DEFAULTS) } as const,
      { kind: 'options', load: loadOf(rate, { ...DEFAULTS, ...recommendedFor(rate) }) } as const,
    ]),
    {
      kind: 'fewer lists',
      load: { ...loadOf(most, { ...DEFAULTS, ...recommendedFor(most) }), lists: FEWER_LISTS },
    },
  ];
  const found = await concurrently(TOGETHER, loads, async (one) => {
    const outcome = await simulateApart(one.load);
    console.error(
      `${one.load.rate} requests a second, ${one.kind}: ${(100 * outcome.first).toFixed(1)} % at once`,
    );
    return { ...one, outcome };
  });
  const logs = await concurrently(TOGETHER, BACKLOGS, async (backlog) => ({
    backlog,
    outcome: await drainApart(backlog),
  }));
  record({ simulated: found, drained: logs });
}

async function measureAll(): Promise<void> {
  const embedded = await measure('embedded', [FEW, Number(values.items)]);
  const local = await measure('DynamoDB Local', [FEW, Number(values.local)]);
  record({ items: [embedded, local] });
}

mkdirSync(BUILD, { recursive: true });
const isWhole = !values.measure && !values.simulate && !values.write;
if (isWhole || values.measure) await measureAll();
if (isWhole || values.simulate) await simulateAll();
const { write } = await import('./write.ts');
write(recorded());
process.exit();
