import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, clientOf } from '../../../test/support/client/client.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { type RunningServer, running } from '../../running.ts';
import type { SuiteService } from '../service.ts';
import { pathOf } from '../tools.ts';

/** A running shared cache in front of the service. */
export interface Cache extends RunningServer {
  readonly url: string;
  readonly client: Client;
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
  // Shorter than the 5 s of Node.js, so that Varnish never sends a request on a connection that the service is closing.
  args.push('-p', 'backend_idle_timeout=2');
  const url = `http://${address}`;
  const isReady = (status: number) => status === 200;
  const server = { name: 'Varnish', command: pathOf('varnishd'), args, url: `${url}/health`, isReady };
  return { ...(await running(server)), url, client: clientOf(url) };
}
