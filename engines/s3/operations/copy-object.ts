import { Fault, notImplemented } from '../../fault.ts';
import { copySource } from '../copy-source.ts';
import type { S3Operation, S3Request, StoredObject } from '../s3.ts';
import { requireWritable, storedHeaders, versionHeader, writeObject } from '../write-object.ts';
import { xmlAnswer } from '../xml/write.ts';

const MAXIMUM_SIZE = 5 * 1024 ** 3;

/**
 * Creates an object from another one without a copy of its bytes: each file gets a hard link. The copy keeps the
 * entity tag of the source. S3 instead computes a new one if the source has parts.
 * @throws NoSuchKey (404), PreconditionFailed (412), InvalidRequest, InvalidArgument (400)
 *
 * Source: S3 API Reference "CopyObject".
 */
export const copyObject: S3Operation = async (s3, request) => {
  requireWritable(request);
  const { bucket, key, object, isCurrent } = copySource(s3, request);
  const replaces = directiveOf(request) === 'REPLACE';
  if (!replaces && isCurrent && bucket === request.bucket && key === request.key) {
    const why = 'This copy request is illegal because it is trying to copy an object to itself unchanged.';
    throw new Fault('InvalidRequest', why);
  }
  if (object.size > MAXIMUM_SIZE) {
    const why = 'The specified copy source is larger than the maximum allowable size for a copy source';
    throw new Fault('InvalidRequest', `${why}: ${MAXIMUM_SIZE}`);
  }
  const checksums = checksumsOf(object, request);
  const segments = await s3.files.duplicate(object.segments);
  const modified = s3.storage.now();
  const headers = replaces ? { ...storedHeaders(request.headers), ...checksums } : object.headers;
  let version: string | undefined;
  try {
    const copy = { ...object, segments, modified, headers };
    const written = writeObject(s3, request, { object: copy, event: 'ObjectCreated:Copy' });
    version = written.version;
    for (const { file } of written.replaced?.segments ?? []) s3.files.discard(file);
  } catch (error) {
    for (const { file } of segments) s3.files.discard(file);
    throw error;
  }
  const answer = xmlAnswer('CopyObjectResult', {
    LastModified: new Date(modified).toISOString(),
    ETag: object.etag,
    ChecksumSHA256: checksums['x-amz-checksum-sha256'],
    ChecksumCRC32: checksums['x-amz-checksum-crc32'],
    ChecksumType: checksums['x-amz-checksum-type'],
  });
  return { ...answer, headers: { ...answer.headers, ...versionHeader(version) } };
};

function directiveOf({ headers }: S3Request): 'COPY' | 'REPLACE' {
  const directive = headers['x-amz-metadata-directive'] ?? 'COPY';
  if (directive === 'COPY' || directive === 'REPLACE') return directive;
  throw new Fault('InvalidArgument', 'Unknown metadata directive.');
}

/** The checksums of the source, because a copy has the same bytes. */
function checksumsOf(object: StoredObject, { headers }: S3Request): Record<string, string> {
  const found = Object.entries(object.headers).filter(([name]) => name.startsWith('x-amz-checksum-'));
  const wanted = headers['x-amz-checksum-algorithm']?.toLowerCase();
  const checksums = Object.fromEntries(found);
  if (wanted === undefined || checksums[`x-amz-checksum-${wanted}`] !== undefined) return checksums;
  throw notImplemented(`S3 ${wanted} of a copy`);
}
