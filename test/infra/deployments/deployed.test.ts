import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningEngines, runningEngines } from '../../../local/running.ts';
import { run, temporary } from '../../support/service/service.ts';
import { bundleOf } from '../bundles.ts';

/**
 * Bundles against the engines of a running service. As in Lambda, nothing else of this project is available.
 * The files that load on demand must share the classes of index.js, such as `Decimal` and `Unavailable`.
 */
const directory = mkdtempSync(join(tmpdir(), 'resource-api-deployed-'));
let service: Awaited<ReturnType<typeof run>>;
let data: Awaited<ReturnType<typeof temporary>>;
let engines: RunningEngines;

beforeAll(async () => {
  for (const name of ['orders', 'customers', 'worker']) {
    cpSync((await bundleOf(name)).directory, join(directory, name), { recursive: true });
  }
  data = await temporary();
  service = await run({ directory: data.directory });
  engines = runningEngines({ DATA_DIR: data.directory }) as RunningEngines;
}, 60_000);

afterAll(async () => {
  await service.stop();
  await data.remove();
  rmSync(directory, { recursive: true, force: true });
});

interface Invocation {
  readonly method: string;
  readonly path: string;
  readonly template?: string;
  readonly parameters?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly body?: string;
  readonly environment?: Record<string, string>;
}

/** Invokes the function of a resource in its own process. */
async function invoke(
  name: string,
  { method, path, template = path, parameters, headers = {}, json, body, environment = {} }: Invocation,
) {
  const multiValueHeaders = Object.fromEntries(
    Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([key, value]) => [key, [value]]),
  );
  const sent = json === undefined ? body : JSON.stringify(json);
  const event = {
    resource: template,
    path,
    pathParameters: parameters ?? null,
    httpMethod: method,
    multiValueHeaders,
    body: sent === undefined ? null : Buffer.from(sent).toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId: 'r', requestTimeEpoch: Date.now() },
  };
  const answer = (await handed(name, event, environment)) as {
    statusCode: number;
    headers: Record<string, string>;
    body: string;
    isBase64Encoded: boolean;
  };
  const { statusCode, headers: fields, isBase64Encoded } = answer;
  const text = isBase64Encoded ? Buffer.from(answer.body, 'base64').toString() : answer.body;
  return { statusCode, headers: fields, text };
}

/** Passes an event to a function in its own process. */
async function handed(
  name: string,
  event: object,
  environment: Record<string, string> = {},
): Promise<unknown> {
  const script = join(directory, name, 'invoke.cjs');
  writeFileSync(
    script,
    `require('./index.js')
       .handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 300000 })
       .then((answer) => console.log(JSON.stringify(answer)));`,
  );
  const { url: engine, credentials } = engines;
  const tables = ['customers', 'orders', 'products', 'operations', 'idempotency'];
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    cwd: join(directory, name),
    env: {
      TABLES: tables.map((table) => `${table}=resource-api-${table}`).join(' '),
      BUCKET: 'resource-api-files',
      OPERATIONS_QUEUE: `${engine}/000000000000/resource-api-operations`,
      AWS_ENDPOINT_URL_DYNAMODB: engine,
      AWS_ENDPOINT_URL_S3: engine,
      AWS_ENDPOINT_URL_SQS: engine,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...environment,
    },
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) as string);
}

describe('a deployed function', () => {
  test('creates many items and keeps every digit', async () => {
    const values = ['0.1', '12345678901234.123456789'];
    const body = `[${values.map((value) => `{"productId":1,"orderValue":${value}}`).join()}]`;
    const answer = await invoke('orders', { method: 'POST', path: '/orders', body });
    expect([answer.statusCode, answer.headers.Location]).toEqual([201, '/orders']);
    expect(answer.text).toContain('"orderValue":12345678901234.123456789');
    const [{ orderId }] = JSON.parse(answer.text).items;
    const page = await invoke('orders', {
      method: 'GET',
      path: `/orders/${orderId}`,
      template: '/orders/{id}',
      parameters: { id: String(orderId) },
      headers: { Accept: 'text/html' },
    });
    expect(page.text).toContain('<dd>0.10 EUR</dd>');
  });

  test('accepts deferred requests with small and large inputs', async () => {
    const headers = { Prefer: 'respond-async, wait=5' };
    for (const name of ['x', 'x'.repeat(9_000)]) {
      const json = Array.from({ length: 5 }, () => ({ name }));
      const answer = await invoke('customers', { method: 'POST', path: '/customers', headers, json });
      expect([answer.statusCode, answer.headers.Location]).toEqual([201, '/customers']);
    }
  });

  test('reports an engine that does not respond', async () => {
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' };
    for (const Prefer of ['respond-async', 'handling=lenient', 'return=minimal']) {
      const json = [{ name: 'a' }];
      const answer = await invoke('customers', {
        method: 'POST',
        path: '/customers',
        headers: { Prefer },
        json,
        environment,
      });
      expect([answer.statusCode, answer.headers['Retry-After']]).toEqual([503, '1']);
    }
  }, 60_000);

  test('reports a queue that does not respond, and fails the operation', async () => {
    const environment = { OPERATIONS_QUEUE: 'http://127.0.0.1:9/000000000000/none' };
    const headers = { Prefer: 'respond-async' };
    const answer = await invoke('customers', {
      method: 'POST',
      path: '/customers',
      headers,
      json: { name: 'a' },
      environment,
    });
    expect(answer.statusCode).toBe(503);
  });

  test('runs accepted requests as a worker', async () => {
    const { QueueUrl } = await new SQSClient({
      endpoint: engines.url,
      region: 'us-east-1',
      credentials: engines.credentials,
    }).send(new CreateQueueCommand({ QueueName: 'read-by-no-function' }));
    const environment = { OPERATIONS_QUEUE: QueueUrl as string };
    const headers = { Prefer: 'respond-async' };
    const body = '{"productId":1,"orderValue":12345678901234.123456789}';
    const order = { method: 'POST', path: '/orders', headers, body, environment };
    const accepted = await invoke('orders', order);
    expect(accepted.statusCode).toBe(202);
    const { operationId } = JSON.parse(accepted.text);
    const record = { messageId: 'm', receiptHandle: 'r', body: JSON.stringify({ operationId }) };
    const attributes = { ApproximateReceiveCount: '1' };
    expect(await handed('worker', { Records: [{ ...record, attributes }] })).toEqual({
      batchItemFailures: [],
    });
    const status = await fetch(`${service.url}/operations/${operationId}`, { redirect: 'manual' });
    expect(status.status).toBe(303);
    const { headers: found } = status;
    const made = await fetch(`${service.url}${found.get('location')}`);
    expect(await made.text()).toContain('"orderValue":12345678901234.123456789');
  });
});
