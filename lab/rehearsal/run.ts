import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checks } from '../../test/support/checks.ts';
import { temporary } from '../../test/support/service/service.ts';
import { type Assembly, synthesize } from './cdk.ts';
import { installPython } from './install.ts';
import type { Given, Part } from './part.ts';

/**
 * `npm run tool -- rehearsal [PART…]` tests a deployment without an AWS account. It checks the templates of several
 * contexts with cdk-nag and cfn-lint. It then deploys the default template to moto, checks the resources and destroys
 * them. It needs python3 with venv.
 */
const PARTS = ['templates', 'deployment'];

interface Row {
  readonly name: string;
  readonly about: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
}

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. The parts are: ${PARTS.join(', ')}`);
  process.exit(2);
}

installPython();
const { directory: folder, remove } = await temporary();
let assembly: Promise<Assembly> | undefined;
const shared: Omit<Given, 'check'> = {
  folder,
  defaults: () => {
    assembly ??= synthesize(join(folder, 'defaults'), {});
    return assembly;
  },
};
const rows: Row[] = [];
for (const name of positionals.length > 0 ? positionals : PARTS) rows.push(await row(name));
await remove();

const width = (pick: (row: Row) => string) => Math.max(...rows.map((one) => pick(one).length));
const [names, abouts] = [width(({ name }) => name), width(({ about }) => about)];
console.log();
for (const { name, about, passed, failed, seconds } of rows) {
  const counts = `${String(passed).padStart(4)} passed ${String(failed).padStart(4)} failed`;
  console.log(`${name.padEnd(names)}  ${about.padEnd(abouts)} ${counts}  ${seconds} s`);
}
const [passed, failed] = [sum(({ passed }) => passed), sum(({ failed }) => failed)];
console.log(`\nTests: ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a part. An error outside of a check counts as a failed check. */
async function row(name: string): Promise<Row> {
  console.log(`\n${name}`);
  const { part } = (await import(`./parts/${name}.ts`)) as { part: Part };
  const start = performance.now();
  const { done, check } = checks();
  try {
    await part.run({ ...shared, check });
  } catch (error) {
    await check('runs to its end', () => Promise.reject(error));
  }
  const bad = done.filter(({ failure }) => failure !== undefined).length;
  const seconds = Math.round((performance.now() - start) / 1000);
  return { name, about: part.about, passed: done.length - bad, failed: bad, seconds };
}

function sum(pick: (row: Row) => number): number {
  return rows.reduce((total, one) => total + pick(one), 0);
}
