import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Engines, openEngines } from '../../engines.ts';
import { listen } from '../../listener.ts';
import { CREDENTIALS, unique } from '../clients.ts';

const MIB = 1024 * 1024;
/** The size of the upload in parts. */
const SIZE_MIB = Number(process.env.UPLOAD_MIB ?? 128);
const directory = mkdtempSync(join(tmpdir(), 'engines-'));
const Bucket = 'presigned';
let engines: Engines;
let listener: Awaited<ReturnType<typeof listen>>;
let s3: S3Client;

beforeAll(async () => {
  engines = openEngines({ directory, credentials: CREDENTIALS });
  listener = await listen(engines, { host: '127.0.0.1', port: 0 });
  s3 = new S3Client({
    endpoint: listener.url,
    region: 'us-east-1',
    credentials: CREDENTIALS,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await s3.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  s3.destroy();
  await listener.close();
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});

const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('base64');
type Headers = Record<string, string>;

describe('a presigned PUT', () => {
  const body = 'the content';
  const signed: Headers = {
    'content-type': 'text/plain; charset=utf-8',
    'if-none-match': '*',
    'x-amz-checksum-sha256': sha256(body),
    'x-amz-meta-operation': '42',
  };
  const sign = (Key: string) =>
    getSignedUrl(
      s3,
      new PutObjectCommand({
        Bucket,
        Key,
        ContentLength: body.length,
        ContentType: signed['content-type'],
        IfNoneMatch: '*',
        ChecksumSHA256: signed['x-amz-checksum-sha256'],
        Metadata: { operation: '42' },
      }),
      {
        expiresIn: 60,
        signableHeaders: new Set(['content-type']),
        unhoistableHeaders: new Set(['x-amz-checksum-sha256', 'x-amz-meta-operation']),
      },
    );
  const put = async (url: string, content: string, headers: Headers) => {
    const answer = await fetch(url, { method: 'PUT', body: content, headers });
    return [answer.status, /<Code>(\w+)/.exec(await answer.text())?.[1]];
  };

  test('takes the signed request', async () => {
    const Key = unique('as signed');
    const url = await sign(Key);
    const names = 'content-length;content-type;host;if-none-match;x-amz-checksum-sha256;x-amz-meta-operation';
    expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')).toBe(names);
    expect(await put(url, body, signed)).toEqual([200, undefined]);
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));
    expect(head).toMatchObject({
      ContentType: signed['content-type'],
      Metadata: { operation: '42' },
      ChecksumSHA256: signed['x-amz-checksum-sha256'],
    });
    // The signature covers the condition.
    expect(await put(url, body, signed)).toEqual([412, 'PreconditionFailed']);
  });

  test.each<[string, string, Headers, number, string]>([
    ['a longer body', `${body}!`, signed, 403, 'SignatureDoesNotMatch'],
    ['another body of that length', 'THE CONTENT', signed, 400, 'BadDigest'],
    ['another type', body, { ...signed, 'content-type': 'text/html' }, 403, 'SignatureDoesNotMatch'],
    ['another operation', body, { ...signed, 'x-amz-meta-operation': '43' }, 403, 'SignatureDoesNotMatch'],
    ['another condition', body, { ...signed, 'if-none-match': '"x"' }, 403, 'SignatureDoesNotMatch'],
    ['unsigned metadata', body, { ...signed, 'x-amz-meta-more': '1' }, 403, 'AccessDenied'],
    [
      'a header field left out',
      body,
      Object.fromEntries(Object.entries(signed).filter(([name]) => name !== 'if-none-match')),
      403,
      'SignatureDoesNotMatch',
    ],
  ])('refuses %s', async (_case, content, headers, status, code) => {
    const Key = unique('refused');
    expect(await put(await sign(Key), content, headers)).toEqual([status, code]);
    await expect(s3.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('enforces parameters in the URL as well', async () => {
    const Key = unique('hoisted');
    const Metadata = { operation: '7' };
    const command = new PutObjectCommand({ Bucket, Key, Metadata, ChecksumSHA256: sha256('hoisted') });
    const url = await getSignedUrl(s3, command);
    expect(await put(url, 'another', {})).toEqual([400, 'BadDigest']);
    expect(await put(url, 'hoisted', {})).toEqual([200, undefined]);
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key }))).Metadata).toEqual(Metadata);
  });
});

test(`takes ${SIZE_MIB} MiB in parts, each by its own link, in little memory`, async () => {
  const size = 16 * MIB;
  const upload = { Bucket, Key: 'huge.bin' };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(upload));
  const piece = randomBytes(MIB);
  const sent = createHash('sha256');
  let most = 0;
  const before = process.memoryUsage().rss;
  const pieces = function* () {
    for (let at = 0; at < size / MIB; at += 1) {
      most = Math.max(most, process.memoryUsage().rss);
      sent.update(piece);
      yield piece;
    }
  };
  const parts: string[] = [];
  const begun = performance.now();
  for (let PartNumber = 1; PartNumber <= SIZE_MIB / 16; PartNumber += 1) {
    const command = new UploadPartCommand({ ...upload, UploadId, PartNumber, ContentLength: size });
    const url = await getSignedUrl(s3, command, { expiresIn: 3600 });
    const answer = await fetch(url, {
      method: 'PUT',
      headers: { 'content-length': String(size) },
      body: ReadableStream.from(pieces()),
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(200);
    const etag = (answer.headers.get('etag') as string).replaceAll('"', '&quot;');
    parts.push(`<Part><PartNumber>${PartNumber}</PartNumber><ETag>${etag}</ETag></Part>`);
  }
  const seconds = (performance.now() - begun) / 1000;
  const command = new CompleteMultipartUploadCommand({ ...upload, UploadId, MpuObjectSize: SIZE_MIB * MIB });
  const url = await getSignedUrl(s3, command, { unhoistableHeaders: new Set(['x-amz-mp-object-size']) });
  const whole = await fetch(url, {
    method: 'POST',
    headers: { 'x-amz-mp-object-size': String(SIZE_MIB * MIB) },
    body: `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
  });
  expect([whole.status, await whole.text()]).toEqual([200, expect.stringContaining('<ETag>')]);
  expect(readdirSync(join(directory, 'objects')).length).toBeGreaterThanOrEqual(parts.length);
  const received = createHash('sha256');
  const got = await s3.send(new GetObjectCommand(upload));
  for await (const chunk of got.Body as AsyncIterable<Uint8Array>) {
    most = Math.max(most, process.memoryUsage().rss);
    received.update(chunk);
  }
  expect(received.digest('hex')).toBe(sent.digest('hex'));
  expect(most - before).toBeLessThan(128 * MIB);
  if (process.env.UPLOAD_MIB) {
    const grown = Math.round((most - before) / MIB);
    process.stderr.write(
      `${SIZE_MIB} MiB: ${Math.round(SIZE_MIB / seconds)} MiB/s up, ${grown} MiB more RSS\n`,
    );
  }
}, 180_000);
