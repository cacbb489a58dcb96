import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { PEERS } from '../peers/peers.ts';
import { type Result, tallyOf } from '../result.ts';
import { statements } from '../suite/statements.ts';
import { type Bar, chart } from './chart.ts';
import { document } from './document.ts';

const DOCS = join(import.meta.dirname, '../../../docs');

/** The charts: file, title, unit, the value of a peer, and which bar is on top. */
const CHARTS = [
  [
    'score',
    'Statements met',
    ` of ${statements.length}`,
    (peer: Result['peers'][string]) => tallyOf(peer).met,
    'longest',
  ],
  ['get', 'GET of an item', ' /s', ({ judged }: Result['peers'][string]) => judged?.figures.get, 'longest'],
  [
    'post',
    'POST of an item',
    ' /s',
    ({ judged }: Result['peers'][string]) => judged?.figures.post,
    'longest',
  ],
  [
    'start',
    'Start: shorter is better',
    ' ms',
    ({ judged }: Result['peers'][string]) => judged?.figures.start,
    'shortest',
  ],
  [
    'memory',
    'Memory after the load: less is better',
    ' MB',
    ({ judged }: Result['peers'][string]) => judged?.figures.memory,
    'shortest',
  ],
] as const;

/** Writes docs/comparison.md and its charts from a result. The same result gives the same files. */
export function write(result: Result): void {
  const [processor] = cpus();
  const machine = `${cpus().length} cores (${processor?.model.trim()}), Node ${process.versions.node}`;
  writeFileSync(join(DOCS, 'comparison.md'), document(result, machine));
  const folder = join(DOCS, 'comparison');
  mkdirSync(folder, { recursive: true });
  const [service] = Object.keys(PEERS);
  for (const [file, title, unit, of, best] of CHARTS) {
    const bars = Object.entries(PEERS).map(([id, { name }]): Bar => {
      const peer = result.peers[id];
      const value = peer?.judged && of(peer);
      const label = value === undefined ? 'not run' : `${Math.round(value)}${unit}`;
      return { name, value, label, isOurs: id === service };
    });
    writeFileSync(join(folder, `${file}.svg`), chart(title, bars, best));
  }
}
