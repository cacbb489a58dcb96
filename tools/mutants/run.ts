import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTANTS, type Mutant } from './mutants.ts';

/**
 * `npm run tool -- mutants` makes one deliberate fault after the other and runs the tests that must notice it. A fault
 * counts as caught if each of these test files fails. The faults are made in a copy of the project, so that the working
 * tree never contains one. The exit code is 1 if a fault is not caught.
 */
const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['engines', 'functions', 'infra', 'local', 'openapi', 'shared', 'test', 'docs'];
const FILES = ['package.json', 'jest.config.mjs', 'README.md'];

/** Returns the test files that fail in the copy. @throws if Jest did not run all of them */
function failing(copy: string, tests: readonly string[]): string[] {
  const report = join(copy, 'report.json');
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const chosen = ['--json', `--outputFile=${report}`, '--silent', '--runTestsByPath', ...tests];
  const { stderr } = spawnSync(process.execPath, [...options, jest, ...chosen], {
    cwd: copy,
    encoding: 'utf8',
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: readonly { name: string; status: string; assertionResults: readonly unknown[] }[];
  };
  const ran = testResults.filter(({ assertionResults }) => assertionResults.length > 0);
  if (ran.length < tests.length) throw new Error(`A test file could not run.\n${stderr}`);
  return tests.filter((test) => ran.some(({ name, status }) => name.endsWith(test) && status === 'failed'));
}

/** Returns the test files that do not notice a fault. @throws if the file lacks the right text, or repeats it */
function missedBy({ file, right, wrong, tests }: Mutant, copy: string): string[] {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(right).length !== 2) throw new Error(`${file} must contain this text once: ${right}`);
  writeFileSync(
    path,
    text.replace(right, () => wrong),
  );
  try {
    const caught = failing(copy, tests);
    return tests.filter((test) => !caught.includes(test));
  } finally {
    writeFileSync(path, text);
  }
}

const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
try {
  for (const name of [...COPIED, ...FILES]) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const broken = failing(copy, [...new Set(MUTANTS.flatMap(({ tests }) => tests))]);
  if (broken.length > 0) throw new Error(`These tests fail without any fault: ${broken.join(', ')}`);
  let caught = 0;
  for (const mutant of MUTANTS) {
    const missed = missedBy(mutant, copy);
    if (missed.length === 0) caught++;
    const result = missed.length === 0 ? 'caught' : `MISSED by ${missed.join(', ')}`;
    console.log(`${mutant.file}: ${mutant.fault}: ${result}`);
  }
  console.log(`${caught} of ${MUTANTS.length} mutants are caught`);
  process.exitCode = caught === MUTANTS.length ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
