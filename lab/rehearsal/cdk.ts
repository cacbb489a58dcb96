/** Runs the CLI of CDK and reads the templates that it writes. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flat } from '../../test/support/flat-template.ts';
import { command, type Ended } from '../../test/support/service/command.ts';
import type { Context } from './contexts.ts';

const ROOT = join(import.meta.dirname, '../..');
const CDK = join(ROOT, 'node_modules/aws-cdk/bin/cdk');

/** Turns telemetry off. `false` would run instead of Docker. */
const SETTINGS = { CDK_DISABLE_CLI_TELEMETRY: 'true', CDK_DOCKER: 'false' };

export interface CdkRun {
  readonly environment?: NodeJS.ProcessEnv;
  /** A program with its arguments, which runs the CLI. */
  readonly under?: readonly string[];
  /** The folder of the sources. */
  readonly cwd?: string;
}

/** Runs a command of the CDK CLI and returns its exit status and output. */
export function cdk(
  args: readonly string[],
  { environment = process.env, under = [], cwd = ROOT }: CdkRun = {},
): Promise<Ended> {
  const [program = process.execPath, ...rest] = [...under, process.execPath, CDK, ...args, '--no-notices'];
  return command(program, rest, { cwd, env: { ...environment, ...SETTINGS } });
}

/** A synthesis: its folder, and the template of each stack. */
export interface Assembly {
  readonly directory: string;
  readonly templates: readonly string[];
}

/** Synthesizes the stack. @throws with the output of the CLI if it fails */
export async function synthesize(directory: string, context: Context, running?: CdkRun): Promise<Assembly> {
  const values = Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { code, log } = await cdk(['synth', '-q', '-o', directory, ...values], running);
  if (code !== 0) throw new Error(`cdk synth ended with ${code}\n${log}`);
  const templates = readdirSync(directory)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => join(directory, name));
  return { directory, templates };
}

/** A resource of a template. */
export interface Declared {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly Metadata?: { readonly 'aws:asset:path'?: string; readonly SamResourceId?: string };
}

export interface Template {
  readonly Resources: Readonly<Record<string, Declared>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** The template of a synthesis with one stack. The resources of its nested stacks are in it. */
export function read({ directory, templates }: Assembly): Template {
  const [path = '', ...others] = templates.filter((one) => !one.endsWith('.nested.template.json'));
  if (others.length > 0) throw new Error('There are several stacks');
  const parsed = (file: string): Template => JSON.parse(readFileSync(file, 'utf8'));
  const template = parsed(path);
  return flat(template, (id) =>
    parsed(join(directory, template.Resources[id]?.Metadata?.['aws:asset:path'] ?? '')),
  );
}
