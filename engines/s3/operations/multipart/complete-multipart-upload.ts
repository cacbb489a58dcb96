import { Fault } from '../../../fault.ts';
import { compositeOf } from '../../composite.ts';
import type { S3Operation, S3Request } from '../../s3.ts';
import { type Part, partsOf, removeUpload, requireUpload, type Upload } from '../../uploads.ts';
import { requireWritable, versionHeader, writeObject } from '../../write-object.ts';
import { childrenOf, documentOf, malformedXml, textOf, type XmlElement } from '../../xml/read.ts';
import { xmlAnswer } from '../../xml/write.ts';

/** Minimum bytes of every part except the last. Source: S3 User Guide "Amazon S3 multipart upload limits". */
const MIN_PART = 5 * 1024 ** 2;

/**
 * Creates an object from the files of its parts without a copy.
 * @throws NoSuchUpload (404), InvalidPart, InvalidPartOrder, EntityTooSmall, InvalidRequest, MalformedXML (400),
 * PreconditionFailed (412), NoSuchKey (404, If-Match only)
 *
 * Source: S3 API Reference "CompleteMultipartUpload".
 */
export const completeMultipartUpload: S3Operation = async (s3, request) => {
  requireWritable(request);
  requireUpload(s3, request);
  const listed = childrenOf(await documentOf(request, 'CompleteMultipartUpload'), 'Part');
  // There is no pause from here on, so the data that is read now becomes the object.
  const upload = requireUpload(s3, request);
  const all = partsOf(s3, upload.id);
  const parts = chosen(upload, all, listed);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  requireSize(request, size);
  const { etag, checksums } = compositeOf(parts, upload.algorithm);
  const object = {
    segments: parts.map((part) => ({ file: part.file, size: part.size })),
    size,
    etag,
    modified: s3.storage.now(),
    headers: { ...upload.headers, ...checksums },
  };
  const { replaced, version } = writeObject(s3, request, {
    object,
    event: 'ObjectCreated:CompleteMultipartUpload',
    also: () => removeUpload(s3.storage, upload.id),
  });
  const left = all.filter((part) => !parts.includes(part));
  for (const { file } of [...left, ...(replaced?.segments ?? [])]) s3.files.discard(file);
  const { bucket, key, path } = request;
  const answer = xmlAnswer('CompleteMultipartUploadResult', {
    Location: path,
    Bucket: bucket,
    Key: key,
    ETag: etag,
    ChecksumSHA256: checksums['x-amz-checksum-sha256'],
    ChecksumCRC32: checksums['x-amz-checksum-crc32'],
    ChecksumType: checksums['x-amz-checksum-type'],
  });
  return { ...answer, headers: { ...answer.headers, ...versionHeader(version) } };
};

/** The listed parts, in order. */
function chosen({ algorithm }: Upload, parts: readonly Part[], listed: readonly XmlElement[]): Part[] {
  if (listed.length === 0) throw malformedXml();
  const byNumber = new Map(parts.map((part) => [part.number, part]));
  let last = 0;
  const found = listed.map((element) => {
    const number = Number(textOf(element, 'PartNumber'));
    if (number <= last) {
      throw new Fault('InvalidPartOrder', 'The list of parts was not in ascending order by part number.');
    }
    last = number;
    const part = byNumber.get(number);
    if (part && bare(textOf(element, 'ETag')) === bare(part.etag) && checked(part, element, algorithm))
      return part;
    throw new Fault('InvalidPart', `Part ${number} is not there, or has another ETag or checksum.`);
  });
  const small = found.slice(0, -1).find(({ size }) => size < MIN_PART);
  if (!small) return found;
  throw new Fault('EntityTooSmall', `Part ${small.number} is smaller than ${MIN_PART} bytes.`);
}

const bare = (etag: string | undefined): string | undefined => etag?.replaceAll('"', '');

function checked({ checksums, number }: Part, element: XmlElement, algorithm: Upload['algorithm']): boolean {
  if (!algorithm) return true;
  const given = textOf(element, `Checksum${algorithm}`);
  if (given !== undefined) return given === checksums[`x-amz-checksum-${algorithm.toLowerCase()}`];
  const missing = `The complete request must include the checksum for each part: it is missing for ${number}.`;
  throw new Fault('InvalidRequest', missing);
}

/** The object size that the request states. */
function requireSize({ headers }: S3Request, size: number): void {
  const declared = headers['x-amz-mp-object-size'];
  if (declared === undefined || Number(declared) === size) return;
  throw new Fault('InvalidRequest', `The parts have ${size} bytes together, not ${declared}.`);
}
