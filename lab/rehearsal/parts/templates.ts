/** Synthesizes each kind of deployment and checks its templates. */

import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import type { Check } from '../../checks.ts';
import { pythonProgram } from '../../python.ts';
import { type Assembly, synthesize } from '../cdk.ts';
import { CONTEXTS } from '../contexts.ts';

const REHEARSAL = join(import.meta.dirname, '..');
/** Runs a program without network as the same user. */
const NO_NETWORK = ['unshare', '--map-root-user', '--net'];

/** Checks the templates of each context with cdk-nag and cfn-lint, and makes those of the defaults twice. */
export async function templates(check: Check, folder: string): Promise<void> {
  for (const [name, context] of CONTEXTS)
    await check(`${name}: cdk-nag and cfn-lint find nothing`, async () =>
      lint(await synthesize(join(folder, name), context)),
    );
  await check(
    'defaults again, without Docker and, if the machine allows it, network: the same bytes',
    async () => {
      const [program = '', ...options] = NO_NETWORK;
      const { code } = await command(program, [...options, 'true']).catch(() => ({ code: 1 }));
      const again = await synthesize(join(folder, 'again'), {}, { under: code === 0 ? NO_NETWORK : [] });
      deepStrictEqual(digests(again.directory), digests(join(folder, 'defaults')));
    },
  );
}

async function lint({ templates }: Assembly): Promise<void> {
  const args = ['--config-file', join(REHEARSAL, '.cfnlintrc.yaml'), '--', ...templates];
  const { code, log } = await command(pythonProgram(REHEARSAL, 'cfn-lint'), args);
  strictEqual(code, 0, log);
}

/** The digests of the templates, and the names of the assets, which are digests of their content. */
const digests = (directory: string): readonly string[] =>
  readdirSync(directory).flatMap((name) => {
    if (name.startsWith('asset.')) return [name];
    if (!name.endsWith('.template.json')) return [];
    return [
      createHash('sha256')
        .update(readFileSync(join(directory, name)))
        .digest('hex'),
    ];
  });
