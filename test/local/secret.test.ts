import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withFixture } from '../support/service/with-fixture.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What Secrets Manager got. It has no secret at first. */
const requests: Readonly<Record<string, unknown>>[] = [];
const server = createServer(async (request, response) => {
  const action = String(request.headers['x-amz-target']).split('.')[1];
  const { ClientRequestToken: _, ...sent } = (await json(request)) as Record<string, unknown>;
  const isMissing = action === 'PutSecretValue' && requests.every((one) => one.action !== 'CreateSecret');
  requests.push({ action, ...sent });
  response.writeHead(isMissing ? 400 : 200);
  response.end(isMissing ? '{"__type":"ResourceNotFoundException"}' : '{}');
});
beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)));
afterAll(() => void server.close());

/** Runs `npx resource-api secret` with this input. */
function secret(args: readonly string[], input: string): Promise<{ code: number | null; log: string }> {
  const child = spawn(process.execPath, ['tools/command/bin.ts', 'secret', ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...withFixture('needing'),
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  });
  child.stdin.end(input);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  return new Promise((ended) => child.on('close', (code) => ended({ code, log })));
}

// Specification 19.3
test('a command sets the secret of a deployment from its input, and shows nothing of it', async () => {
  const set = await secret(['MAIL_KEY', '--stack', 'shop'], 'key-of-7-seals\n');
  expect(set).toEqual({ code: 0, log: expect.stringContaining('MAIL_KEY of shop is set.') });
  expect(requests).toEqual([
    { action: 'PutSecretValue', SecretId: 'shop/MAIL_KEY', SecretString: 'key-of-7-seals' },
    expect.objectContaining({
      action: 'CreateSecret',
      Name: 'shop/MAIL_KEY',
      SecretString: 'key-of-7-seals',
    }),
  ]);
  expect(set.log).not.toContain('seals');
}, 40_000);

test('it refuses a name that no definition needs, and an empty value', async () => {
  expect(await secret(['MAIL_KY', '--stack', 'shop'], 'x')).toEqual({
    code: 2,
    log: 'Name one secret: MAIL_KEY, NOTICE_KEY. With --stack STACK, it is that of a deployment.\n',
  });
  expect(await secret(['MAIL_KEY', '--stack', 'shop'], '\n')).toEqual({
    code: 2,
    log: 'The secret is empty: nothing is set.\n',
  });
}, 40_000);
