import { join } from 'node:path';
import { type Bundle, bundleInto } from '../../../infra/bundle/bundle.ts';
import { table } from '../../table.ts';
import { FORMATS } from '../parts/events.ts';
import { type Built, build, coldStarts, OUT, run } from './starts.ts';

const variants = join(import.meta.dirname, '../variants');
const fixed = (value: number, digits = 2): string => value.toFixed(digits);

const VARIANTS = {
  flow: 'resource-api',
  hono: 'Hono',
};

/** Functions on a stubbed data layer: bundle, cold start and warm CPU time, with the ratio to this service. */
export async function functions(): Promise<string> {
  const names = Object.keys(VARIANTS) as (keyof typeof VARIANTS)[];
  const built: Built[] = [];
  for (const name of names) built.push(await build(name, join(variants, `${name}.mjs`)));
  const starts = coldStarts(
    built.map(({ path }) => [path]),
    9,
  );
  const warm = built.map(({ path }) => run<Record<string, number>>('warm.mjs', [path]));
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
  return `${table(heads, rows)}\n\nEvery variant reads through the same stubbed client of DynamoDB, so each bundle contains it. Hono sends a bare JSON body, without entity tags, conditions, negotiation, problem details and links.`;
}

/** The time of the first request in each format, which loads the parser or the pages. */
export async function formats(): Promise<string> {
  const built = await bundleInto(join(OUT, 'formats'), join(variants, 'flow.mjs'));
  const names = Object.keys(FORMATS);
  const starts = coldStarts(
    names.map((name) => [join(built.directory, 'index.js'), name]),
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
  const beside = [
    'shared/pages/page.ts',
    'node_modules/saxes/saxes.js',
    'node_modules/@fastify/busboy/deps/dicer/lib/Dicer.js',
  ].map((path) => `${path} ${besideKilobytes(built, path)} KB`);
  const heads = ['first request', 'import, ms', 'first call, ms', '× JSON'];
  return `${table(heads, rows)}\n\nThese modules have files of their own, and other requests do not load them: ${beside.join(', ')}. S3 holds the OpenAPI document and the documentation page.`;
}

/** The size of the file that contains a module. */
const besideKilobytes = ({ chunks }: Bundle, path: string): string =>
  fixed((chunks.find(({ modules }) => modules.includes(path))?.bytes ?? 0) / 1024, 0);
