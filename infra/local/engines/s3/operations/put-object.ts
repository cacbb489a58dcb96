import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { pieces } from '../../body.ts';
import { Fault, notImplemented } from '../../fault.ts';
import { incomplete, unchunked } from '../chunked.ts';
import { hasTag } from '../preconditions.ts';
import {
  findObject,
  preconditionFailed,
  requireBucket,
  type S3,
  type S3Request,
  type S3Response,
} from '../s3.ts';

const MAX_SIZE = 5 * 1024 ** 3;
const KEPT = ['content-type', 'cache-control', 'content-disposition', 'content-language', 'expires'];

/**
 * Stores an object: streams to a file, verifies it, then tests the conditions and swaps the row in one
 * transaction, where every race is decided.
 *
 * Source: S3 API Reference "PutObject".
 * @throws BadDigest (400), IncompleteBody (400), PreconditionFailed (412), NoSuchKey (404, If-Match only)
 */
export async function putObject(s3: S3, request: S3Request): Promise<S3Response> {
  const { bucket, key, headers } = request;
  requireBucket(s3, bucket);
  if (Buffer.byteLength(key) > 1024) throw new Fault('KeyTooLongError', 'Your key is too long');
  if (headers['x-amz-copy-source']) throw notImplemented('S3 CopyObject');
  const declared = Number(headers['x-amz-decoded-content-length'] ?? headers['content-length'] ?? Number.NaN);
  if (declared > MAX_SIZE) {
    throw new Fault('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
  }
  const trailers = new Map<string, string>();
  const streaming = headers['x-amz-content-sha256']?.startsWith('STREAMING-');
  const content = streaming ? unchunked(pieces(request.body), trailers) : pieces(request.body);
  const hashes = { md5: createHash('md5'), sha256: createHash('sha256'), crc32: 0 };
  const segment = await s3.files.receive(hashed(content, hashes));
  try {
    if (declared >= 0 && declared !== segment.size) throw incomplete();
    const md5 = hashes.md5.digest();
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(hashes.crc32);
    const checksums = verified(
      { ...headers, ...Object.fromEntries(trailers) },
      md5,
      hashes.sha256.digest(),
      crc,
    );
    const etag = `"${md5.toString('hex')}"`;
    const kept = { ...keptHeaders(headers), ...checksums };
    const replaced = s3.storage.transaction(() => {
      const old = findObject(s3, bucket, key);
      refuseUnmet(headers, old?.etag);
      s3.storage.run(
        `INSERT INTO object (bucket, key, size, etag, modified, headers, segments) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (bucket, key) DO UPDATE SET size = excluded.size, etag = excluded.etag,
         modified = excluded.modified, headers = excluded.headers, segments = excluded.segments`,
        bucket,
        Buffer.from(key),
        segment.size,
        etag,
        s3.clock(),
        JSON.stringify(kept),
        JSON.stringify([segment]),
      );
      return old;
    });
    if (replaced) s3.files.discard(replaced.segments);
    return { status: 200, headers: { etag, ...checksums } };
  } catch (error) {
    s3.files.discard([segment]);
    throw error;
  }
}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hashes: { md5: ReturnType<typeof createHash>; sha256: ReturnType<typeof createHash>; crc32: number },
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    hashes.md5.update(piece);
    hashes.sha256.update(piece);
    hashes.crc32 = crc32(piece, hashes.crc32);
    yield piece;
  }
}

/** Compares every digest the client sent, and answers the checksums to keep as response headers. */
function verified(
  headers: Record<string, string>,
  md5: Buffer,
  sha256: Buffer,
  crc: Buffer,
): Record<string, string> {
  const payload = headers['x-amz-content-sha256'] ?? '';
  if (/^[0-9a-f]{64}$/.test(payload) && payload !== sha256.toString('hex')) {
    throw new Fault(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  if (headers['content-md5'] !== undefined && headers['content-md5'] !== md5.toString('base64')) {
    throw new Fault('BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    if (!name.startsWith('x-amz-checksum-')) continue;
    const algorithm = name.slice('x-amz-checksum-'.length);
    if (!['crc32', 'sha256', 'algorithm', 'type', 'mode'].includes(algorithm)) {
      throw notImplemented(`S3 checksum ${algorithm}`);
    }
    if (algorithm !== 'crc32' && algorithm !== 'sha256') continue;
    if (headers[name] !== (algorithm === 'crc32' ? crc : sha256).toString('base64')) {
      throw new Fault(
        'BadDigest',
        `The ${algorithm.toUpperCase()} you specified did not match the calculated checksum.`,
      );
    }
    kept[name] = headers[name];
    kept['x-amz-checksum-type'] = 'FULL_OBJECT';
  }
  return kept;
}

function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => KEPT.includes(name) || name.startsWith('x-amz-meta-'),
  );
  // aws-chunked describes the transfer, not the object.
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'aws-chunked')
    .join(',');
  return {
    'content-type': 'application/octet-stream',
    ...Object.fromEntries(kept),
    ...(encoding && { 'content-encoding': encoding }),
  };
}

function refuseUnmet(headers: Record<string, string>, current: string | undefined): void {
  const match = headers['if-match'];
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && noneMatch.trim() !== '*')
    throw notImplemented('S3 PutObject If-None-Match with a tag');
  if (noneMatch !== undefined && current !== undefined) throw preconditionFailed('If-None-Match');
  if (match === undefined) return;
  if (current === undefined) throw new Fault('NoSuchKey', 'The specified key does not exist.', 404);
  if (!hasTag(match, current)) throw preconditionFailed('If-Match');
}
