import { randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  type CopyObjectCommandInput,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { onAws } from '../../../test/support/differences.ts';
import { openClients, REAL, unique } from '../clients.ts';

const clients = openClients();
const { s3 } = clients;
const Bucket = unique('copies');
const MIB = 1024 * 1024;

beforeAll(() => s3.send(new CreateBucketCommand({ Bucket })));
afterAll(async () => {
  if (REAL.s3) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    await s3.send(new DeleteBucketCommand({ Bucket }));
  }
  await clients.close();
});

const put = async (Key: string, Body: string | Uint8Array, more: Partial<PutObjectCommandInput> = {}) =>
  (await s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))).ETag as string;
const sourceOf = (key: string) => `${Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
const copy = (from: string, Key: string, more: Partial<CopyObjectCommandInput> = {}) =>
  s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: sourceOf(from), ...more }));
const head = (Key: string) => s3.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));
const read = async (Key: string) =>
  Buffer.from(
    (await (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToByteArray()) ?? [],
  );
const remove = (Key: string) => s3.send(new DeleteObjectCommand({ Bucket, Key }));
const fault = (name: string, httpStatusCode = 400) => ({
  name,
  $metadata: expect.objectContaining({ httpStatusCode }),
});

/** An object of two parts. */
async function ofParts(Key: string, pieces: readonly Uint8Array[]): Promise<void> {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'a/b' }));
  const Parts = [];
  for (const [at, Body] of pieces.entries()) {
    const part = { Bucket, Key, UploadId, PartNumber: at + 1 };
    const { ETag } = await s3.send(new UploadPartCommand({ ...part, Body }));
    Parts.push({ PartNumber: at + 1, ETag });
  }
  const whole = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
  await s3.send(new CompleteMultipartUploadCommand(whole));
}

describe('a copy', () => {
  test('has bytes, type, metadata and checksum of its source and outlives it', async () => {
    const [from, to] = [`${unique('from')}/ü +&%`, unique('to')];
    const ETag = await put(from, 'bytes', {
      ContentType: 'text/plain',
      Metadata: { operation: '42' },
      ChecksumAlgorithm: 'SHA256',
    });
    const before = await head(from);
    expect((await copy(from, to)).CopyObjectResult).toMatchObject({
      ETag,
      LastModified: expect.any(Date),
      ChecksumSHA256: before.ChecksumSHA256,
    });
    await remove(from);
    expect((await read(to)).toString()).toBe('bytes');
    expect(await head(to)).toMatchObject({
      ETag,
      ContentLength: 5,
      ContentType: 'text/plain',
      Metadata: { operation: '42' },
      ChecksumSHA256: before.ChecksumSHA256,
      ChecksumType: 'FULL_OBJECT',
    });
  });

  test('has its own metadata with the REPLACE directive, which also allows a copy onto itself', async () => {
    const [from, to] = [unique('from'), unique('to')];
    await put(from, 'bytes', { ContentType: 'text/plain', Metadata: { a: '1' }, CacheControl: 'no-store' });
    const replaced = { MetadataDirective: 'REPLACE', ContentType: 'a/b', Metadata: { c: '2' } } as const;
    await copy(from, to, replaced);
    const { ContentType, Metadata, CacheControl } = await head(to);
    expect([ContentType, Metadata, CacheControl]).toEqual(['a/b', { c: '2' }, undefined]);
    await expect(copy(from, from)).rejects.toMatchObject(fault('InvalidRequest'));
    await copy(from, from, replaced);
    expect([(await head(from)).ContentType, (await read(from)).toString()]).toEqual(['a/b', 'bytes']);
  });

  test('of a multipart object is complete', async () => {
    const [from, to] = [unique('from'), unique('to')];
    const pieces = [randomBytes(5 * MIB), randomBytes(100)];
    await ofParts(from, pieces);
    await copy(from, to);
    await remove(from);
    expect((await read(to)).equals(Buffer.concat(pieces))).toBe(true);
    expect((await head(to)).ContentType).toBe('a/b');
  });

  test('of an empty object is empty', async () => {
    const [from, to] = [unique('from'), unique('to')];
    await put(from, Buffer.alloc(0));
    await copy(from, to);
    expect((await read(to)).length).toBe(0);
  });

  test('replaces the old object, which a running download continues to read', async () => {
    const [from, to] = [unique('from'), unique('to')];
    const old = randomBytes(3 * MIB);
    await put(to, old);
    await put(from, 'new');
    const reading = await s3.send(new GetObjectCommand({ Bucket, Key: to }));
    await copy(from, to);
    await put(from, 'newer');
    expect([(await read(to)).toString(), (await read(from)).toString()]).toEqual(['new', 'newer']);
    const bytes = Buffer.from((await reading.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(old)).toBe(true);
  });

  test('evaluates the conditions of the source', async () => {
    const [from, to] = [unique('from'), unique('to')];
    const ETag = await put(from, 'bytes');
    await expect(copy(from, to, { CopySourceIfMatch: '"other"' })).rejects.toMatchObject(
      fault('PreconditionFailed', 412),
    );
    await expect(copy(from, to, { CopySourceIfNoneMatch: ETag })).rejects.toThrow();
    await expect(read(to)).rejects.toMatchObject(fault('NoSuchKey', 404));
    await copy(from, to, { CopySourceIfMatch: ETag });
  });

  onAws('a copy gets 412 if its source has an excluded entity tag')(
    'gets the right status for all conditions together',
    async () => {
      const from = unique('from');
      const CopySourceIfNoneMatch = await put(from, 'bytes');
      const refused = copy(from, unique('to'), { CopySourceIfNoneMatch });
      await expect(refused).rejects.toMatchObject(fault('PreconditionFailed', 412));
    },
  );

  const onTarget = onAws('a copy has conditions of its target');
  onTarget('evaluates the conditions of the target', async () => {
    const [from, to] = [unique('from'), unique('to')];
    await put(from, 'new');
    await expect(copy(from, to, { IfMatch: '"x"' })).rejects.toMatchObject(fault('NoSuchKey', 404));
    const ETag = await put(to, 'old');
    await expect(copy(from, to, { IfNoneMatch: '*' })).rejects.toMatchObject(
      fault('PreconditionFailed', 412),
    );
    await expect(copy(from, to, { IfMatch: '"x"' })).rejects.toMatchObject(fault('PreconditionFailed', 412));
    expect((await read(to)).toString()).toBe('old');
    await copy(from, to, { IfMatch: ETag });
    expect((await read(to)).toString()).toBe('new');
  });

  onTarget('wins once among many concurrent ones with If-None-Match', async () => {
    const to = unique('race');
    const sources = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const from = unique('from');
        await put(from, from);
        return from;
      }),
    );
    const results = await Promise.allSettled(sources.map((from) => copy(from, to, { IfNoneMatch: '*' })));
    const won = sources.filter((_, at) => results[at]?.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect((await read(to)).toString()).toBe(won[0]);
  });

  test.each<[string, Partial<CopyObjectCommandInput>, string, number]>([
    ['a missing source', { CopySource: `${Bucket}/none` }, 'NoSuchKey', 404],
    ['a missing bucket', { CopySource: `${unique('none')}/none` }, 'NoSuchBucket', 404],
    ['no key', { CopySource: Bucket }, 'InvalidArgument', 400],
  ])('refuses %s', async (_case, more, name, status) => {
    await expect(copy('x', unique('to'), more)).rejects.toMatchObject(fault(name, status));
  });
});

describe('a copied part', () => {
  const isNoRange = async (CopySourceRange: string) => {
    const [from, Key] = [unique('from'), unique('to')];
    await put(from, 'bytes');
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = { Bucket, Key, UploadId, PartNumber: 1, CopySource: sourceOf(from), CopySourceRange };
    await expect(s3.send(new UploadPartCopyCommand(part))).rejects.toMatchObject(fault('InvalidArgument'));
  };
  test.each(['bytes=5-4', 'bytes=0-5'])('cannot be %s of 5 bytes', isNoRange);
  onAws('a range of a copied part has two ends')('cannot be bytes=1-', () => isNoRange('bytes=1-'));

  test('may be ranges of another object', async () => {
    const [from, Key] = [unique('from'), unique('to')];
    const bytes = randomBytes(6 * MIB);
    const ETag = await put(from, bytes);
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const upload = { Bucket, Key, UploadId };
    const part = async (PartNumber: number, CopySourceRange?: string, more = {}) => {
      const named = { ...upload, PartNumber, CopySource: sourceOf(from), CopySourceRange, ...more };
      const { CopyPartResult } = await s3.send(new UploadPartCopyCommand(named));
      return { PartNumber, ETag: CopyPartResult?.ETag };
    };
    await expect(part(1, undefined, { CopySourceIfMatch: '"x"' })).rejects.toMatchObject(
      fault('PreconditionFailed', 412),
    );
    await expect(part(1, undefined, { CopySource: `${Bucket}/none` })).rejects.toMatchObject(
      fault('NoSuchKey', 404),
    );
    await expect(part(1, undefined, { UploadId: 'none' })).rejects.toMatchObject(fault('NoSuchUpload', 404));
    await part(1, 'bytes=0-9');
    const Parts = [
      await part(1, undefined, { CopySourceIfMatch: ETag }),
      await part(2, `bytes=${5 * MIB}-${6 * MIB - 1}`),
    ];
    await remove(from);
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    expect((await read(Key)).equals(Buffer.concat([bytes, bytes.subarray(5 * MIB)]))).toBe(true);
  });
});
