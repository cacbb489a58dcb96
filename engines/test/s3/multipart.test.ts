import { createHash, randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  type UploadPartCommandInput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { onAws } from '../../../test/support/differences.ts';
import { openClients, REAL, unique } from '../clients.ts';

const clients = openClients();
const { s3 } = clients;
const Bucket = unique('multipart');
const MIB = 1024 * 1024;
const large = randomBytes(5 * MIB);

interface Begun {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}
type SentPart = { readonly PartNumber: number; readonly ETag?: string };

beforeAll(() => s3.send(new CreateBucketCommand({ Bucket })));
afterAll(async () => {
  if (REAL.s3) {
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
    for (const { Key, UploadId } of Uploads)
      await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    await s3.send(new DeleteBucketCommand({ Bucket }));
  }
  await clients.close();
});

async function begin(
  Key = unique('key'),
  more: Partial<CreateMultipartUploadCommandInput> = {},
): Promise<Begun> {
  const { UploadId = '' } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }));
  return { Bucket, Key, UploadId };
}
async function send(
  upload: Begun,
  PartNumber: number,
  Body: string | Uint8Array,
  more: Partial<UploadPartCommandInput> = {},
): Promise<SentPart> {
  const { ETag } = await s3.send(new UploadPartCommand({ ...upload, PartNumber, Body, ...more }));
  return { PartNumber, ETag };
}
const complete = (
  upload: Begun,
  Parts: SentPart[],
  more: Partial<CompleteMultipartUploadCommandInput> = {},
) => s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...more }));
const abort = (upload: Begun) => s3.send(new AbortMultipartUploadCommand(upload));
const read = async (Key: string, Range?: string) =>
  Buffer.from(
    (await (await s3.send(new GetObjectCommand({ Bucket, Key, Range }))).Body?.transformToByteArray()) ?? [],
  );
const md5 = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest();
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
const fault = (name: string, httpStatusCode = 400) => ({
  name,
  $metadata: expect.objectContaining({ httpStatusCode }),
});

describe('a multipart object', () => {
  test('is one object with the properties from the start of its upload', async () => {
    const upload = await begin(unique('whole'), { ContentType: 'video/mp4', Metadata: { operation: '42' } });
    // In any order, and one of them twice.
    const third = await send(upload, 30, 'the end');
    await send(upload, 2, 'first try');
    const second = await send(upload, 2, large);
    const first = await send(upload, 1, large);
    const { ETag } = await complete(upload, [first, second, third]);
    const tag = md5(Buffer.concat([md5(large), md5(large), md5('the end')])).toString('hex');
    expect(ETag).toBe(`"${tag}-3"`);
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: upload.Key }))).toMatchObject({
      ETag,
      ContentLength: 2 * large.length + 7,
      ContentType: 'video/mp4',
      Metadata: { operation: '42' },
    });
    const whole = Buffer.concat([large, large, Buffer.from('the end')]);
    expect((await read(upload.Key)).equals(whole)).toBe(true);
    for (const [begin, end] of [
      [0, 0],
      [large.length - 2, large.length + 1],
      [2 * large.length - 1, 2 * large.length],
      [5, 2 * large.length + 3],
      [2 * large.length, 2 * large.length + 6],
    ] as const) {
      const part = await read(upload.Key, `bytes=${begin}-${end}`);
      expect(part.equals(whole.subarray(begin, end + 1))).toBe(true);
    }
  });

  test('appears at its completion, which ends the upload', async () => {
    const upload = await begin();
    const part = await send(upload, 1, 'small');
    await expect(read(upload.Key)).rejects.toMatchObject(fault('NoSuchKey', 404));
    await complete(upload, [part]);
    await expect(send(upload, 2, 'x')).rejects.toMatchObject(fault('NoSuchUpload', 404));
    expect((await read(upload.Key)).toString()).toBe('small');
  });

  test('replaces the old object, which a running download continues to read', async () => {
    const Key = unique('replaced');
    const first = await begin(Key);
    await complete(first, [await send(first, 1, large), await send(first, 2, 'one')]);
    const reading = await s3.send(new GetObjectCommand({ Bucket, Key }));
    const second = await begin(Key);
    await complete(second, [await send(second, 1, 'two')]);
    expect((await read(Key)).toString()).toBe('two');
    const bytes = Buffer.from((await reading.Body?.transformToByteArray()) ?? []);
    expect(bytes.equals(Buffer.concat([large, Buffer.from('one')]))).toBe(true);
  });

  test('has a checksum of the checksums of its parts', async () => {
    const upload = await begin(unique('summed'), { ChecksumAlgorithm: 'SHA256' });
    const sum = (bytes: string | Uint8Array) => sha256(bytes).toString('base64');
    const part = async (number: number, bytes: string | Uint8Array) => ({
      ...(await send(upload, number, bytes, { ChecksumSHA256: sum(bytes) })),
      ChecksumSHA256: sum(bytes),
    });
    const parts = [await part(1, large), await part(2, 'end')];
    const ChecksumSHA256 = `${sum(Buffer.concat([sha256(large), sha256('end')]))}-2`;
    expect(await complete(upload, parts)).toMatchObject({ ChecksumSHA256, ChecksumType: 'COMPOSITE' });
    const head = new HeadObjectCommand({ Bucket, Key: upload.Key, ChecksumMode: 'ENABLED' });
    expect(await s3.send(head)).toMatchObject({ ChecksumSHA256 });
  });
});

describe('a multipart upload refuses', () => {
  test.each<[string, (sent: SentPart[]) => SentPart[]]>([
    ['parts out of order', ([a, b]) => [b as SentPart, a as SentPart]],
    ['a part twice', ([a]) => [a as SentPart, a as SentPart]],
  ])('%s', async (_case, chosen) => {
    const upload = await begin();
    // No part is too small: only the tested error remains.
    const sent = [await send(upload, 1, large), await send(upload, 2, large)];
    await expect(complete(upload, chosen(sent))).rejects.toMatchObject(fault('InvalidPartOrder'));
    await complete(upload, sent.slice(0, 1));
    expect((await read(upload.Key)).equals(large)).toBe(true);
  });

  test.each<[string, (sent: SentPart[]) => SentPart[], string]>([
    ['a part that is not there', ([a]) => [a as SentPart, { PartNumber: 9, ETag: '"x"' }], 'InvalidPart'],
    ['another ETag', () => [{ PartNumber: 1, ETag: '"0123456789abcdef0123456789abcdef"' }], 'InvalidPart'],
    ['a small part that is not the last', (all) => all, 'EntityTooSmall'],
    ['no parts', () => [], 'MalformedXML'],
  ])('%s', async (_case, chosen, name) => {
    const upload = await begin();
    const sent = [await send(upload, 1, 'small'), await send(upload, 2, 'smaller')];
    await expect(complete(upload, chosen(sent))).rejects.toMatchObject(fault(name));
    // The refusal keeps the upload.
    await complete(upload, sent.slice(0, 1));
    expect((await read(upload.Key)).toString()).toBe('small');
  });

  test('another size than the declared one', async () => {
    const upload = await begin();
    const part = await send(upload, 1, 'five!');
    await expect(complete(upload, [part], { MpuObjectSize: 6 })).rejects.toMatchObject(
      fault('InvalidRequest'),
    );
    await complete(upload, [part], { MpuObjectSize: 5 });
  });

  test('a part that does not match its digest', async () => {
    const upload = await begin(unique('digests'), { ChecksumAlgorithm: 'SHA256' });
    const other = sha256('other').toString('base64');
    await expect(send(upload, 1, 'x', { ChecksumSHA256: other })).rejects.toMatchObject(fault('BadDigest'));
    await expect(send(upload, 1, 'x')).rejects.toMatchObject(fault('InvalidRequest'));
    const plain = await begin();
    await expect(send(plain, 1, 'x', { ContentMD5: md5('y').toString('base64') })).rejects.toMatchObject(
      fault('BadDigest'),
    );
    for (const upload of [await begin(), plain])
      await expect(complete(upload, [{ PartNumber: 1, ETag: '"x"' }])).rejects.toMatchObject(
        fault('InvalidPart'),
      );
  });

  const ofItsKind = onAws('a part has a digest of the kind that its upload was begun with');
  ofItsKind('a digest of another kind than the announced one', async () => {
    const digest = { ChecksumSHA256: sha256('x').toString('base64') };
    const refused = send(await begin(), 1, 'x', digest);
    await expect(refused).rejects.toMatchObject(fault('InvalidRequest'));
  });

  test.each([0, 10_001])('the part number %p', async (number) => {
    await expect(send(await begin(), number, 'x')).rejects.toMatchObject(fault('InvalidArgument'));
  });

  test('an unknown upload id, or one of another key', async () => {
    const upload = await begin();
    for (const other of [
      { ...upload, UploadId: 'unknown' },
      { ...upload, Key: unique('other') },
    ]) {
      await expect(send(other, 1, 'x')).rejects.toMatchObject(fault('NoSuchUpload', 404));
      await expect(abort(other)).rejects.toMatchObject(fault('NoSuchUpload', 404));
      await expect(s3.send(new ListPartsCommand(other))).rejects.toMatchObject(fault('NoSuchUpload', 404));
    }
  });
});

describe('a condition at the completion', () => {
  test('If-None-Match: lets one of many uploads of a key win', async () => {
    const Key = unique('race');
    const uploads = await Promise.all(Array.from({ length: 5 }, () => begin(Key)));
    const parts = await Promise.all(uploads.map((upload, at) => send(upload, 1, `writer ${at}`)));
    const results = await Promise.allSettled(
      uploads.map((upload, at) => complete(upload, [parts[at] as SentPart], { IfNoneMatch: '*' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('If-Match compares the current object', async () => {
    const Key = unique('match');
    const upload = await begin(Key);
    const part = await send(upload, 1, 'new');
    await expect(complete(upload, [part], { IfMatch: '"x"' })).rejects.toMatchObject(fault('NoSuchKey', 404));
    const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'old' }));
    await expect(complete(upload, [part], { IfMatch: '"x"' })).rejects.toMatchObject(
      fault('PreconditionFailed', 412),
    );
    await complete(upload, [part], { IfMatch: ETag });
    expect((await read(Key)).toString()).toBe('new');
  });
});

describe('uploads in progress', () => {
  test('list their parts page by page', async () => {
    const upload = await begin();
    const sent: SentPart[] = [];
    for (const number of [7, 3, 5]) sent.push(await send(upload, number, `part ${number}`));
    const page = await s3.send(new ListPartsCommand({ ...upload, MaxParts: 2 }));
    expect(page).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '5' });
    expect(page.Parts).toMatchObject([
      { PartNumber: 3, Size: 6, ETag: sent[1]?.ETag },
      { PartNumber: 5, Size: 6, ETag: sent[2]?.ETag },
    ]);
    const rest = await s3.send(new ListPartsCommand({ ...upload, PartNumberMarker: '5' }));
    expect(rest.Parts).toMatchObject([{ PartNumber: 7 }]);
    expect(rest.IsTruncated).toBe(false);
    await abort(upload);
  });

  const begun = async (Prefix: string) => ({
    uploads: [await begin(`${Prefix}/b`), await begin(`${Prefix}/a`), await begin(`${Prefix}/a`)],
    list: (more = {}) => s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...more })),
  });

  onAws('uploads are listed by pages')('are listed page by page', async () => {
    const Prefix = unique('ü pages');
    const { uploads, list } = await begun(Prefix);
    const all = (await list()).Uploads ?? [];
    const first = await list({ MaxUploads: 1 });
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = first;
    const rest = (await list({ KeyMarker, UploadIdMarker })).Uploads ?? [];
    expect([...(first.Uploads ?? []), ...rest].map(({ UploadId }) => UploadId)).toEqual(
      all.map(({ UploadId }) => UploadId),
    );
    expect((await list({ KeyMarker })).Uploads?.map(({ Key }) => Key)).toEqual([`${Prefix}/b`]);
    for (const upload of uploads) await abort(upload);
  });

  test('are listed by key, and an abort is final', async () => {
    const Prefix = unique('ü listed');
    const { uploads, list } = await begun(Prefix);
    const all = (await list()).Uploads ?? [];
    expect(all.map(({ Key }) => Key)).toEqual([`${Prefix}/a`, `${Prefix}/a`, `${Prefix}/b`]);
    for (const upload of uploads) await abort(upload);
    expect((await list()).Uploads ?? []).toEqual([]);
    await expect(send(uploads[0] as Begun, 1, 'x')).rejects.toMatchObject(fault('NoSuchUpload', 404));
  });
});
