import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readOptions } from '../../../local/options.ts';
import { temporary } from '../../../test/support/service/service.ts';
import { UserError } from '../../../tools/user-error.ts';
import { JEST, pathsOf, ROOT, SUITE, withOwnServices } from '../../conformance.ts';
import { startApi } from '../api.ts';
import { OUTPUT } from '../template.ts';
import { BRIEF, differences } from './differences.ts';
import { type Ended, verdictOf } from './verdict.ts';

/**
 * `npm run lab -- sam conformance [--brief] [FILE…]` runs the tests of test/conformance on the functions in containers
 * behind SAM. differences.ts lists the tests that fail, each with its reason. Any other failure, and any listed test
 * that passes, is an error. The last line counts. `--brief` runs the files of `BRIEF` in differences.ts.
 */
/** Time-out of a test in ms. A container runs one request at a time, and SAM needs about 20 ms for each. */
const TEST_MS = 60_000;
/** The largest number of characters of a test's message. */
const LONGEST = 1000;
const LOG = join(ROOT, OUTPUT, 'sam.log');
const RESULT = join(ROOT, OUTPUT, 'conformance.json');

const { values, positionals } = parseArgs({
  options: { brief: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = values.brief ? pathsOf(BRIEF) : positionals;
mkdirSync(join(ROOT, OUTPUT), { recursive: true });
const log = openSync(LOG, 'w');
const { directory, remove } = await temporary();
try {
  const api = await startApi(readOptions([], { PORT: '0', DATA_DIR: join(directory, 'data') }), [], log);
  try {
    await run(api.url);
  } finally {
    api.stop();
    await api.ended;
  }
} finally {
  closeSync(log);
  await remove();
}
process.exitCode = report();

/** Runs one test file after the other, because they share one service. */
async function run(url: string): Promise<void> {
  rmSync(RESULT, { force: true });
  const args = [
    ...JEST,
    ...(chosen.length > 0 ? chosen : [SUITE]),
    ...withOwnServices().flatMap((path) => ['--testPathIgnorePatterns', `${path}$`]),
    ...['--testSequencer', join(import.meta.dirname, 'in-order.mjs')],
    ...['--runInBand', '--silent', '--json', `--outputFile=${RESULT}`, `--testTimeout=${TEST_MS}`],
  ];
  // Without Accept, SAM returns base64 (differences.ts). `*/*` means the same as no Accept (RFC 9110 §12.5.1).
  const env = { ...process.env, BASE_URL: url, BASE_ACCEPT: '*/*' };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  // The list of failures comes at the end, because it counts them differently from jest.
  const ran = new Set<string>();
  for await (const line of createInterface({ input: child.stderr })) {
    const [, file = ''] = /^(?:PASS|FAIL) (\S+)/.exec(line) ?? [];
    // The end of the output repeats the failures.
    if (file !== '' && !ran.has(file)) console.log(line.replace(/^..../, 'Ran'));
    ran.add(file);
  }
  await ended;
}

function report(): number {
  const ended = read();
  const files = new Set(ended.map(({ file }) => file));
  const about = chosen.length > 0 ? differences.map((one) => only(files, one)) : differences;
  const { passed, listed, unexpected, stale } = verdictOf(ended, about);
  for (const { title, message } of unexpected)
    console.log(`Failed, and is not listed: ${title}\n${message}\n`);
  for (const title of stale) console.log(`Is listed, but passes or does not exist: ${title}`);
  const failed = unexpected.length + stale.length;
  if (chosen.length === 0)
    for (const path of withOwnServices()) console.log(`Left out: ${path} starts services of its own.`);
  console.log(`${listed} tests fail for the reasons in lab/sam/conformance/differences.ts.`);
  console.log(`Tests: ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`);
  return failed === 0 ? 0 : 1;
}

/** A difference with the tests of these files alone. */
function only(files: ReadonlySet<string>, { because, tests }: (typeof differences)[number]) {
  return { because, tests: Object.fromEntries(Object.entries(tests).filter(([file]) => files.has(file))) };
}

/** Reads the result of each test. A file that jest could not run counts as one test. */
function read(): Ended[] {
  interface Result {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }
  interface File {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly Result[];
  }
  let text: string;
  try {
    text = readFileSync(RESULT, 'utf8');
  } catch {
    throw new UserError('The tests did not end.');
  }
  return (JSON.parse(text) as { testResults: readonly File[] }).testResults.flatMap((one) => {
    const file = relative(join(ROOT, SUITE), one.name).replaceAll('\\', '/');
    const ended = one.assertionResults.map(({ fullName, status, failureMessages }) => ({
      file,
      name: fullName,
      status,
      message: failureMessages.join('\n').slice(0, LONGEST),
    }));
    const isBroken = one.status === 'failed' && !ended.some(({ status }) => status === 'failed');
    return isBroken
      ? [...ended, { file, name: 'runs at all', status: 'failed', message: one.message }]
      : ended;
  });
}
