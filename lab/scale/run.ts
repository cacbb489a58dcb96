import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { drainIsolated, measureIsolated, simulateIsolated } from './isolated.ts';
import type { Items } from './items/measure.ts';
import type { Result, Simulated } from './result.ts';
import { BACKLOGS, DEFAULTS, loadOf, RATES, recommendedFor } from './simulator/scenarios.ts';

/**
 * `npm run lab -- scale` measures requests at a thousand and a million items, simulates loads, and writes docs/scale.md with
 * its curves. `--items N` and `--local N` set the items of the embedded store and of DynamoDB Local. `--simulate` takes
 * the measured requests from the last run, and `--write` everything.
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
    local: { type: 'string', default: '1000000' },
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
  const found = await mapConcurrently(TOGETHER, loads, async (one) => {
    const outcome = await simulateIsolated(one.load);
    console.error(
      `${one.load.rate} requests a second, ${one.kind}: ${(100 * outcome.first).toFixed(1)} % at once`,
    );
    return { ...one, outcome };
  });
  const logs = await mapConcurrently(TOGETHER, BACKLOGS, async (backlog) => ({
    backlog,
    outcome: await drainIsolated(backlog),
  }));
  record({ simulated: found, drained: logs });
}

/** DynamoDB Local takes most of the time to fill its store, with one processor. The other work runs beside it. */
async function runAll(): Promise<void> {
  const others = async (): Promise<Items> => {
    const embedded = await measureIsolated({ store: 'embedded', items: [FEW, Number(values.items)] });
    await simulateAll();
    return embedded;
  };
  const local = measureIsolated({ store: 'DynamoDB Local', items: [FEW, Number(values.local)] });
  record({ items: await Promise.all([others(), local]) });
}

mkdirSync(BUILD, { recursive: true });
if (values.simulate) await simulateAll();
else if (!values.write) await runAll();
const { write } = await import('./write.ts');
write(recorded());
process.exit();
