import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { packageIn } from '../../tools/packages.ts';

/**
 * `npm run bench` runs all benchmarks in one run on one machine, because only the ratios are reliable. It prints its
 * tables and writes docs/benchmarks.md. It installs its packages on first use.
 */
const here = import.meta.dirname;
packageIn(here);

const { coldStart } = await import('./functions/cold-start.ts');
const { writeWithHistory } = await import('./functions/history.ts');
const { limitsTable } = await import('./limits.ts');
const { follow } = await import('./servers/follow.ts');
const { memory } = await import('./servers/memory.ts');
const { servers } = await import('./servers/tables.ts');

const sections: string[] = [];
function section(title: string, text: string): void {
  console.log(`\n## ${title}\n\n${text}`);
  sections.push(`## ${title}\n\n${text}\n`);
}

const start = await coldStart();
section('Cold start with a connection to DynamoDB', start.text);
const server = await servers();
section('Requests to npm start', server.text);
const limits = limitsTable([
  ...start.limits,
  ...server.limits,
  await writeWithHistory(),
  await follow(),
  await memory(),
]);
section(
  'Limits',
  `${limits}\n\nA measured value fails no check, because machines differ. Tests hold the sizes of bundles. \`npm run cost\` prints the limits of units and prices, and \`npm run check\` fails above them ([docs/cost.md](cost.md)).`,
);

const [processor] = cpus();
writeFileSync(
  join(here, '../../docs/benchmarks.md'),
  [
    '# Benchmarks',
    '',
    `Written by \`npm run bench\` on Node ${process.versions.node}, ${cpus().length} cores (${processor?.model.trim()}). One run on one`,
    'machine measures all times, so compare the ratios (×) and not the absolute values. [cost.md](cost.md) has the units',
    'that DynamoDB bills.',
    '',
    ...sections,
  ].join('\n'),
);
process.exit(0);
