import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from './environment.ts';
import { forward } from './forward.ts';

/** Something that a person must mend; shown as one sentence. */
export class Obstacle extends Error {}

export const ROOT = join(import.meta.dirname, '../..');
/** Where the local template and what goes with it are written. */
export const OUTPUT = 'cdk.out/local';

/** Known to the embedded engines alone. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local-secret' };
const REGION = 'us-east-1';
/** What a container calls this machine. */
const MACHINE = 'host.docker.internal';
/** SAM warns of every construct path that it cannot make an identifier of. */
const SYNTHESIS = ['synth', '-q', '--no-notices', '--no-path-metadata', '-c', 'local=true', '-o', OUTPUT];

/** Arguments before `--` are the script's own, those after it SAM's. */
export function ownArguments(): { own: string[]; passedOn: string[] } {
  const all = process.argv.slice(2);
  const at = all.indexOf('--');
  return at < 0 ? { own: all, passedOn: [] } : { own: all.slice(0, at), passedOn: all.slice(at + 1) };
}

/**
 * Runs a command of SAM on a fresh template, its containers on the data of a running `npm start`.
 *
 * @returns its exit status
 * @throws Obstacle when something that it needs is missing
 */
export async function runSam(command: readonly string[], more: readonly string[]): Promise<number> {
  const port = Number(process.env.ENGINE_PORT);
  if (!Number.isInteger(port) || port < 1)
    throw new Obstacle('ENGINE_PORT must be the port that npm start was given for its engines');
  const sam = process.env.SAM ?? 'sam';
  succeed('docker', ['info'], 'No Docker engine answers: start one');
  succeed(sam, ['--version'], 'SAM is not installed: pip install aws-sam-cli');
  const cdk = join(ROOT, 'node_modules/aws-cdk/bin/cdk');
  succeed(process.execPath, [cdk, ...SYNTHESIS], 'The template cannot be made');

  const variables = join(OUTPUT, 'environment.json');
  const told = environment(`http://${MACHINE}:${port}`, `http://127.0.0.1:${port}`);
  writeFileSync(join(ROOT, variables), JSON.stringify(told));
  const stop = await reachEngines(port);
  const child = spawn(
    sam,
    [
      ...['local', ...command, '--template', join(OUTPUT, template())],
      ...['--env-vars', variables, '--region', REGION],
      ...['--add-host', `${MACHINE}:host-gateway`],
      ...more,
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...CREDENTIALS, SAM_CLI_TELEMETRY: '0' } },
  );
  // What ends this ends SAM, which then removes its containers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (status) => {
      stop();
      done(status ?? 1);
    });
  });
}

/** Ends the process with the status of what was run; an obstacle is told in a sentence. */
export async function main(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function succeed(command: string, args: readonly string[], otherwise: string): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Obstacle(`${otherwise}.\n${error?.message ?? stderr}`);
}

/** The template's file, as the manifest of the synthesis names it. */
function template(): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, OUTPUT, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { properties?: { templateFile?: string } }>;
  };
  const files = Object.values(manifest.artifacts).map(({ properties }) => properties?.templateFile);
  return files.find((file) => file?.endsWith('.template.json')) as string;
}

/** On Linux a container reaches the bridge, never the loopback; Docker Desktop forwards by itself. */
async function reachEngines(port: number): Promise<() => void> {
  if (process.platform !== 'linux') return () => {};
  const format = '{{with index .IPAM.Config 0}}{{or .Gateway .Subnet}}{{end}}';
  const { stdout } = spawnSync('docker', ['network', 'inspect', 'bridge', '--format', format], {
    encoding: 'utf8',
  });
  // Some engines tell the network alone: they take its first address.
  const host = stdout.trim().replace(/0\/[0-9]+$/, '1');
  return forward({ host, port }, { host: '127.0.0.1', port });
}
