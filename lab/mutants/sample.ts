import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { randomNumbers } from '../../test/support/random-numbers.ts';
import { UserError } from '../../tools/user-error.ts';
import { linesIn, sampleOf } from './changed-lines.ts';

/**
 * `npm run lab -- sample REVISION` draws changed lines of the product since a revision, for a person who breaks each of
 * them: docs/mutants.md. `--seed` repeats a draw.
 */
const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    count: { type: 'string', default: '20' },
  },
  allowPositionals: true,
});
const [since] = positionals;
if (since === undefined)
  throw new UserError('Name the revision of the last sample: npm run lab -- sample v0.2.0');

const PRODUCT = ['api', 'functions', 'infra', 'local', 'openapi', 'pages', 'service', 'shared', 'tools'];
const diff = execFileSync(
  'git',
  ['diff', '--unified=0', since, '--', ...PRODUCT.map((one) => `${one}/*.ts`)],
  {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  },
);
const lines = linesIn(diff);
console.log(`${lines.length} lines with code have changed since ${since}. Seed: ${values.seed}\n`);
for (const line of sampleOf(lines, Number(values.count), randomNumbers(Number(values.seed))))
  console.log(line);
