/** Runs a command of SAM on the data of the engines. */

import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningEngines } from '../../local/running.ts';
import { ROOT } from '../conformance.ts';
import { succeed } from '../program.ts';
import { installPython, pythonProgram } from '../python.ts';
import { MARK, removeContainers } from './containers.ts';
import { environment } from './environment.ts';
import { reachEngines } from './forward.ts';
import { PULLED, recipeOfImage } from './image/name.ts';
import { OUTPUT } from './template.ts';

const REGION = 'us-east-1';
/** The name of this machine in containers. It is a loopback name, because the engines accept no others. */
const MACHINE = 'engines.localhost';
/** The folder of the requirements and of the installed SAM. */
const FOLDER = import.meta.dirname;

export interface RunningSam {
  /** Resolves with SAM's exit status after SAM and its containers have ended. */
  readonly ended: Promise<number>;
  stop(): void;
}

/** The program that runs SAM, and its first arguments. */
const samProgram = (): [program: string, first: readonly string[]] =>
  process.env.SAM ? [process.env.SAM, []] : [pythonProgram(FOLDER, 'python'), [join(FOLDER, 'prompt.py')]];

/** Installs SAM at its first use. @throws UserError if there is no Docker engine, or if SAM does not run */
export async function requireSam(): Promise<void> {
  await succeed('docker', ['info'], 'No Docker engine responds: start one');
  if (!process.env.SAM) await installPython(FOLDER);
  const [program, first] = samProgram();
  await succeed(program, [...first, '--version'], 'SAM does not run: see docs/sam.md');
}

/**
 * Starts a command of SAM on a template. Its containers use the data of the engines.
 *
 * @param stdio the target of its output: 'inherit', or an open file
 */
export async function startSam(
  command: readonly string[],
  template: string,
  { url, credentials }: RunningEngines,
  stdio: 'inherit' | number,
): Promise<RunningSam> {
  const enginePort = Number(new URL(url).port);
  const engineUrl = `http://${MACHINE}:${enginePort}`;
  const variables = join(OUTPUT, `environment-${process.pid}.json`);
  const values = environment(engineUrl, url);
  writeFileSync(join(ROOT, variables), JSON.stringify(values));
  const stopForwarding = await reachEngines(enginePort);
  const [program, first] = samProgram();
  const recipe = await recipeOfImage();
  const args = [
    ...first,
    ...['local', ...command, '--template', template],
    ...['--env-vars', variables, '--region', REGION],
    ...['--add-host', `${MACHINE}:host-gateway`, '--add-host', `${MARK}:127.0.0.1`],
    // No registry has an image that this machine made.
    ...(recipe === undefined || recipe === PULLED ? [] : ['--skip-pull-image']),
  ];
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', stdio, stdio],
    env: {
      ...process.env,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      SAM_CLI_TELEMETRY: '0',
    },
    // Only this process sends Ctrl-C to SAM. A second one would interrupt SAM while it removes containers.
    detached: process.platform !== 'win32',
  });
  let asked = false;
  const stop = () => {
    asked = true;
    child.kill('SIGINT');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // npm and the terminal both pass Ctrl-C on.
    process.on(signal, () => asked || stop());
  }
  process.once('exit', stop);
  const ended = new Promise<number>((done, failed) => {
    child.once('error', failed);
    child.once('close', (status) => {
      stopForwarding();
      removeContainers();
      rmSync(join(ROOT, variables), { force: true });
      // If this process asked SAM to end, its exit status does not matter.
      done(asked ? 0 : (status ?? 1));
    });
  });
  return { ended, stop };
}
