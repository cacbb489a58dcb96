import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Part, Upload } from './uploads.ts';

/**
 * The ETag and the checksum of a multipart object: digests of the digests of its parts, with the number of parts.
 * Source: S3 User Guide "Checking object integrity", "Checksums of checksums".
 */
export function compositeOf(
  parts: readonly Part[],
  algorithm: Upload['algorithm'],
): { etag: string; checksums: Record<string, string> } {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(Buffer.from(etag.slice(1, -1), 'hex'));
  const etag = `"${md5.digest('hex')}-${parts.length}"`;
  if (!algorithm) return { etag, checksums: {} };
  const name = `x-amz-checksum-${algorithm.toLowerCase()}`;
  const digests = Buffer.concat(parts.map((part) => Buffer.from(part.checksums[name] as string, 'base64')));
  const sum = `${DIGESTS[algorithm](digests).toString('base64')}-${parts.length}`;
  return { etag, checksums: { [name]: sum, 'x-amz-checksum-type': 'COMPOSITE' } };
}

const DIGESTS = {
  SHA256: (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest(),
  CRC32: (bytes: Uint8Array): Buffer => {
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(crc32(bytes));
    return digest;
  },
};
