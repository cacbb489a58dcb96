import { Fault, notImplemented } from '../fault.ts';
import type { EngineRequest, EngineResponse } from '../wire.ts';
import { getBucketNotification, putBucketNotification } from './operations/bucket-notification.ts';
import { putBucketVersioning } from './operations/bucket-versioning.ts';
import { copyObject } from './operations/copy-object.ts';
import { createBucket } from './operations/create-bucket.ts';
import { deleteObject, deleteVersion, markerHeaders } from './operations/delete-object.ts';
import { getObject } from './operations/get-object.ts';
import { headBucket } from './operations/head-bucket.ts';
import { listObjectVersions } from './operations/list-object-versions.ts';
import { listObjects } from './operations/list-objects.ts';
import { abortMultipartUpload } from './operations/multipart/abort-multipart-upload.ts';
import { completeMultipartUpload } from './operations/multipart/complete-multipart-upload.ts';
import { createMultipartUpload } from './operations/multipart/create-multipart-upload.ts';
import { listMultipartUploads } from './operations/multipart/list-multipart-uploads.ts';
import { listParts } from './operations/multipart/list-parts.ts';
import { uploadPart } from './operations/multipart/upload-part.ts';
import { uploadPartCopy } from './operations/multipart/upload-part-copy.ts';
import { putObject } from './operations/put-object.ts';
import { requireBucket, type S3, type S3Operation, type Target } from './s3.ts';
import { lateness, type Slow } from './slow.ts';
import { element } from './xml/write.ts';

const OPERATIONS = new Map<string, S3Operation>([
  ['PUT of a bucket', createBucket],
  ['HEAD of a bucket', headBucket],
  ['GET of a bucket', listObjects],
  ['PUT of an object', putObject],
  ['PUT of an object, copied', copyObject],
  ['GET of an object', getObject],
  ['HEAD of an object', getObject],
  ['DELETE of an object', deleteObject],
  ['DELETE of an object ?versionId', deleteVersion],
  ['POST of an object ?uploads', createMultipartUpload],
  ['PUT of an object ?partNumber&uploadId', uploadPart],
  ['PUT of an object ?partNumber&uploadId, copied', uploadPartCopy],
  ['GET of an object ?uploadId', listParts],
  ['POST of an object ?uploadId', completeMultipartUpload],
  ['DELETE of an object ?uploadId', abortMultipartUpload],
  ['GET of a bucket ?uploads', listMultipartUploads],
  ['PUT of a bucket ?notification', putBucketNotification],
  ['GET of a bucket ?notification', getBucketNotification],
  ['GET of a bucket ?versions', listObjectVersions],
  ['PUT of a bucket ?versioning', putBucketVersioning],
  ['GET of an object ?versionId', getObject],
  ['HEAD of an object ?versionId', getObject],
]);

// Any other query parameter selects a subresource (acl, tagging …), like the parameters of the table above.
const PARAMETERS =
  /^(x-id|list-type|prefix|max-(keys|parts|uploads)|continuation-token|start-after|(part-number|key|upload-id|version-id)-marker|encoding-type|response-.*|x-amz-.*)$/i;
// The fields that a presigned URL carries in its query and not in header fields.
const HOISTED = /^x-amz-(meta-|checksum-|mp-|copy-|tagging|storage-|website-|acl|grant-|server-side-)/;

/**
 * Handles one S3 request. It never throws. A Fault becomes S3's XML, any other error an InternalError (500). `slow`:
 * the operations that respond late. Source: S3 API Reference "REST error responses".
 */
export async function answerS3(
  s3: S3,
  request: EngineRequest,
  authorize: () => void,
  slow: Slow = {},
): Promise<EngineResponse> {
  const common = { 'x-amz-request-id': crypto.randomUUID(), server: 'EmbeddedS3' };
  try {
    authorize();
    const target = targetOf(request);
    const parameters = new URLSearchParams(request.query);
    const hoisted = [...parameters].filter(([name]) => HOISTED.test(name));
    const headers: EngineRequest['headers'] = { ...request.headers, ...Object.fromEntries(hoisted) };
    const copied = headers['x-amz-copy-source'] !== undefined;
    const operation = operationFor(request.method, target, [...parameters.keys()], copied);
    if (operation !== createBucket) requireBucket(s3, target);
    const answer = await operation(s3, { ...request, headers, ...target, parameters });
    await lateness(slow, request.method, operation);
    return { ...answer, headers: { ...common, ...answer.headers } };
  } catch (error) {
    const { code, message, status, details } = Fault.of(error, 'InternalError');
    const headers: Record<string, string> = { ...common, 'content-type': 'application/xml' };
    if (typeof details.marker === 'string') Object.assign(headers, markerHeaders(details.marker));
    if (status === 416) headers['content-range'] = `bytes */${details.size}`;
    if (request.method === 'HEAD') return { status, headers };
    const body = Buffer.from(element('Error', { Code: code, Message: message, Resource: request.path }));
    return { status, headers: { ...headers, 'content-length': String(body.length) }, body };
  }
}

/**
 * Path style: `/bucket/key`. With the host names of AWS also virtual-host style:
 * `bucket.s3.region.amazonaws.com/key`.
 */
function targetOf({ path, headers }: EngineRequest): Target {
  const host = /^(.+)\.s3[.-][a-z0-9.-]*amazonaws\.com$/.exec(headers.host ?? '')?.[1];
  try {
    const whole = decodeURIComponent(path.slice(1));
    if (host) return { bucket: host, key: whole };
    const [bucket = '', ...key] = whole.split('/');
    return { bucket, key: key.join('/') };
  } catch {
    throw new Fault('InvalidURI', "Couldn't parse the specified URI.");
  }
}

function operationFor(
  method: string,
  { bucket, key }: Target,
  parameters: string[],
  copied: boolean,
): S3Operation {
  if (bucket === '') throw notImplemented('S3 ListBuckets');
  const asked = parameters.filter((parameter) => !PARAMETERS.test(parameter));
  const subresource = asked.length === 0 ? '' : ` ?${asked.sort().join('&')}`;
  const name = `${method} of ${key === '' ? 'a bucket' : 'an object'}${subresource}${copied ? ', copied' : ''}`;
  const operation = OPERATIONS.get(name);
  if (!operation) throw notImplemented(`S3 ${name}`);
  return operation;
}
