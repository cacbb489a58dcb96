import { execSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run bench` runs all benchmarks in one run on one machine, because only the ratios are reliable. It prints its
 * tables and writes docs/benchmarks.md. It installs its peers on first use.
 */
const here = import.meta.dirname;
if (!existsSync(join(here, 'node_modules'))) {
  console.log('Installing the peers of the benchmark …');
  execSync('npm ci --no-audit --no-fund', { cwd: here, stdio: 'inherit' });
}

const { bundles, coldWithSdk, formats, functions } = await import('./parts/functions.ts');
const { units } = await import('./parts/units.ts');
const { memory, servers } = await import('./parts/servers.ts');
const { costs } = await import('./parts/operations.ts');
const { bulkMemory, operationTimes } = await import('./parts/times.ts');
const { registry } = await import('../../functions/registry.ts');

const sections: string[] = [];
function section(title: string, text: string): void {
  console.log(`\n## ${title}\n\n${text}`);
  sections.push(`## ${title}\n\n${text}\n`);
}

section('Functions on a stubbed data layer', functions());
section('Cold start with the SDK', coldWithSdk());
section('The first request in each format', formats());
section('The bundle of each function', bundles(registry.map(({ name }) => name)));
const { requests, pages } = await units([1000, 20_000]);
section('DynamoDB operations and capacity units per request', requests);
section('Units per page', pages);
section('The cost of operations and bulk requests', await costs([10, 100, 1000, 10_000]));
section('Servers on this machine', await servers());
section('Memory of npm start', await memory());
const { latency, throughput } = await operationTimes();
section('The latency of a small operation', latency);
section('The throughput of operations', throughput);
section('The memory of bulk operations', await bulkMemory(100_000));

const [processor] = cpus();
writeFileSync(
  join(here, '../../docs/benchmarks.md'),
  [
    '# Benchmarks',
    '',
    `Written by \`npm run bench\` on Node ${process.versions.node}, ${cpus().length} cores (${processor?.model.trim()}). One run on one`,
    'machine measures all times, so compare the ratios (×) and not the absolute values. The embedded DynamoDB counts',
    'units by AWS’s published rules.',
    '',
    ...sections,
  ].join('\n'),
);
process.exit(0);
