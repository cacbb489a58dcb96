import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { pythonProgram } from '../../python.ts';
import type { Part } from '../part.ts';

const LIMIT_MS = 25 * 60_000;
/** The most random requests to an operation, and the most random sequences. */
const EXAMPLES = Number(process.env.EXAMPLES ?? 6);
/** The folder of the configuration and its hooks. */
const SUITES = join(import.meta.dirname, '..');
const ENVIRONMENT = { ...process.env, PYTHONPATH: SUITES, PYTHONDONTWRITEBYTECODE: '1' };

/** Checks generated requests: examples, boundary values, random values, and sequences that follow links. */
export const part: Part = {
  about: 'requests generated from the API description',
  needs: ['python3'],
  run: async ({ service, check }) => {
    const report = join(service.folder, 'junit.xml');
    const { code, log } = await command(
      pythonProgram(SUITES, 'schemathesis'),
      [
        `--config-file=${join(SUITES, 'schemathesis.toml')}`,
        'run',
        `${service.url}/openapi.json`,
        '--url',
        service.url,
        '--checks=all',
        '--phases=examples,coverage,fuzzing,stateful',
        `--max-examples=${EXAMPLES}`,
        // With two workers, CPython 3.11's parser fails, because it is not thread-safe.
        '--workers=1',
        '--continue-on-failure',
        '--seed=1',
        '--request-timeout=10',
        '--suppress-health-check=all',
        '--report=junit',
        `--report-junit-path=${report}`,
      ],
      { cwd: service.folder, env: ENVIRONMENT, limitMs: LIMIT_MS },
    );
    const cases = (await readFile(report, 'utf8').catch(() => '')).matchAll(
      /<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g,
    );
    for (const [, name = '', inner = ''] of cases)
      await check(name, () => assert.doesNotMatch(inner, /<(failure|error)\b/, inner.slice(0, 4000)));
    await check('Schemathesis finds nothing', () => assert.equal(code, 0, log.slice(-1500)));
  },
};
