import { parseArgs } from 'node:util';
import { type Check, type Checked, checks } from '../../test/support/checks.ts';
import { installPackages, installPython } from './install.ts';
import type { Part } from './part.ts';
import { startService } from './service.ts';
import { find, packageOf, type Tool } from './tools.ts';

/**
 * `npm run conformance [-- --all] [PART…]` runs third-party suites against the service. Each part gets a service with
 * new data. If the machine lacks a program, its part is skipped; with --all, it fails. `--missing` runs nothing and
 * prints the missing Debian packages.
 */
const PARTS = ['browser', 'ranges', 'httplint', 'varnish', 'openapi', 'schemathesis', 'walks', 'clients'];

interface Row {
  readonly name: string;
  readonly about: string;
  readonly passed: number;
  readonly failed: number;
  readonly note: string;
}

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, missing: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. The parts are: ${PARTS.join(', ')}`);
  process.exit(2);
}

const chosen = positionals.length > 0 ? positionals : PARTS;
installPackages();
if (values.missing) {
  const parts = await Promise.all(chosen.map(partOf));
  console.log([...new Set(parts.flatMap(lacking).map(packageOf))].join(' '));
  process.exit();
}
const rows: Row[] = [];
for (const name of chosen) rows.push(await row(name));

const width = (pick: (row: Row) => string) => Math.max(...rows.map((one) => pick(one).length));
const [names, abouts] = [width(({ name }) => name), width(({ about }) => about)];
console.log();
for (const { name, about, passed, failed, note } of rows) {
  const counts = `${String(passed).padStart(4)} passed ${String(failed).padStart(4)} failed`;
  console.log(`${name.padEnd(names)}  ${about.padEnd(abouts)} ${counts}  ${note}`);
}
const [passed, failed] = [sum(({ passed }) => passed), sum(({ failed }) => failed)];
console.log(`\nTests: ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`);
process.exitCode = failed === 0 ? 0 : 1;

async function partOf(name: string): Promise<Part> {
  return ((await import(`./parts/${name}.ts`)) as { part: Part }).part;
}

/** The programs that a part needs and the machine lacks. */
function lacking(part: Part): Tool[] {
  return part.needs.filter((tool) => find(tool) === undefined);
}

/** Runs a part and returns its row, also if it fails. */
async function row(name: string): Promise<Row> {
  console.log(`\n${name}`);
  const part = await partOf(name);
  const nothing = { name, about: part.about, passed: 0, failed: 0 };
  const missing = lacking(part);
  if (missing.length > 0) {
    const note = `needs ${missing.join(', ')} (apt-get install ${missing.map(packageOf).join(' ')})`;
    return { ...nothing, failed: values.all ? 1 : 0, note: values.all ? note : `skipped: ${note}` };
  }
  const start = performance.now();
  const { done, check } = checks();
  await finished(part, check, done);
  const bad = done.filter(({ failure }) => failure !== undefined).length;
  const seconds = `${Math.round((performance.now() - start) / 1000)} s`;
  return { ...nothing, passed: done.length - bad, failed: bad, note: seconds };
}

/** Runs a part on a new service. An error outside of a check counts as a failed check. */
async function finished(part: Part, check: Check, done: readonly Checked[]): Promise<void> {
  try {
    const python = part.needs.includes('python3') ? find('python3') : undefined;
    if (python !== undefined) installPython(python);
    const service = await startService();
    try {
      await part.run({ service, check });
    } finally {
      await service.stop();
    }
  } catch (error) {
    await check('runs to its end', () => Promise.reject(error));
  }
  if (done.length === 0)
    await check('checks something', () => {
      throw new Error('The part ran no check');
    });
}

function sum(pick: (row: Row) => number): number {
  return rows.reduce((total, one) => total + pick(one), 0);
}
