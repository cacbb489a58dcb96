/** Starts MiniStack, which runs a deployment on this machine, and calls it. */

import { dirname, join } from 'node:path';
import { freePort } from '../../../test/support/free-port.ts';
import { pythonProgram } from '../../python.ts';
import { type RunningServer, running } from '../../running.ts';
import { REGION } from '../moto.ts';

/** The account of all resources. */
export const ACCOUNT = '000000000000';

export interface MiniStack extends RunningServer {
  readonly url: string;
  /** The environment that makes AWS tools use MiniStack only. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Starts an empty MiniStack. `directory`: for what it stores. @throws with its output if it does not start */
export async function startMiniStack(directory: string): Promise<MiniStack> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const shared = { PATH: [dirname(process.execPath), process.env.PATH].join(':'), HOME: process.env.HOME };
  const { stop } = await running({
    name: 'MiniStack',
    command: pythonProgram(import.meta.dirname, 'ministack'),
    args: [],
    cwd: directory,
    env: {
      ...shared,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      MINISTACK_REGION: REGION,
      S3_DATA_DIR: join(directory, 's3'),
      STATE_DIR: join(directory, 'state'),
      TMPDIR: directory,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    url: `${url}/_ministack/health`,
    isReady: (status) => status === 200,
  });
  return {
    url,
    environment: {
      ...shared,
      AWS_ENDPOINT_URL: url,
      // Buckets are in the path then. No name server knows their hosts.
      AWS_ENDPOINT_URL_S3: url,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      NO_PROXY: 'localhost',
    },
    stop,
  };
}

/** Calls an operation of Cognito, which speaks JSON. @throws Error with the answer if it fails */
export async function cognito(
  { url }: MiniStack,
  operation: string,
  input: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': `AWSCognitoIdentityProviderService.${operation}`,
      Authorization: `AWS4-HMAC-SHA256 Credential=test/20261128/${REGION}/cognito-idp/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation} got ${response.status}: ${text}`);
  return JSON.parse(text);
}
