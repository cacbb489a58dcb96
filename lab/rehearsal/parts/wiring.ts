/** Deploys the development template to MiniStack, and proves that its parts call each other. */

import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Check } from '../../checks.ts';
import { installPython } from '../../python.ts';
import { cdk, synthesize } from '../cdk.ts';
import { adapted } from '../ministack/lacks.ts';
import { ACCOUNT, cognito, type MiniStack, startMiniStack } from '../ministack/ministack.ts';
import { REGION } from '../moto.ts';

const NAME = 'resource-api-development';
const DEPLOY = ['deploy', '--all', '--method=direct', '--require-approval', 'never'];
const LIMIT_MS = 30_000;
/** A schedule runs each minute. */
const MINUTE_MS = 90_000;
const OTHER_BUCKET = 'another-bucket';

type Json = Readonly<Record<string, unknown>>;
type Outputs = Readonly<Record<string, string>>;

/** Sends a request to the API of the deployment. */
type Send = (
  method: string,
  path: string,
  sent?: { readonly headers?: Record<string, string>; readonly json?: unknown; readonly body?: string },
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string; json(): Json }>;

/** Deploys the development template to MiniStack, sends requests, and deploys it again with another bucket. */
export async function wiring(check: Check, folder: string): Promise<void> {
  await installPython(join(import.meta.dirname, '../ministack'));
  const directory = join(folder, 'ministack');
  mkdirSync(directory);
  const stack = await startMiniStack(directory);
  try {
    const run = (...args: readonly string[]) => cdk(args, { environment: stack.environment });
    const deployed = await deploy(check, stack, join(folder, 'wiring'));
    const send = await caller(check, stack, deployed);
    await requests(check, send);
    await check('the schedule calls the sweeper', () =>
      until(
        () => logged(stack, 'sweeper'),
        (lines) => lines.length > 0,
        MINUTE_MS,
      ),
    );
    await recovery(check, send, stack, deployed);
    await check('cdk destroy', async () =>
      ended(await run('destroy', '--force', '--app', join(folder, 'wiring'))),
    );
  } finally {
    await stack.stop();
  }
}

const clientOf = ({ url }: MiniStack) => ({
  endpoint: url,
  region: REGION,
  forcePathStyle: true,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

function ended({ code, log }: { readonly code: number | null; readonly log: string }): void {
  strictEqual(code, 0, `It ended with ${code}\n${log.slice(-4000)}`);
}

/** Synthesizes, adapts and deploys the development template. Returns the outputs of the stack. */
async function deploy(check: Check, { url, environment }: MiniStack, directory: string): Promise<Outputs> {
  const file = `${directory}.json`;
  const { templates } = await synthesize(directory, { env: 'development' });
  for (const path of templates)
    writeFileSync(path, JSON.stringify(adapted(JSON.parse(readFileSync(path, 'utf8')), url)));
  const app = ['--app', directory];
  await check('MiniStack: cdk bootstrap', async () =>
    ended(await cdk(['bootstrap', `aws://${ACCOUNT}/${REGION}`, ...app], { environment })),
  );
  await check('MiniStack: cdk deploy', async () =>
    ended(await cdk([...DEPLOY, ...app, '--outputs-file', file], { environment })),
  );
  return JSON.parse(readFileSync(file, 'utf8'))[NAME];
}

/** Returns a caller with a token of the user pool. */
async function caller(
  check: Check,
  stack: MiniStack,
  { URL: address = '', UserPool }: Outputs,
): Promise<Send> {
  const [, api = ''] = /^https:\/\/(\w+)\./.exec(address) ?? [];
  const base = `${stack.url}/restapis/${api}/v1/_user_request_`;
  let token: string | undefined;
  const send: Send = async (method, path, { headers = {}, json, body } = {}) => {
    const response = await fetch(`${base}${path.replace(/^\/v1(?=\/)/, '')}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  await check('API Gateway calls the function behind its alias', async () =>
    strictEqual((await send('GET', '/health')).status, 200),
  );
  await check('API Gateway refuses a request without a token', async () =>
    strictEqual((await send('GET', '/customers')).status, 401),
  );
  const { UserPoolClient: made } = await cognito(stack, 'CreateUserPoolClient', {
    UserPoolId: UserPool,
    ClientName: 'rehearsal',
    GenerateSecret: true,
    AllowedOAuthFlows: ['client_credentials'],
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthScopes: [`${NAME}/all:read`, `${NAME}/all:write`],
  });
  const { ClientId, ClientSecret } = made as { ClientId: string; ClientSecret: string };
  const response = await fetch(`${stack.url}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${ClientId}:${ClientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  token = String(((await response.json()) as Json).access_token);
  await check('the authorizer accepts a token of the user pool', async () => {
    const { status, text } = await send('GET', '/customers');
    strictEqual(status, 200, text);
  });
  return send;
}

/** Waits until a look finds something. @throws Error with the last result after a time in ms */
async function until<Found>(
  look: () => Promise<Found>,
  isFound: (found: Found) => boolean,
  limit = LIMIT_MS,
): Promise<Found> {
  for (const last = Date.now() + limit; ; await pause(250)) {
    const found = await look();
    if (isFound(found)) return found;
    if (Date.now() > last) throw new Error(`Not found after ${limit} ms: ${JSON.stringify(found)}`);
  }
}

const itemsOf = (body: Json): readonly Json[] => body.items as readonly Json[];

async function requests(check: Check, send: Send): Promise<void> {
  let location = '';
  await check('a customer and an order of it', async () => {
    const created = await send('POST', '/customers', { json: { name: 'Acme' } });
    strictEqual(created.status, 201, created.text);
    location = created.headers.get('location') ?? '';
    const order = await send('POST', `${location}/orders`, { json: { productId: 1, orderValue: 9.9 } });
    strictEqual(order.status, 201, order.text);
  });
  await check('SQS calls the worker: an accepted request ends with a new customer', async () => {
    const headers = { Prefer: 'respond-async' };
    const accepted = await send('POST', '/customers', { json: { name: 'Later' }, headers });
    strictEqual(accepted.status, 202, accepted.text);
    const operation = accepted.headers.get('location') ?? '';
    const end = await until(
      () => send('GET', operation),
      ({ status }) => status === 303,
    );
    strictEqual((await send('GET', end.headers.get('location') ?? '')).status, 200);
  });
  await check('streams call the events function: a change makes a version, and the log has it', async () => {
    const { changes } = await mark(send);
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const changed = await send('PATCH', location, { headers, body: '{"name":"Acme Ltd"}' });
    strictEqual(changed.status, 200, changed.text);
    const versions = await until(
      async () => itemsOf((await send('GET', `${location}/versions`)).json()),
      (items) => items.length === 2,
    );
    deepStrictEqual(
      versions.map(({ version }) => version),
      [2, 1],
    );
    strictEqual((await send('DELETE', `${location}`)).status, 204);
    await until(
      async () => (await send('GET', changes)).text,
      (text) => text.includes('"removed"') || text.includes('.removed'),
    );
  });
  await check('S3 calls the uploads function: a file by a presigned link is in the list', async () => {
    const json = { filename: 'wiring.txt', size: 5, contentType: 'text/plain' };
    const accepted = await send('POST', '/files', { json });
    strictEqual(accepted.status, 202, accepted.text);
    const [link] = accepted.json().uploads as { href: string; headers?: Record<string, string> }[];
    ok(link);
    const stored = await fetch(link.href, { method: 'PUT', headers: link.headers ?? {}, body: 'hello' });
    strictEqual(stored.status, 200, await stored.text());
    await until(() => filesOf(send), isListed);
    strictEqual((await send('GET', '/files/wiring.txt')).text, 'hello');
  });
}

const filesOf = async (send: Send) => itemsOf((await send('GET', '/files')).json());
const isListed = (files: readonly Json[]) => files.some(({ filename }) => filename === 'wiring.txt');

/** Returns the place in the log of changes after which new ones come. */
async function mark(send: Send): Promise<{ readonly changes: string }> {
  const { links } = (await send('GET', '/changes')).json() as { links: { rel: string; href: string }[] };
  return { changes: links.find(({ rel }) => rel === 'next')?.href ?? '/changes' };
}

/** Returns the lines with a text that functions have logged. */
async function logged({ url }: MiniStack, text: string): Promise<readonly string[]> {
  const call = async (operation: string, input: object): Promise<Json> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-amz-json-1.1',
        'X-Amz-Target': `Logs_20140328.${operation}`,
        Authorization: `AWS4-HMAC-SHA256 Credential=test/20261128/${REGION}/logs/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: JSON.stringify(input),
    });
    return (await response.json()) as Json;
  };
  const { logGroups = [] } = (await call('DescribeLogGroups', {})) as {
    logGroups?: { logGroupName: string }[];
  };
  const lines: string[] = [];
  for (const { logGroupName } of logGroups) {
    const { events = [] } = (await call('FilterLogEvents', { logGroupName })) as {
      events?: { message: string }[];
    };
    lines.push(...events.map(({ message }) => message));
  }
  return lines.filter((line) => line.includes(`"${text}"`));
}

/**
 * Gives the worker a bucket that lacks the files, as a wrong `adoptedBucket` would, and begins the daily comparison. A
 * second deployment could not: MiniStack updates no nested stacks with logs.
 */
async function recovery(check: Check, send: Send, stack: MiniStack, outputs: Outputs): Promise<void> {
  await check('with another bucket, the comparison removes nothing and says why', async () => {
    const client = clientOf(stack);
    await new S3Client(client).send(new CreateBucketCommand({ Bucket: OTHER_BUCKET }));
    const lambda = new LambdaClient(client);
    const FunctionName = outputs.Worker;
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const Variables = { ...Environment?.Variables, BUCKET: OTHER_BUCKET };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    const QueueUrl = outputs.OperationsQueue?.replace(/^https?:\/\/[^/]+/, stack.url);
    const MessageBody = '{"compare":{"of":"files"}}';
    await new SQSClient(client).send(new SendMessageCommand({ QueueUrl, MessageBody }));
    await until(
      () => logged(stack, 'comparison-stopped'),
      (lines) => lines.some((line) => line.includes('no object that files names')),
    );
    ok(isListed(await filesOf(send)));
  });
}
