/** Synthesizes each kind of deployment and checks its templates. */

import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import { pythonProgram } from '../../python.ts';
import { type Assembly, synthesize } from '../cdk.ts';
import { CONTEXTS } from '../contexts.ts';
import type { Given, Part } from '../part.ts';

const REHEARSAL = join(import.meta.dirname, '..');
const CHECKOV = join(REHEARSAL, 'checkov');
/** Runs a program without network as the same user. */
const NO_NETWORK = ['unshare', '--map-root-user', '--net'];

export const templates: Part = {
  about: 'templates for several contexts: cdk-nag, cfn-lint, checkov, the same bytes again',
  async run({ check, folder }: Given) {
    const made: Assembly[] = [];
    for (const [name, context] of CONTEXTS) {
      const before = made.length;
      await check(`${name}: cdk synth, in which cdk-nag finds nothing`, async () => {
        made.push(await synthesize(join(folder, String(before)), context));
      });
      const assembly = made[before];
      if (assembly === undefined) continue;
      console.log(`    in ${assembly.seconds} s`);
      await check(`${name}: cfn-lint finds nothing`, () => lint(assembly));
    }
    await check('all templates: checkov finds nothing', () => scan(made));
    const [first] = made;
    if (first === undefined) throw new Error('No template was synthesized');
    await sameAgain(check, first, join(folder, 'again'));
  },
};

async function lint({ templates }: Assembly): Promise<void> {
  const args = ['--config-file', join(REHEARSAL, '.cfnlintrc.yaml'), '--', ...templates];
  const { code, log } = await command(pythonProgram(REHEARSAL, 'cfn-lint'), args);
  strictEqual(code, 0, log);
}

/** Looks for settings that are not secure. The program starts slowly, so it reads all templates in one run. */
async function scan(made: readonly Assembly[]): Promise<void> {
  const templates = made.flatMap((one) => one.templates);
  const args = ['--config-file', join(CHECKOV, 'checkov.yaml'), '--file', ...templates];
  const { code, log } = await command(pythonProgram(CHECKOV, 'checkov'), args);
  strictEqual(code, 0, log);
}

/** Synthesizes again, without network if possible. Names of assets are digests of their content. */
async function sameAgain(check: Given['check'], first: Assembly, directory: string): Promise<void> {
  const { code } = await command(NO_NETWORK[0] as string, [...NO_NETWORK.slice(1), 'true']).catch(() => ({
    code: 1,
  }));
  const under = code === 0 ? NO_NETWORK : [];
  if (code !== 0) console.log('    This machine does not allow unshare, so the network stays on');
  const how = code === 0 ? 'without network and Docker' : 'without Docker';
  await check(`defaults again, ${how}: the same bytes`, async () => {
    const again = await synthesize(directory, {}, { under });
    console.log(`    in ${again.seconds} s`);
    deepStrictEqual(again.templates.map(digest), first.templates.map(digest));
    deepStrictEqual(assets(again), assets(first));
  });
}

/** The assets of a synthesis, without the other files of the CLI. */
const assets = ({ directory }: Assembly) =>
  readdirSync(directory)
    .filter((name) => name.startsWith('asset.'))
    .sort();

const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
