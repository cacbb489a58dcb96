import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundle, bundleInto, ON_DEMAND, OPTIONS } from '../../../infra/bundle/bundle.ts';
import { table } from '../table.ts';
import { FORMATS } from './events.ts';

const here = import.meta.dirname;
const out = join(here, '../../../.build/bench');

/** Bundles a variant like the service's own functions. Returns its path and its size in bytes. */
function build(variant: string): { path: string; bytes: number } {
  mkdirSync(out, { recursive: true });
  const path = join(out, `${variant}.cjs`);
  const entryPoints = [join(here, `../variants/${variant}.mjs`)];
  const { metafile } = buildSync({
    ...OPTIONS,
    entryPoints,
    outfile: path,
    external: Object.keys(ON_DEMAND),
  });
  return { path, bytes: Object.values(metafile?.outputs ?? {})[0]?.bytes ?? 0 };
}

const run = <T>(script: string, ...args: readonly string[]): T =>
  JSON.parse(execFileSync(process.execPath, [join(here, script), ...args], { encoding: 'utf8' })) as T;

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
const fixed = (value: number, digits = 2): string => value.toFixed(digits);

/** Cold starts of several bundles in new processes. They alternate, so that a slow minute affects all. */
function cold(
  starts: readonly (readonly string[])[],
  rounds: number,
): { load: number; first: number; both: number }[] {
  const seen = starts.map(() => ({ load: [] as number[], first: [] as number[], both: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, start] of starts.entries()) {
      const { load, first } = run<{ load: number; first: number }>('cold.mjs', ...start);
      seen[at]?.load.push(load);
      seen[at]?.first.push(first);
      seen[at]?.both.push(load + first);
    }
  }
  return seen.map(({ load, first, both }) => ({
    load: median(load),
    first: median(first),
    both: median(both),
  }));
}

const VARIANTS = {
  flow: 'resource-api',
  bare: 'bare handler',
  middy: 'Middy alone',
  hono: 'Hono',
  powertools: 'Powertools event-handler',
  fastify: 'Fastify',
};

/** Functions on a stubbed data layer: bundle, cold start and warm CPU time, with the ratio to this service. */
export function functions(): string {
  const names = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[];
  const built = names.map(build);
  const starts = cold(
    built.map(({ path }) => [path]),
    9,
  );
  const warm = built.map(({ path }) => run<Record<string, number>>('warm.mjs', path));
  const events = Object.keys(warm[0] ?? {});
  const [own] = warm;
  const rows = names.map((name, at) => [
    VARIANTS[name],
    fixed((built[at]?.bytes ?? 0) / 1024, 0),
    fixed(starts[at]?.both ?? 0, 1),
    fixed((starts[at]?.both ?? 0) / (starts[0]?.both ?? 1)),
    ...events.flatMap((event) => {
      const time = warm[at]?.[event] ?? 0;
      return [fixed(time, 1), fixed(time / (own?.[event] ?? 1))];
    }),
  ]);
  const heads = [
    'variant',
    'KB',
    'import + first call, ms',
    '×',
    ...events.flatMap((event) => [`${event}, µs CPU`, '×']),
  ];
  return `${table(heads, rows)}\n\nEvery variant reads through the same stubbed SDK client, so each bundle contains it. Peers send a bare JSON body, without entity tags, conditions, negotiation, problem details and links.`;
}

/** Cold start with the real SDK client, including signing and parsing, compared with Middy and the same client. */
export function coldWithSdk(): string {
  const [flow, middy] = [build('sdk-flow'), build('sdk-middy')];
  const [own, bare] = cold([[flow.path], [middy.path]], 15);
  const row = (name: string, bytes: number, start: typeof own) => [
    name,
    fixed(bytes / 1024, 0),
    fixed(start?.load ?? 0, 1),
    fixed(start?.first ?? 0, 1),
    fixed(start?.both ?? 0, 1),
    fixed((start?.both ?? 0) / (bare?.both ?? 1)),
  ];
  return table(
    ['variant', 'KB', 'import, ms', 'first call, ms', 'both, ms', '×'],
    [row('bare Middy + client-dynamodb', middy.bytes, bare), row('resource-api, members', flow.bytes, own)],
  );
}

/** The time of the first request in each format, which loads the parser or the pages. */
export function formats(): string {
  const { directory } = bundleInto(join(out, 'formats'), join(here, '../variants/flow.mjs'));
  const names = Object.keys(FORMATS);
  const starts = cold(
    names.map((name) => [join(directory, 'index.js'), name]),
    9,
  );
  const json = (name: string) =>
    starts[names.indexOf(name.startsWith('GET') ? 'GET item as JSON' : 'POST of JSON')];
  const rows = names.map((name, at) => [
    name,
    fixed(starts[at]?.load ?? 0, 1),
    fixed(starts[at]?.first ?? 0, 1),
    fixed((starts[at]?.both ?? 0) / (json(name)?.both ?? 1)),
  ]);
  const beside = ['#pages', 'saxes', '@fastify/busboy'].map(
    (name) => `${name} ${besideKilobytes(directory, name)} KB`,
  );
  const heads = ['first request', 'import, ms', 'first call, ms', '× JSON'];
  return `${table(heads, rows)}\n\nThese modules are outside the bundle, and other requests do not load them: ${beside.join(', ')}. S3 holds the OpenAPI document and the documentation page.`;
}

const besideKilobytes = (directory: string, name: string): string => {
  const file = name.startsWith('#') ? `${name.slice(1)}.js` : join('node_modules', name, 'index.js');
  return fixed(statSync(join(directory, file)).size / 1024, 0);
};

/** The bundle of each function. */
export function bundles(resources: readonly string[]): string {
  const rows = resources.map((name) => {
    const { bytes, metafile } = bundle(name);
    const inputs = Object.keys(metafile.inputs);
    const holds = (client: string) =>
      inputs.some((path) => path.includes(`@aws-sdk/${client}/`)) ? 'yes' : '';
    return [name, fixed(bytes / 1024, 0), holds('client-dynamodb'), holds('client-s3'), holds('client-sqs')];
  });
  return table(['function', 'KB, minified', 'DynamoDB', 'S3', 'SQS'], rows);
}
