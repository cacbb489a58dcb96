import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { environment } from './environment.ts';
import { forward } from './forward.ts';

const USAGE = `npm run sam:invoke -- [RESOURCE [EVENT]] [--id ID] [-- OPTIONS OF sam local invoke]
  RESOURCE  members
  EVENT     test/events/members-list.json
  --id ID   the item that the event asks for
Needs a Docker engine, SAM (pip install aws-sam-cli), and \`npm start\` with the same ENGINE_PORT.
Environment: ENGINE_PORT, SAM (sam)`;

/** Known to the embedded engines alone. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local-secret' };
const REGION = 'us-east-1';
const ROOT = join(import.meta.dirname, '../..');
const OUTPUT = 'cdk.out/local';
/** What a container calls this machine. */
const MACHINE = 'host.docker.internal';

/** Something that a person must mend; shown as one sentence. */
class Obstacle extends Error {}

/** Invokes a function in a container, as `sam local invoke` does, on the data of a running `npm start`. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { id: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
    args: own(),
  });
  if (values.help) throw new Obstacle(USAGE);
  const [resource = 'members', event = 'test/events/members-list.json'] = positionals;
  const port = Number(process.env.ENGINE_PORT);
  if (!Number.isInteger(port) || port < 1) throw new Obstacle(`Which ENGINE_PORT?\n${USAGE}`);
  const sam = process.env.SAM ?? 'sam';
  succeed('docker', ['info'], 'No Docker engine answers: start one');
  succeed(sam, ['--version'], 'SAM is not installed: pip install aws-sam-cli');
  succeed(
    process.execPath,
    [join(ROOT, 'node_modules/aws-cdk/bin/cdk'), ...synthesis],
    'The template cannot be made',
  );

  const variables = join(OUTPUT, 'environment.json');
  writeFileSync(join(ROOT, variables), JSON.stringify(environment(`http://${MACHINE}:${port}`)));
  const stop = await reachEngines(port);
  const child = spawn(
    sam,
    [
      ...['local', 'invoke', resource, '--template', join(OUTPUT, template())],
      ...['--event', values.id === undefined ? event : asking(event, values.id)],
      ...['--env-vars', variables, '--region', REGION],
      ...['--add-host', `${MACHINE}:host-gateway`],
      ...passedOn(),
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...CREDENTIALS, SAM_CLI_TELEMETRY: '0' } },
  );
  return new Promise((done) =>
    child.on('close', (code) => {
      stop();
      done(code ?? 1);
    }),
  );
}

/** SAM warns of every construct path that it cannot make an identifier of. */
const synthesis = ['synth', '-q', '--no-notices', '--no-path-metadata', '-c', 'local=true', '-o', OUTPUT];

/** The arguments before `--` are this script's, those after it SAM's. */
const split = () => {
  const all = process.argv.slice(2);
  const at = all.indexOf('--');
  return at < 0 ? { own: all, passedOn: [] } : { own: all.slice(0, at), passedOn: all.slice(at + 1) };
};
const own = () => split().own;
const passedOn = () => split().passedOn;

function succeed(command: string, args: readonly string[], otherwise: string): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Obstacle(`${otherwise}.\n${error?.message ?? stderr}`);
}

function template(): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, OUTPUT, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { properties?: { templateFile?: string } }>;
  };
  const stack = Object.values(manifest.artifacts).find(({ properties }) =>
    properties?.templateFile?.endsWith('.template.json'),
  );
  return stack?.properties?.templateFile as string;
}

/** The event with another identifier in its path. */
function asking(file: string, id: string): string {
  const event = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as APIGatewayProxyEvent;
  const path = event.resource.replace('{id}', id);
  const written = join(OUTPUT, 'event.json');
  writeFileSync(join(ROOT, written), JSON.stringify({ ...event, path, pathParameters: { id } }));
  return written;
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

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Obstacle)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
