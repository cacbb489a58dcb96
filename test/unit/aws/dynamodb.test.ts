import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';

const GET = () => new GetItemCommand({ TableName: 't', Key: { id: { N: '1' } } });
const ITEM = '{"Item":{"a":{"S":"ü"}}}';
const JSON_TYPE = { 'content-type': 'application/x-amz-json-1.0' };

let server: Server | undefined;
afterEach(() => {
  dynamoDb().destroy();
  server?.closeAllConnections();
  server?.close();
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
});

/** Starts a DynamoDB that handles requests in turn with these functions, and then with the last one. */
async function handledBy(...listeners: readonly RequestListener[]): Promise<{ calls: () => number }> {
  let calls = 0;
  server = createServer((request, response) => {
    const listener = listeners[Math.min(calls, listeners.length - 1)];
    calls += 1;
    listener?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  configureClients({ region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  return { calls: () => calls };
}

const responding =
  (body: string, headers: Readonly<Record<string, string>> = {}, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body);
const checked = responding(ITEM, { 'x-amz-crc32': String(crc32(ITEM)) });
const refusing = (type: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  responding(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` }), headers, 400);

describe('another attempt', () => {
  const cases: readonly (readonly [string, RequestListener])[] = [
    ['a damaged response', responding('{"Item":{"a":{"S":"u"}}}', { 'x-amz-crc32': String(crc32(ITEM)) })],
    ['a cut response with a CRC32', responding(ITEM.slice(0, 9), { 'x-amz-crc32': String(crc32(ITEM)) })],
    ['a cut response without a CRC32', responding(ITEM.slice(0, 9))],
    ['the response of a proxy', responding('<html>', {}, 503)],
    ['throttling', refusing('ProvisionedThroughputExceededException')],
    [
      'a connection that breaks in the content',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write(ITEM, () => response.destroy());
      },
    ],
    ['a connection that breaks before the response', ({ socket }) => void socket.resetAndDestroy()],
  ];

  test.each(cases)('follows %s', async (_about, fault) => {
    const { calls } = await handledBy(fault, checked);
    expect(await dynamoDb().send(GET())).toMatchObject({ Item: { a: { S: 'ü' } } });
    expect(calls()).toBe(2);
  });

  test('follows a content that does not end in three seconds', async () => {
    const { calls } = await handledBy((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write(ITEM);
    }, checked);
    expect(await dynamoDb().send(GET())).toMatchObject({ Item: { a: { S: 'ü' } } });
    expect(calls()).toBe(2);
  });

  test.each(['ConditionalCheckFailedException', 'ValidationException', 'AccessDeniedException'])(
    'does not follow %s',
    async (name) => {
      const { calls } = await handledBy(refusing(name));
      await expect(dynamoDb().send(GET())).rejects.toMatchObject({ name });
      expect(calls()).toBe(1);
    },
  );

  test('does not follow the third one', async () => {
    const { calls } = await handledBy(responding(ITEM.slice(0, 9)));
    await expect(dynamoDb().send(GET())).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(calls()).toBe(3);
  });

  test('waits as long as DynamoDB asks', async () => {
    const times: number[] = [];
    const busy: RequestListener = (request, response) => {
      times.push(Date.now());
      refusing('ThrottlingException', { 'retry-after': '1' })(request, response);
    };
    await handledBy(busy, (request, response) => {
      times.push(Date.now());
      checked(request, response);
    });
    await dynamoDb().send(GET());
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(1000);
  });
});

test('a response whose CRC32 is right is accepted at once', async () => {
  const { calls } = await handledBy(checked);
  expect(await dynamoDb().send(GET())).toMatchObject({ Item: { a: { S: 'ü' } } });
  expect(calls()).toBe(1);
});

test('a call composes the middlewares of its command once', async () => {
  await handledBy(checked);
  let times = 0;
  const resolve = GetItemCommand.prototype.resolveMiddleware;
  GetItemCommand.prototype.resolveMiddleware = function (...given) {
    times += 1;
    return resolve.apply(this, given);
  };
  try {
    for (let calls = 0; calls < 3; calls += 1) await dynamoDb().send(GET());
  } finally {
    GetItemCommand.prototype.resolveMiddleware = resolve;
  }
  expect(times).toBe(1);
});
