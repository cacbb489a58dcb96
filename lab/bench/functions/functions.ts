import { join } from 'node:path';
import { type Bundle, bundleInto } from '../../../infra/bundle/bundle.ts';
import { table } from '../../table.ts';
import { FORMATS } from '../parts/events.ts';
import { build, coldStarts, OUT, run } from './starts.ts';

const variants = join(import.meta.dirname, '../variants');
const fixed = (value: number, digits = 2): string => value.toFixed(digits);

/** The function of members on a stubbed client of DynamoDB: its bundle, and the warm CPU time of each event. */
export async function functions(): Promise<string> {
  const { path, bytes } = await build('flow', join(variants, 'flow.mjs'));
  const warm = Object.entries(run<Record<string, number>>('warm.mjs', [path]));
  const [, item = 1] = warm[0] ?? [];
  const rows = warm.map(([event, time]) => [event, fixed(time, 1), fixed(time / item)]);
  const sizes = `The bundle with the client has ${fixed(bytes / 1024, 0)} KB.`;
  return `${table(['event', 'µs CPU', '×'], rows)}\n\n${sizes}`;
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
