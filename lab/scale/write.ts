import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw, type Plot } from '../curves.ts';
import { page } from './page.ts';
import type { Result, Simulated } from './result.ts';
import { BIN, type Bin } from './simulator/simulate.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const NAMES = {
  defaults: 'without options',
  options: 'with the options',
  'fewer lists': 'with the options, fewer lists',
} as const satisfies Record<Simulated['kind'], string>;
const STATUSES = ['ok', '429', '503', '500'] as const;

/** Writes docs/scale.md and its curves from a result. The same result gives the same files. */
export function write(result: Result): void {
  writeFileSync(join(DOCS, 'scale.md'), page(result));
  const folder = join(DOCS, 'scale');
  mkdirSync(folder, { recursive: true });
  for (const [rate, all] of Map.groupBy(result.simulated ?? [], ({ load }) => load.rate))
    writeFileSync(join(folder, `${rate}.svg`), draw(all.flatMap(plotsOf), 'minutes'));
}

function plotsOf({ kind, outcome: { bins } }: Simulated): readonly Plot[] {
  const line = (of: (bin: Bin) => number) => bins.map((bin, at) => [((at + 1) * BIN) / 60, of(bin)] as const);
  const answers = STATUSES.map((name) => ({ name, points: line((bin) => bin.answers[name] ?? 0) }));
  return [
    {
      title: `${NAMES[kind]}: answers a second`,
      lines: answers.filter(({ name, points }) => name === 'ok' || points.some(([, count]) => count > 0)),
    },
    {
      title: `${NAMES[kind]}: ms of ok answers`,
      lines: [
        { name: 'p50', points: line(({ p50 }) => p50) },
        { name: 'p99', points: line(({ p99 }) => p99) },
      ],
    },
  ];
}
