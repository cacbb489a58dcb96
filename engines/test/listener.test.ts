import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Engines, openEngines } from '../engines.ts';
import { listen } from '../listener.ts';
import { signedHeaders } from '../signature.ts';
import { CREDENTIALS } from './clients.ts';

const directory = mkdtempSync(join(tmpdir(), 'engines-'));
const Bucket = 'presigned';
const Key = 'a folder/ünï+code.txt';
let engines: Engines;
let listener: Awaited<ReturnType<typeof listen>>;
let s3: S3Client;

beforeAll(async () => {
  engines = openEngines({ directory, credentials: CREDENTIALS });
  listener = await listen(engines, { host: '127.0.0.1', port: 0 });
  s3 = new S3Client(config());
  await s3.send(new CreateBucketCommand({ Bucket }));
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: '0123456789', ContentType: 'text/plain' }));
});
afterAll(async () => {
  s3.destroy();
  await listener.close();
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});

function config() {
  return {
    endpoint: listener.url,
    region: 'us-east-1',
    credentials: CREDENTIALS,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  };
}
const getUrl = (options = {}) =>
  getSignedUrl(s3, new GetObjectCommand({ Bucket, Key }), { expiresIn: 60, ...options });

describe('presigned URLs', () => {
  test('work for GET, with a range and from another origin', async () => {
    const url = await getUrl();
    const whole = await fetch(url, { headers: { origin: 'http://localhost:3000' } });
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    expect(whole.headers.get('access-control-allow-origin')).toBe('*');
    const part = await fetch(url, { headers: { range: 'bytes=-3' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '789',
      'bytes 7-9/10',
    ]);
    const changed = await fetch(url, { headers: { range: 'bytes=-3', 'if-range': '"other"' } });
    expect([changed.status, await changed.text()]).toEqual([200, '0123456789']);
    const beyond = await fetch(url, { headers: { range: 'bytes=99-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
  });

  test('work for PUT, after a preflight', async () => {
    const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'uploaded' }), { expiresIn: 60 });
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect((await fetch(url, { method: 'PUT', body: 'from a browser' })).status).toBe(200);
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: 'uploaded' }));
    expect(await got.Body?.transformToString()).toBe('from a browser');
  });

  test.each<[string, (url: string) => string, string]>([
    ['tampered key', (url) => url.replace('.txt', '.text'), 'SignatureDoesNotMatch'],
    ['tampered expiry', (url) => url.replace('Expires=60', 'Expires=600'), 'SignatureDoesNotMatch'],
    ['tampered signature', (url) => url.replace(/(Signature=)\w{8}/, '$100000000'), 'SignatureDoesNotMatch'],
    ['added override', (url) => `${url}&response-content-type=text%2Fhtml`, 'SignatureDoesNotMatch'],
    ['unsigned', (url) => url.replace(/\?.*/, ''), 'AccessDenied'],
    ['malformed escape', (url) => url.replace('%20', '%zz'), 'SignatureDoesNotMatch'],
  ])('get 403 for %s', async (_case, change, code) => {
    const answer = await fetch(change(await getUrl()));
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining(`<Code>${code}</Code>`),
    ]);
  });

  test('get 403 after they expire', async () => {
    const answer = await fetch(await getUrl({ signingDate: new Date(Date.now() - 3_600_000) }));
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('Request has expired'),
    ]);
  });

  test('get 400 with other credentials', async () => {
    const answer = await fetch(await getUrl(), { headers: { authorization: 'Bearer token' } });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('<Code>InvalidArgument</Code>'),
    ]);
  });

  test('of GET allow neither HEAD nor PUT', async () => {
    const url = await getUrl();
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(403);
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
  });
});

describe('the JSON services refuse', () => {
  const content = '{"TableName":"none"}';
  const target = 'DynamoDB_20120810.DescribeTable';
  const host = () => new URL(listener.url).host;
  const signed = (headers: Record<string, string> = {}, at = Date.now()) =>
    signedHeaders(
      {
        method: 'POST',
        path: '/',
        query: '',
        headers: { host: host(), 'x-amz-target': target, ...headers },
        body: Buffer.from(content),
      },
      CREDENTIALS,
      at,
    );
  const post = (headers: Record<string, string>, body = content, query = '') =>
    fetch(`${listener.url}/${query}`, { method: 'POST', headers, body }).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      type: ((await answer.text()).match(/#(\w+)/) ?? [])[1],
    }));

  test('a signature that begins with the right key and is wrong', async () => {
    const authorization = `AWS4-HMAC-SHA256 Credential=${CREDENTIALS.accessKeyId}/x, SignedHeaders=host, Signature=none`;
    for (const name of ['DynamoDB_20120810.Query', 'AmazonSQS.SendMessage', 'AWSEvents.PutEvents'])
      expect((await post({ 'x-amz-target': name, authorization })).status).toBe(403);
    expect((await post(signed())).type).toBe('ResourceNotFoundException');
  });

  test('a signature of other content, of another operation or of another hour', async () => {
    const invalid = { status: 403, type: 'InvalidSignatureException' };
    expect(await post(signed(), '{"TableName":"other"}')).toMatchObject(invalid);
    const other = { ...signed(), 'x-amz-target': 'DynamoDB_20120810.Query' };
    expect(await post(other)).toMatchObject(invalid);
    expect(await post({ ...signed(), 'x-amz-added': 'x' })).toMatchObject(invalid);
    expect(await post(signed({}, Date.now() - 3_600_000))).toMatchObject(invalid);
  });

  test('a signature in the query', async () => {
    const { search } = new URL(await getUrl());
    expect((await post({ 'x-amz-target': target }, content, search)).status).toBe(403);
  });

  test('a web page of any origin, even with the key', async () => {
    const { search } = new URL(await getUrl());
    for (const origin of ['https://evil.example', 'http://localhost:3000', 'null'])
      for (const query of ['', search]) {
        const answer = await post({ ...signed(), origin }, content, query);
        expect([answer.status, answer.type]).toEqual([403, undefined]);
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
  });

  test('the preflight of a web page', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-headers': 'x-amz-target' };
    const answer = await fetch(listener.url, { method: 'OPTIONS', headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

describe('hosts', () => {
  /** The status of a request to this host. */
  const statusAt = (host: string, path = '/'): Promise<number | undefined> =>
    new Promise((done, failed) => {
      const { hostname, port } = new URL(listener.url);
      request({ hostname, port, path, headers: { host } }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      })
        .once('error', failed)
        .end();
    });

  test('refuse a presigned URL and the events under a name that is not loopback', async () => {
    const { pathname, search, host } = new URL(await getUrl());
    expect(await statusAt(host, pathname + search)).toBe(200);
    for (const name of ['evil.example', `127.0.0.1.evil.example:${host.split(':')[1]}`, '10.0.0.1'])
      for (const path of [pathname + search, '/_events', '/']) expect(await statusAt(name, path)).toBe(403);
  });
});

describe('the wire', () => {
  test('carries all three services through one port', async () => {
    const dynamodb = new DynamoDBClient(config());
    const sqs = new SQSClient(config());
    await expect(dynamodb.send(new DescribeTableCommand({ TableName: 'none' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'wire' }));
    expect(QueueUrl).toBe(`${listener.url}/000000000000/wire`);
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
    dynamodb.destroy();
    sqs.destroy();
  });

  test('carries a streamed upload, and gets "not implemented" for a trailing checksum', async () => {
    const bytes = Buffer.alloc(1_500_000, 'wire');
    const upload = () =>
      new PutObjectCommand({
        Bucket,
        Key: 'streamed',
        Body: Readable.from([bytes]),
        ContentLength: bytes.length,
      });
    await s3.send(upload());
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: 'streamed' }));
    expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
    const summing = new S3Client({ ...config(), requestChecksumCalculation: 'WHEN_SUPPORTED' });
    await expect(summing.send(upload())).rejects.toMatchObject({ name: 'NotImplemented' });
    summing.destroy();
  });

  test('refuses another key and a missing key', async () => {
    const stranger = { ...config(), credentials: { accessKeyId: 'stranger', secretAccessKey: 'x' } };
    const dynamodb = new DynamoDBClient(stranger);
    await expect(dynamodb.send(new DescribeTableCommand({ TableName: 'none' }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
    const other = new S3Client(stranger);
    await expect(other.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({
      name: 'InvalidAccessKeyId',
    });
    const guessed = new DynamoDBClient({
      ...config(),
      credentials: { ...CREDENTIALS, secretAccessKey: 'guessed' },
    });
    await expect(guessed.send(new DescribeTableCommand({ TableName: 'none' }))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    });
    guessed.destroy();
    const unsigned = await fetch(listener.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.ReceiveMessage' },
      body: '{}',
    });
    expect(unsigned.status).toBe(403);
    dynamodb.destroy();
    other.destroy();
  });

  test('carries a response to a body beyond the limit', async () => {
    const answer = await fetch(listener.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'DynamoDB_20120810.PutItem' },
      body: Buffer.alloc(17 * 1024 * 1024, ' '),
    });
    expect(answer.status).toBe(413);
  });

  test('survives a broken upload, which stores nothing', async () => {
    const { port } = new URL(listener.url);
    const url = new URL(
      await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'broken' }), { expiresIn: 60 }),
    );
    for (const head of [
      `PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: 1000\r\n\r\nhalf`,
      'nonsense\r\n\r\n',
    ]) {
      const socket = connect(Number(port), '127.0.0.1');
      await new Promise((sent) => socket.write(head, sent));
      await new Promise((gone) => socket.once('close', gone).resetAndDestroy());
    }
    await expect(s3.send(new GetObjectCommand({ Bucket, Key: 'broken' }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
  });
});
