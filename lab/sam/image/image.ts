import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../tools/user-error.ts';
import { succeed } from '../../program.ts';
import { DERIVED_IMAGE, IMAGE, PULLED, RECIPE, recipeOfImage } from './name.ts';

/**
 * `npm run lab -- sam image` makes the image in which SAM runs functions, for machines that cannot pull one. The image
 * has a Debian root directory, this project's Node, and Lambda's runtime client for Node, which npm builds. It is not
 * the image of AWS. It tests the bundles, the runtime client and SAM's events, but not Amazon Linux.
 *
 * If an image with the same recipe exists, or the image was pulled, the command changes nothing.
 */
const RUNTIME = join(import.meta.dirname, 'runtime');
const NODE = process.execPath;

const recipe = (): string =>
  createHash('sha256')
    .update(process.version)
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(join(RUNTIME, 'package-lock.json')))
    .update(readFileSync(join(RUNTIME, 'bootstrap')))
    .digest('hex')
    .slice(0, 16);

if (process.platform !== 'linux' || process.getuid?.() !== 0)
  throw new UserError('The image cannot be made here: Linux and root are required.');
const there = await recipeOfImage();
if (there === PULLED) console.log(`${IMAGE} was pulled, so it stays as it is.`);
else if (there === recipe()) console.log(`${IMAGE} exists already.`);
else {
  const folder = mkdtempSync(join(tmpdir(), 'resource-api-image-'));
  try {
    await make(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${IMAGE} was made.`);
}

async function make(folder: string): Promise<void> {
  const root = join(folder, 'root');
  const client = join(folder, 'client');
  mkdirSync(client);
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(RUNTIME, name), join(client, name));
  await Promise.all([
    step('debootstrap', ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', root]),
    step('npm', ['ci', '--ignore-scripts=false', '--no-audit', '--no-fund'], client),
  ]);

  const from = join(client, 'node_modules/aws-lambda-ric');
  const built = 'rapid-client.node';
  if (!existsSync(join(from, built)))
    throw new UserError('npm did not build the runtime client. Allow npm to run install scripts.');
  for (const directory of ['var/lang/bin', 'var/runtime', 'var/task'])
    mkdirSync(join(root, directory), { recursive: true });
  copyFileSync(NODE, join(root, 'var/lang/bin/node'));
  for (const name of ['index.mjs', built, 'package.json'])
    copyFileSync(join(from, name), join(root, 'var/runtime', name));
  copyFileSync(join(RUNTIME, 'bootstrap'), join(root, 'var/runtime/bootstrap'));

  const archive = join(folder, 'root.tar');
  await step('tar', ['-C', root, '-cf', archive, '.']);
  const changes = [
    'ENV LAMBDA_TASK_ROOT=/var/task PATH=/var/lang/bin:/usr/bin:/bin',
    'WORKDIR /var/task',
    `LABEL ${RECIPE}=${recipe()}`,
  ];
  await step('docker', ['import', ...changes.flatMap((change) => ['--change', change]), archive, IMAGE]);
  // SAM would continue to use the image that it derived from an older one.
  await step('docker', ['image', 'rm', '--force', DERIVED_IMAGE]);
}

/** Runs a program, which docs/sam.md names. @throws UserError if it is missing or fails */
async function step(program: string, args: readonly string[], cwd?: string): Promise<void> {
  console.log(`${program} ${args[0]} …`);
  await succeed(program, args, `${program} failed: docs/sam.md has the needed packages`, cwd ? { cwd } : {});
}
