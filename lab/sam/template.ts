import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../tools/user-error.ts';
import { ROOT } from '../conformance.ts';
import { succeed } from '../program.ts';
import { ARCHITECTURE } from './image/name.ts';

/** The folder of the local template and its files. */
export const OUTPUT = 'cdk.out/local';

/**
 * Options of `cdk synth`. SAM would print a warning for every construct path that it cannot convert to an identifier.
 * Staging stays on, because otherwise the template would contain paths of this machine.
 */
const SYNTHESIS = ['-q', '--no-notices', '--no-path-metadata', '-c', 'local=true'];

/** Makes the local template. @returns its path, relative to the project's directory */
export async function synthesize(): Promise<string> {
  const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  const context = ['-c', `architecture=${ARCHITECTURE}`, '-o', OUTPUT];
  const args = [cdk, 'synth', ...SYNTHESIS, ...context];
  await succeed(process.execPath, args, 'The template cannot be made', { cwd: ROOT });
  const manifest = JSON.parse(readFileSync(join(ROOT, OUTPUT, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { properties?: { templateFile?: string } }>;
  };
  const files = Object.values(manifest.artifacts).map(({ properties }) => properties?.templateFile);
  const template = files.find((file) => file?.endsWith('.template.json'));
  if (template === undefined) throw new UserError(`${OUTPUT}/manifest.json names no template`);
  return join(OUTPUT, template);
}
