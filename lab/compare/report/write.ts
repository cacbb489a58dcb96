import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { PEERS } from '../peers/peers.ts';
import { type Result, tallyOf } from '../result.ts';
import { statements } from '../suite/statements.ts';
import { type Bar, chart } from './chart.ts';
import { document } from './document.ts';

const DOCS = join(import.meta.dirname, '../../../docs');

/** The charts: file, title, unit, and the value of a peer. */
const CHARTS = [
  [
    'score',
    'Statements met',
    ` of ${statements.length}`,
    (peer: Result['peers'][string]) => tallyOf(peer).met,
  ],
  ['get', 'GET of an item', ' /s', ({ judged }: Result['peers'][string]) => judged?.figures.get],
  ['post', 'POST of an item', ' /s', ({ judged }: Result['peers'][string]) => judged?.figures.post],
  [
    'start',
    'Start: shorter is better',
    ' ms',
    ({ judged }: Result['peers'][string]) => judged?.figures.start,
  ],
  [
    'memory',
    'Memory after the load: less is better',
    ' MB',
    ({ judged }: Result['peers'][string]) => judged?.figures.memory,
  ],
] as const;

/** Writes docs/comparison.md and its charts from a result. The same result gives the same files. */
export function write(result: Result): void {
  const [processor] = cpus();
  const machine = `${cpus().length} cores (${processor?.model.trim()}), Node ${process.versions.node}`;
  writeFileSync(join(DOCS, 'comparison.md'), document(result, machine));
  const folder = join(DOCS, 'comparison');
  mkdirSync(folder, { recursive: true });
  for (const [file, title, unit, of] of CHARTS) {
    const bars = Object.entries(PEERS).map(([id, { name }]): Bar => {
      const peer = result.peers[id];
      const value = peer?.judged && of(peer);
      return { name, value, label: value === undefined ? 'not run' : `${Math.round(value)}${unit}` };
    });
    writeFileSync(join(folder, `${file}.svg`), chart(title, bars));
  }
}
