/** Starts moto, which emulates AWS, and reads what a deployment has created in it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { freePort } from '../../test/support/free-port.ts';
import { command } from '../../test/support/service/command.ts';
import { pythonProgram } from '../python.ts';
import { type RunningServer, running } from '../running.ts';
import { environmentFor, REGION } from './emulated.ts';

/** Resource types that the rehearsal accepts and does not create, with the reason. */
export const NOT_MADE: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'emulator/not-made.json'), 'utf8'),
);

/** A deployed function, and the versions of its aliases. */
interface FunctionMade {
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
  readonly aliases: readonly { readonly FunctionVersion: string }[];
}

/** The deployed resources, read from the APIs of AWS. */
export interface There {
  readonly outputs: Readonly<Record<string, string>>;
  /** Physical ids by logical ones. */
  readonly resources: Readonly<Record<string, string>>;
  /** The names of tables, the URLs of queues, and the names of buckets. */
  readonly tables: readonly string[];
  readonly queues: readonly string[];
  readonly buckets: readonly string[];
  readonly functions: Readonly<Record<string, FunctionMade>>;
}

export interface Moto extends RunningServer {
  /** The environment that makes AWS tools use moto only. */
  readonly environment: NodeJS.ProcessEnv;
  readonly lambda: LambdaClient;
  look(): Promise<There>;
}

/** Starts an empty moto. @throws with its output if it does not start */
export async function startMoto(): Promise<Moto> {
  const port = await freePort();
  // If the host is an IP address, moto takes it as the name of a bucket.
  const url = `http://localhost:${port}`;
  const environment = {
    ...environmentFor(url),
    NODE: process.execPath,
    // Each call reads the inventory, and no backfill waits.
    INVENTORY_SECONDS: '0',
  };
  const python = pythonProgram(import.meta.dirname, 'python');
  const options = { cwd: import.meta.dirname, env: environment };
  const { stop } = await running({
    ...{ name: 'moto', command: python, ...options, url: `${url}/moto-api/data.json` },
    args: ['-m', 'emulator.server', '-H', '127.0.0.1', '-p', String(port)],
    isReady: (status) => status === 200,
  });
  return {
    environment,
    lambda: new LambdaClient({
      endpoint: url,
      region: REGION,
      credentials: { accessKeyId: 'rehearsal', secretAccessKey: 'rehearsal' },
    }),
    look: async () => {
      const { code, stdout, log } = await command(python, ['-m', 'emulator.look'], options);
      if (code !== 0) throw new Error(`The resources in moto cannot be read:\n${log}`);
      return JSON.parse(stdout.toString());
    },
    stop,
  };
}
