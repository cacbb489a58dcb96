import { unsatisfiedContentRange } from '../../../../shared/http/range.ts';
import type { EngineRequest, EngineResponse } from '../engines.ts';
import { Fault, notImplemented } from '../fault.ts';
import { createBucket } from './operations/create-bucket.ts';
import { deleteObject } from './operations/delete-object.ts';
import { getObject } from './operations/get-object.ts';
import { headBucket } from './operations/head-bucket.ts';
import { listObjects } from './operations/list-objects.ts';
import { putObject } from './operations/put-object.ts';
import { requireBucket, type S3, type S3Operation, type Target } from './s3.ts';
import { element } from './xml.ts';

const OPERATIONS = new Map<string, S3Operation>([
  ['PUT of a bucket', createBucket],
  ['HEAD of a bucket', headBucket],
  ['GET of a bucket', listObjects],
  ['PUT of an object', putObject],
  ['GET of an object', getObject],
  ['HEAD of an object', getObject],
  ['DELETE of an object', deleteObject],
]);

// Any other query parameter asks for a subresource (acl, tagging, uploads ...) that is not here.
const PARAMETERS =
  /^(x-id|list-type|prefix|max-keys|continuation-token|encoding-type|response-.*|x-amz-.*)$/i;

/**
 * Answers one S3 request. Never throws: a Fault becomes S3's XML, anything else an InternalError (500).
 * Source: S3 API Reference "REST error responses".
 */
export async function answerS3(
  s3: S3,
  request: EngineRequest,
  authorize: () => void,
): Promise<EngineResponse> {
  const common = { 'x-amz-request-id': crypto.randomUUID(), server: 'EmbeddedS3' };
  try {
    authorize();
    const target = targetOf(request);
    const parameters = new URLSearchParams(request.query);
    const operation = operationFor(request.method, target, [...parameters.keys()]);
    if (operation !== createBucket) requireBucket(s3, target);
    const answer = await operation(s3, { ...request, ...target, parameters });
    return { ...answer, headers: { ...common, ...answer.headers } };
  } catch (error) {
    const { code, message, status, details } = Fault.of(error, 'InternalError');
    const headers: Record<string, string> = { ...common, 'content-type': 'application/xml' };
    if (status === 416) headers['content-range'] = unsatisfiedContentRange(Number(details.size));
    if (request.method === 'HEAD') return { status, headers };
    const body = Buffer.from(element('Error', { Code: code, Message: message, Resource: request.path }));
    return { status, headers: { ...headers, 'content-length': String(body.length) }, body };
  }
}

/** Path style: `/bucket/key`. With AWS's own host names also `bucket.s3.region.amazonaws.com/key`. */
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

function operationFor(method: string, { bucket, key }: Target, parameters: string[]): S3Operation {
  if (bucket === '') throw notImplemented('S3 ListBuckets');
  const unknown = parameters.find((parameter) => !PARAMETERS.test(parameter));
  if (unknown !== undefined) throw notImplemented(`S3 ${method} with ?${unknown}`);
  const name = `${method} of ${key === '' ? 'a bucket' : 'an object'}`;
  const operation = OPERATIONS.get(name);
  if (!operation) throw notImplemented(`S3 ${name}`);
  return operation;
}
