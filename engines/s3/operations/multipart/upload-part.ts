import { Fault } from '../../../fault.ts';
import { Digests } from '../../digests.ts';
import type { S3Operation, S3Request } from '../../s3.ts';
import { replacePart, requireUpload, type Upload } from '../../uploads.ts';
import { declaredLength } from '../put-object.ts';

const MAXIMUM_PARTS = 10_000;

/**
 * Stores one part. It replaces a part with the same number.
 * @throws NoSuchUpload (404), BadDigest, IncompleteBody, InvalidArgument, InvalidRequest (400)
 *
 * Source: S3 API Reference "UploadPart".
 */
export const uploadPart: S3Operation = async (s3, request) => {
  const { headers, body } = request;
  const number = partNumberOf(request);
  requireChecksum(requireUpload(s3, request), headers);
  const declared = declaredLength(request);
  const digests = new Digests();
  const { file, size } = await s3.files.receive(digests.of(body));
  try {
    if (declared !== size) throw new Fault('IncompleteBody', 'The body is not as long as Content-Length');
    const { etag, checksums } = digests.verify(headers);
    delete checksums['x-amz-checksum-type'];
    const replaced = s3.storage.transaction(() => {
      // The upload can end while the bytes arrive.
      const { id } = requireUpload(s3, request);
      return replacePart(s3, id, { number, file, size, etag, modified: s3.storage.now(), checksums });
    });
    if (replaced) s3.files.discard(replaced.file);
    return { status: 200, headers: { etag, ...checksums, 'content-length': '0' } };
  } catch (error) {
    s3.files.discard(file);
    throw error;
  }
};

/**
 * Reads the part number of a request. @throws InvalidArgument (400)
 */
export function partNumberOf({ parameters }: S3Request): number {
  const number = Number(parameters.get('partNumber'));
  if (Number.isInteger(number) && number >= 1 && number <= MAXIMUM_PARTS) return number;
  throw new Fault(
    'InvalidArgument',
    `Part number must be an integer between 1 and ${MAXIMUM_PARTS}, inclusive`,
  );
}

/** Parts must carry the digest algorithm of their upload, and no other. */
function requireChecksum({ algorithm }: Upload, headers: S3Request['headers']): void {
  const given = ['crc32', 'sha256'].find((name) => headers[`x-amz-checksum-${name}`] !== undefined);
  const expected = algorithm?.toLowerCase();
  if (given === expected) return;
  const types = `expected checksum Type: ${expected ?? null}, actual checksum Type: ${given ?? null}`;
  throw new Fault('InvalidRequest', `Checksum Type mismatch occurred, ${types}`);
}
