import { Fault, notImplemented } from '../../../fault.ts';
import { copySource } from '../../copy-source.ts';
import { Digests } from '../../digests.ts';
import type { S3Operation, S3Request } from '../../s3.ts';
import { replacePart, requireUpload } from '../../uploads.ts';
import { xmlAnswer } from '../../xml/write.ts';
import { partNumberOf } from './upload-part.ts';

/**
 * Creates a part from an object or a range of it. It replaces a part with the same number.
 * @throws NoSuchUpload, NoSuchKey (404), PreconditionFailed (412), InvalidArgument (400)
 *
 * Source: S3 API Reference "UploadPartCopy".
 */
export const uploadPartCopy: S3Operation = async (s3, request) => {
  const number = partNumberOf(request);
  if (requireUpload(s3, request).algorithm) throw notImplemented('S3 checksums of copied parts');
  const { object } = copySource(s3, request);
  const { first, last } = rangeOf(request, object.size);
  const digests = new Digests();
  const { file, size } = await s3.files.receive(digests.of(s3.files.read(object.segments, first, last)));
  try {
    const { etag } = digests.verify({});
    const modified = s3.storage.now();
    const replaced = s3.storage.transaction(() => {
      // The upload can end during the copy.
      const { id } = requireUpload(s3, request);
      return replacePart(s3, id, { number, file, size, etag, modified, checksums: {} });
    });
    if (replaced) s3.files.discard(replaced.file);
    return xmlAnswer('CopyPartResult', { LastModified: new Date(modified).toISOString(), ETag: etag });
  } catch (error) {
    s3.files.discard(file);
    throw error;
  }
};

function rangeOf({ headers }: S3Request, size: number): { first: number; last: number } {
  const field = headers['x-amz-copy-source-range'];
  if (field === undefined) return { first: 0, last: size - 1 };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(field) ?? [];
  if (first === undefined || Number(first) > Number(last)) {
    const form = 'bytes=first-last where first and last are the zero-based offsets of the bytes to copy';
    throw new Fault('InvalidArgument', `The x-amz-copy-source-range value must be of the form ${form}`);
  }
  if (Number(last) < size) return { first: Number(first), last: Number(last) };
  throw new Fault('InvalidArgument', `Range specified is not valid for source object of size: ${size}`);
}
