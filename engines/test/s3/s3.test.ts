import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { onAws } from '../../../test/support/differences.ts';
import { openClients, REAL, unique } from '../clients.ts';

const clients = openClients();
const { s3 } = clients;
const Bucket = unique('contract');

beforeAll(() => s3.send(new CreateBucketCommand({ Bucket })));
afterAll(async () => {
  while (REAL.s3) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    if (Contents.length === 0) break;
    for (const { Key } of Contents) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
  }
  if (REAL.s3) await s3.send(new DeleteBucketCommand({ Bucket }));
  await clients.close();
});

const put = (Key: string, Body: PutObjectCommandInput['Body'], more: Partial<PutObjectCommandInput> = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
const text = async (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  (await get(Key, more)).Body?.transformToString();
const status = (httpStatusCode: number) => ({ $metadata: expect.objectContaining({ httpStatusCode }) });

describe('objects', () => {
  const keepsItsBytes = async (key: string) => {
    await put(key, `content of ${key}`);
    expect(await text(key)).toBe(`content of ${key}`);
  };
  test.each([
    'plain',
    'a space',
    'plus+and&amp',
    'percent%20',
    'quote\'"()*!:',
    'ünïcode/\u{1F600}',
    'a',
    '__proto__',
  ])('keep the bytes of the key %p', keepsItsBytes);
  onAws('a key is any text').each(['a/b', 'a//b/'])('keep the bytes of %p next to the key a', keepsItsBytes);
  onAws('a key may contain .. between slashes')('keep the bytes of ../up', () => keepsItsBytes('../up'));
  onAws('a key has 1,024 bytes')('keep the bytes of the longest key', () => keepsItsBytes('k'.repeat(1024)));

  test('refuse a key of more than 1024 bytes', async () => {
    await expect(put('é'.repeat(513), 'x')).rejects.toMatchObject({ name: 'KeyTooLongError' });
  });

  test('return metadata, ETag and length', async () => {
    const put1 = await put('meta', 'hello', {
      ContentType: 'text/plain; charset=utf-8',
      CacheControl: 'no-cache',
      ContentDisposition: 'attachment',
      Metadata: { owner: 'me' },
    });
    expect(put1.ETag).toBe('"5d41402abc4b2a76b9719d911017c592"');
    const expected = {
      ETag: put1.ETag,
      ContentLength: 5,
      ContentType: 'text/plain; charset=utf-8',
      CacheControl: 'no-cache',
      ContentDisposition: 'attachment',
      Metadata: { owner: 'me' },
    };
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'meta' }))).toMatchObject(expected);
    const got = await get('meta', { ResponseContentType: 'text/html' });
    expect(got).toMatchObject({ ...expected, ContentType: 'text/html' });
    expect(await got.Body?.transformToString()).toBe('hello');
  });

  test('are streams in both directions, unchanged', async () => {
    const bytes = Buffer.alloc(3_000_000, 'stream of bytes ');
    const pieces = Readable.from([bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001)]);
    await put('stream', pieces, { ContentLength: bytes.length });
    const got = await get('stream');
    const hash = createHash('sha256');
    for await (const piece of got.Body as Readable) hash.update(piece as Buffer);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  test('return a checksum with the whole object if the client wants it', async () => {
    const ChecksumSHA256 = createHash('sha256').update('summed').digest('base64');
    await put('summed', 'summed', { ChecksumSHA256 });
    const head = (more = {}) => s3.send(new HeadObjectCommand({ Bucket, Key: 'summed', ...more }));
    expect(await head({ ChecksumMode: 'ENABLED' })).toMatchObject({ ChecksumSHA256 });
    expect((await head()).ChecksumSHA256).toBeUndefined();
    expect(
      (await get('summed', { ChecksumMode: 'ENABLED', Range: 'bytes=0-1' })).ChecksumSHA256,
    ).toBeUndefined();
  });

  test('may be empty', async () => {
    await put('empty', '', { ContentLength: 0 });
    expect(await text('empty')).toBe('');
  });

  test.each<[string, Partial<PutObjectCommandInput>]>([
    ['Content-MD5', { ContentMD5: createHash('md5').update('other').digest('base64') }],
    ['CRC32', { ChecksumCRC32: 'AAAAAA==' }],
    ['SHA-256', { ChecksumSHA256: createHash('sha256').update('other').digest('base64') }],
  ])('refuse a wrong %s and store nothing', async (_case, digest) => {
    const key = unique('digest');
    await expect(put(key, 'body', digest)).rejects.toMatchObject(status(400));
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('get 404 if they are missing', async () => {
    await expect(get('nothing')).rejects.toMatchObject({ name: 'NoSuchKey', ...status(404) });
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: 'nothing' }))).rejects.toMatchObject(
      status(404),
    );
    await expect(s3.send(new HeadBucketCommand({ Bucket: unique('no') }))).rejects.toMatchObject(status(404));
    expect(await s3.send(new DeleteObjectCommand({ Bucket, Key: 'nothing' }))).toMatchObject(status(204));
  });
});

describe('ranges', () => {
  beforeAll(() => put('digits', '0123456789'));

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-', '89', 'bytes 8-9/10'],
    ['bytes=9-999', '9', 'bytes 9-9/10'],
  ])('%s', async (Range, expected, ContentRange) => {
    const got = await get('digits', { Range });
    expect(got).toMatchObject({ ContentRange, ContentLength: expected.length, ...status(206) });
    expect(await got.Body?.transformToString()).toBe(expected);
  });

  test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])(
    'without a byte, such as %s, get 416',
    async (Range) => {
      await expect(get('digits', { Range })).rejects.toMatchObject({ name: 'InvalidRange', ...status(416) });
    },
  );

  // "Amazon S3 doesn't support retrieving multiple ranges of data per GET request." RFC 9110 §14.2: a server may
  // ignore Range, and ignores an invalid one.
  test.each(['bytes=0-0,2-3', 'bytes=5-2', 'bytes=x', 'items=0-1'])('have no effect as %s', async (Range) => {
    const got = await get('digits', { Range });
    expect(got).toMatchObject({ ContentLength: 10, ...status(200) });
    expect(await got.Body?.transformToString()).toBe('0123456789');
  });
});

describe('conditions', () => {
  const past = new Date('2001-01-01');
  let etag = '';
  let modified: Date | undefined;
  beforeAll(async () => {
    etag = (await put('conditional', 'x')).ETag ?? '';
    modified = (await s3.send(new HeadObjectCommand({ Bucket, Key: 'conditional' }))).LastModified;
  });

  const statusOf = (input: Partial<GetObjectCommandInput>): Promise<number | undefined> =>
    get('conditional', input).then(
      async (got) => {
        await got.Body?.transformToByteArray();
        return got.$metadata.httpStatusCode;
      },
      (error) => error.$metadata?.httpStatusCode,
    );

  test.each<[string, () => Partial<GetObjectCommandInput>, number]>([
    ['If-Match same', () => ({ IfMatch: etag }), 200],
    ['If-Match same, without quotes', () => ({ IfMatch: etag.slice(1, -1) }), 200],
    ['If-Match other', () => ({ IfMatch: '"other"' }), 412],
    ['If-None-Match same', () => ({ IfNoneMatch: etag }), 304],
    ['If-None-Match other', () => ({ IfNoneMatch: '"other"' }), 200],
    ['If-Modified-Since earlier', () => ({ IfModifiedSince: past }), 200],
    ['If-Unmodified-Since earlier', () => ({ IfUnmodifiedSince: past }), 412],
    ['If-Match wins over If-Unmodified-Since', () => ({ IfMatch: etag, IfUnmodifiedSince: past }), 200],
    [
      'If-None-Match wins over If-Modified-Since',
      () => ({ IfNoneMatch: '"o"', IfModifiedSince: modified }),
      200,
    ],
  ])('%s', async (_case, input, expected) => {
    expect(await statusOf(input())).toBe(expected);
  });

  onAws('an object is not modified since its own Last-Modified')(
    'include If-Modified-Since of the same second',
    async () => {
      expect(await statusOf({ IfModifiedSince: modified })).toBe(304);
    },
  );

  test('let one of many first writers win', async () => {
    const key = unique('race');
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => put(key, `writer ${at}`, { IfNoneMatch: '*' })),
    );
    expect(results.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
  });

  test('guard replacement and deletion by If-Match', async () => {
    const key = unique('guard');
    await expect(put(key, 'x', { IfMatch: '"other"' })).rejects.toMatchObject(status(404));
    const { ETag } = await put(key, 'one');
    await expect(put(key, 'two', { IfMatch: '"other"' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    const two = await put(key, 'two', { IfMatch: ETag });
    const remove = (IfMatch?: string) => s3.send(new DeleteObjectCommand({ Bucket, Key: key, IfMatch }));
    await expect(remove(ETag)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await remove(two.ETag);
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  onAws('any object is deleted with If-Match: *')('let If-Match: * delete any object', async () => {
    const key = unique('any');
    const remove = () => s3.send(new DeleteObjectCommand({ Bucket, Key: key, IfMatch: '*' }));
    await put(key, 'x');
    await remove();
    await expect(get(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(remove()).rejects.toMatchObject({ name: 'NoSuchKey', ...status(404) });
  });

  test('do not end a download whose object is replaced', async () => {
    const key = unique('outlive');
    const big = Buffer.alloc(2_000_000, 'a');
    await put(key, big);
    const got = await get(key);
    await put(key, 'replaced');
    await s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
    expect((await got.Body?.transformToByteArray())?.length).toBe(big.length);
  });

  test('do not prevent the abort of a request', async () => {
    const abort = new AbortController();
    abort.abort();
    const request = s3.send(new GetObjectCommand({ Bucket, Key: 'conditional' }), {
      abortSignal: abort.signal,
    });
    await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('listing', () => {
  // No key is a folder of another one, because versitygw could not keep both.
  const keys = ['list/a', 'list/a b', 'list/a!/b', 'list/é', 'list/\uFFFD', 'list/\u{1F600}'];
  beforeAll(async () => {
    for (const key of [...keys].reverse()) await put(key, key);
  });

  test('returns keys in UTF-8 byte order, page by page', async () => {
    const seen: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await s3.send(
        new ListObjectsV2Command({
          Bucket,
          Prefix: 'list/',
          MaxKeys: 4,
          ContinuationToken,
          EncodingType: 'url',
        }),
      );
      seen.push(...(page.Contents ?? []).map(({ Key = '' }) => decodeURIComponent(Key)));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    expect(seen).toEqual(keys);
  });

  // S3 API Reference, ListObjectsV2: S3 ignores StartAfter on later pages.
  test.each(['list/a b', 'list/a"'])('returns the keys after %s', async (StartAfter) => {
    const page = { Bucket, Prefix: 'list/', MaxKeys: 2, StartAfter };
    const first = await s3.send(new ListObjectsV2Command(page));
    const ContinuationToken = first.NextContinuationToken;
    const second = await s3.send(new ListObjectsV2Command({ ...page, ContinuationToken }));
    const found = [first, second].flatMap(({ Contents = [] }) => Contents.map(({ Key }) => Key));
    expect(found).toEqual(keys.filter((key) => key > StartAfter).slice(0, 4));
  });
});
