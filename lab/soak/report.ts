import { cpus } from 'node:os';
import { table } from '../table.ts';
import { CLIENTS } from './clients.ts';
import type { Overloaded } from './overload.ts';
import type { Soaked } from './soak.ts';
import { growth } from './watch.ts';

/** The page docs/soak.md. `minutes`: the length of the soak. */
export function report(minutes: number, soaked: Soaked, overloaded: Overloaded): string {
  const { samples, calm, kills, counts, writes } = soaked;
  const megabytes = samples.map(({ memory }) => memory);
  const clients = CLIENTS.map(([name, , count]) => `${count} ${name}`).join(', ');
  return `# Soak and overload

Written by \`npm run lab -- soak --minutes ${minutes} --write\` on Node ${process.versions.node}, ${cpus().length} cores. \`.ci/run\` runs ten
minutes of it.

## Soak

Clients send requests to \`npm start\`: ${clients}.
Each client repeats a request until the service acknowledges it. "restorations" removes and restores items. Every five
seconds, an operator exports the products, removes one and imports it again, and makes the worker compare all files with
their list. A \`SIGKILL\` ends the service each minute of the first
part, and the service starts again on the same data. No kill ends it in the last part, which shows whether memory and
handles grow. At the end, the service has each acknowledged write once and no other item, no operation is pending, and the
followers of \`/changes\` got each version once and in order.

${table(
  ['what', 'value'],
  [
    ['minutes', String(minutes)],
    ['kills', String(kills.length)],
    ['answers', counts.answers.toLocaleString('en')],
    ['requests that a kill cut', counts.cut.toLocaleString('en')],
    ['requests that got 503 with Retry-After', counts.refused.toLocaleString('en')],
    ['acknowledged writes', writes.toLocaleString('en')],
    ['most memory, MB', Math.max(...megabytes).toFixed(0)],
    [
      'memory of the last third ÷ the middle third, without kills',
      growth(calm.map(({ memory }) => memory)).toFixed(2),
    ],
    ['handles of the last third ÷ the middle third', growth(calm.map(({ handles }) => handles)).toFixed(2)],
  ],
)}

![Answers a second, memory and handles. The dotted lines are kills.](soak.svg)

## Overload

2,000 requests run at the same time, ten times as many as the local gateway admits. 2,000 connections are idle, 50
clients ask for large pages and read nothing, and 50 clients send a byte of their body each second.

${table(
  ['what', 'value'],
  [
    ['requests that created an item', overloaded.created.toLocaleString('en')],
    ['requests that got 503 with Retry-After', overloaded.refused.toLocaleString('en')],
    ['requests without an answer', overloaded.cut.toLocaleString('en')],
    ['ms until a read and a write after the flood have answers', overloaded.backMs.toFixed(0)],
  ],
)}
`;
}
