/** Starts MiniStack, which emulates AWS and runs functions as processes of Node. */

import { mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../../test/support/free-port.ts';
import { command } from '../../../test/support/service/command.ts';
import { pythonProgram } from '../../python.ts';
import { type RunningServer, running } from '../../running.ts';
import { ACCOUNT, environmentFor, REGION } from '../emulated.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface MiniStack extends RunningServer {
  readonly url: string;
  /** The environment that makes AWS tools use MiniStack only. */
  readonly environment: NodeJS.ProcessEnv;
  /** Runs a command of the AWS CLI, and returns what it prints as JSON. @throws Error with its output if it fails */
  aws<Printed>(...args: readonly string[]): Promise<Printed>;
}

/** Starts an empty MiniStack, which keeps its files in a folder. @throws UserError with its output if it does not start */
export async function startMiniStack(folder: string): Promise<MiniStack> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  mkdirSync(folder, { recursive: true });
  const environment = {
    ...environmentFor(url),
    // It runs functions with the Node of this process.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    // Lambda's runtime has the SDK, which functions of CDK use.
    NODE_PATH: join(ROOT, 'node_modules'),
    TMPDIR: folder,
  };
  const { stop } = await running({
    name: 'MiniStack',
    command: pythonProgram(import.meta.dirname, 'ministack'),
    args: [],
    env: {
      ...environment,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      MINISTACK_REGION: REGION,
      // It has no other listeners.
      IOT_MTLS_ENABLED: '0',
      SFTP_ENABLED: '0',
    },
    url: `${url}/_ministack/health`,
    isReady: (status) => status === 200,
  });
  const cli = pythonProgram(join(import.meta.dirname, '..'), 'aws');
  const aws = async <Printed>(...args: readonly string[]): Promise<Printed> => {
    const { code, stdout, log } = await command(cli, [...args, '--endpoint-url', url, '--output', 'json'], {
      env: environment,
    });
    if (code !== 0) throw new Error(`aws ${args.slice(0, 2).join(' ')} ended with ${code}\n${log}`);
    return JSON.parse(stdout.toString().trim() || 'null');
  };
  return { url, environment, aws, stop };
}
