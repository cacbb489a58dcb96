import { once } from 'node:events';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ClientConfig, DynamoDBClient, GetItemCommand } from '../../../../shared/aws/dynamodb/client.ts';

const GET = new GetItemCommand({ TableName: 't', Key: {} });
const closing: (() => void)[] = [];
const before = process.env.AWS_ENDPOINT_URL_DYNAMODB;
beforeEach(() => {
  closing.length = 0;
});
afterEach(() => {
  for (const close of closing) close();
  if (before === undefined) delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  else process.env.AWS_ENDPOINT_URL_DYNAMODB = before;
});

/** Starts a server on a free port. Returns its connections. */
async function listening(server: Server | HttpServer): Promise<Socket[]> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

function clientWith(more: ClientConfig = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    pause: async () => undefined,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 },
    ...more,
  });
  closing.push(() => client.destroy());
  return client;
}

const answering = (listener: RequestListener) => listening(createServer(listener));

test('calls reuse a connection', async () => {
  const sockets = await answering((_request, response) => response.end('{}'));
  const client = clientWith();
  for (let times = 0; times < 5; times += 1) await client.send(GET);
  expect(sockets).toHaveLength(1);
  await Promise.all([1, 2, 3].map(() => client.send(GET)));
  expect(sockets).toHaveLength(3);
});

test('a call has its operation, its JSON and its length', async () => {
  const seen: unknown[] = [];
  await answering(async (request, response) => {
    const chunks = await request.toArray();
    const { 'x-amz-target': target, 'content-type': type, 'content-length': length } = request.headers;
    seen.push(request.method, request.url, target, type, length, Buffer.concat(chunks).toString());
    response.end('{}');
  });
  await clientWith().send(new GetItemCommand({ TableName: 'ü', Key: {} }));
  const json = '{"TableName":"ü","Key":{}}';
  const length = String(Buffer.byteLength(json));
  expect(seen).toEqual([
    'POST',
    '/',
    'DynamoDB_20120810.GetItem',
    'application/x-amz-json-1.0',
    length,
    json,
  ]);
});

test('a connection ends after Connection: close', async () => {
  const sockets = await answering((_request, response) => {
    response.setHeader('connection', 'close').end('{}');
  });
  const client = clientWith();
  for (let times = 0; times < 3; times += 1) expect((await client.send(GET)).$metadata.attempts).toBe(1);
  expect(sockets).toHaveLength(3);
});

test('a call takes another connection if DynamoDB has closed the idle one', async () => {
  let calls = 0;
  const sockets = await answering((request, response) => {
    calls += 1;
    if (calls === 2) request.socket.resetAndDestroy();
    else response.end('{}');
  });
  const client = clientWith();
  await client.send(GET);
  expect((await client.send(GET)).$metadata.attempts).toBe(2);
  expect(sockets).toHaveLength(2);
});

test('a response that ends too early leads to another attempt', async () => {
  let calls = 0;
  await answering((_request, response) => {
    calls += 1;
    if (calls > 1) return void response.end('{}');
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"Item":', () => response.destroy());
  });
  expect((await clientWith().send(GET)).$metadata.attempts).toBe(2);
});

test('a response that never arrives ends in a TimeoutError after three attempts', async () => {
  let calls = 0;
  await answering(() => {
    calls += 1;
  });
  const client = clientWith({ requestHandler: { requestTimeout: 30 } });
  await expect(client.send(GET)).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'DynamoDB gave no response within 30 ms',
    $metadata: { attempts: 3 },
  });
  expect(calls).toBe(3);
});

test('a response that stops in the middle ends in a TimeoutError', async () => {
  await answering((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"Item":');
  });
  const call = clientWith({ maxAttempts: 1 }).send(GET, { requestTimeout: 50 });
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a connection that is never made ends in a TimeoutError', async () => {
  // The server takes the connection, but never answers the handshake of TLS.
  await listening(createTcpServer(() => {}));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = process.env.AWS_ENDPOINT_URL_DYNAMODB?.replace('http:', 'https:');
  const client = clientWith({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 50, requestTimeout: 5000 },
  });
  await expect(client.send(GET)).rejects.toMatchObject({
    name: 'TimeoutError',
    message: 'DynamoDB gave no connection within 50 ms',
  });
});

test('a refused connection ends in an error with Node’s code', async () => {
  await answering(() => {});
  for (const close of closing.splice(0)) close();
  await expect(clientWith().send(GET)).rejects.toMatchObject({
    name: 'NetworkingError',
    code: 'ECONNREFUSED',
    $metadata: { attempts: 3 },
  });
});

test('the caller’s signal ends a call before, during and after its request', async () => {
  const abort = new AbortController();
  let calls = 0;
  await answering((_request, response) => {
    calls += 1;
    if (calls === 1) response.end('{}');
    else abort.abort();
  });
  const client = clientWith();
  await client.send(GET, { abortSignal: abort.signal });
  await expect(client.send(GET, { abortSignal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
  await expect(client.send(GET, { abortSignal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' });
  expect(calls).toBe(2);
});

test('calls wait for one of 50 connections', async () => {
  const sockets = await answering((_request, response) => void setTimeout(() => response.end('{}'), 5));
  const client = clientWith();
  await Promise.all(Array.from({ length: 120 }, () => client.send(GET)));
  expect(sockets).toHaveLength(50);
});
