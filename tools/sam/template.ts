import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Obstacle, output, ROOT } from './command.ts';
import { ARCHITECTURE } from './image-name.ts';

/** Where the local template and what goes with it are written. */
export const OUTPUT = 'cdk.out/local';

/**
 * Options of `cdk synth`. SAM would warn of every construct path that it cannot make an identifier of; without staging
 * there would be paths of this machine in the template.
 */
const SYNTHESIS = ['-q', '--no-notices', '--no-path-metadata', '-c', 'local=true'];

/** Makes the local template. @returns its path, from the project's directory */
export function synthesize(): string {
  const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  const context = ['-c', `architecture=${ARCHITECTURE}`, '-o', OUTPUT];
  output(process.execPath, [cdk, 'synth', ...SYNTHESIS, ...context], 'The template cannot be made');
  const manifest = JSON.parse(readFileSync(join(ROOT, OUTPUT, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { properties?: { templateFile?: string } }>;
  };
  const files = Object.values(manifest.artifacts).map(({ properties }) => properties?.templateFile);
  const template = files.find((file) => file?.endsWith('.template.json'));
  if (template === undefined) throw new Obstacle(`${OUTPUT}/manifest.json names no template`);
  return join(OUTPUT, template);
}
