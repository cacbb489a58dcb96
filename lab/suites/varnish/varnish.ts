import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '../../../local/free-port.ts';
import { type Client, clientOf } from '../../../test/support/client/client.ts';
import type { SuiteService } from '../service.ts';
import { pathOf } from '../tools.ts';

const START_MS = 20_000;

/** A running shared cache in front of the service. */
export interface Cache {
  readonly url: string;
  readonly client: Client;
  stop(): Promise<void>;
}

/** Starts Varnish in front of the service. @throws with its output if it does not respond */
export async function varnish({ url: origin, folder }: SuiteService): Promise<Cache> {
  const directory = join(folder, 'varnish');
  await mkdir(directory);
  const vcl = join(folder, 'service.vcl');
  const rules = await readFile(join(import.meta.dirname, 'service.vcl'), 'utf8');
  await writeFile(vcl, rules.replace('PORT', new URL(origin).port));
  const address = `127.0.0.1:${await freePort()}`;
  // Varnish's jail gives the folder to a special user, which may not exist on this machine.
  const args = ['-F', '-j', 'none', '-a', address, '-f', vcl, '-n', directory, '-s', 'malloc,32m'];
  // The service codes its responses. Varnish would decode gzip itself and make entity tags weak.
  args.push('-p', 'http_gzip_support=off');
  const child = spawn(pathOf('varnishd'), args, { stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const url = `http://${address}`;
  const client = clientOf(url);
  const stop = () => stopped(child);
  const answers = () =>
    client('GET', '/health').then(
      ({ status }) => status === 200,
      () => false,
    );
  for (const end = Date.now() + START_MS; !(await answers()); await after(100)) {
    if (child.exitCode === null && Date.now() < end) continue;
    await stop();
    throw new Error(`Varnish did not start:\n${output}`);
  }
  return { url, client, stop };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
