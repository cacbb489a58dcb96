import assert from 'node:assert/strict';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { packageIn } from '../../../tools/packages.ts';
import type { Part } from '../part.ts';

const SUITES = join(import.meta.dirname, '..');
const DOCUMENT = join(SUITES, '../../docs/openapi.json');
const RULES = join(SUITES, 'spectral.yaml');
const CONFIG = join(SUITES, 'redocly.yaml');

/** The linters and their arguments. */
const LINTERS: readonly (readonly [name: string, program: string, args: readonly string[]])[] = [
  ['Redocly: recommended', 'redocly', ['lint', DOCUMENT, '--config', CONFIG]],
  ['Spectral: OpenAPI and OWASP', 'spectral', ['lint', DOCUMENT, '-r', RULES, '--fail-severity=warn', '-q']],
];

/** Checks the API description with linters. */
export const part: Part = {
  about: 'the API description: Redocly, Spectral, OWASP',
  needs: [],
  run: async ({ check }) => {
    for (const [name, program, args] of LINTERS) {
      await check(name, async () => {
        const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
        const { code, log } = await command(packageIn(SUITES, '.bin', program), args, { env });
        assert.equal(code, 0, log.slice(-6000));
      });
    }
  },
};
