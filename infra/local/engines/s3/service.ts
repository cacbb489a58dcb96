import { unsatisfiedContentRange } from '../../../../shared/http/range.ts';
import type { EngineRequest, EngineResponse } from '../engines.ts';
import { Fault, notImplemented } from '../fault.ts';
import { createBucket } from './operations/create-bucket.ts';
import { deleteObject } from './operations/delete-object.ts';
import { getObject } from './operations/get-object.ts';
import { headBucket } from './operations/head-bucket.ts';
import { listObjects } from './operations/list-objects.ts';
import { putObject } from './operations/put-object.ts';
import type { S3, S3Operation } from './s3.ts';
import { type XmlContent, xmlDocument } from './xml.ts';

const BUCKET: Readonly<Record<string, S3Operation>> = {
  PUT: createBucket,
  HEAD: headBucket,
  GET: listObjects,
};

const OBJECT: Readonly<Record<string, S3Operation>> = {
  PUT: putObject,
  GET: getObject,
  HEAD: getObject,
  DELETE: deleteObject,
};

// Any other query parameter asks for a subresource (acl, tagging, uploads ...) that is not here.
const PARAMETERS =
  /^(x-id|list-type|prefix|max-keys|continuation-token|encoding-type|response-.*|x-amz-.*)$/i;

/**
 * Answers one S3 request. Never throws: a Fault becomes S3's XML, anything else an InternalError (500).
 *
 * Source: S3 API Reference "REST error responses".
 */
export async function answerS3(
  s3: S3,
  request: EngineRequest,
  authorize: () => void,
): Promise<EngineResponse> {
  const requestId = crypto.randomUUID();
  const common = { 'x-amz-request-id': requestId, server: 'EmbeddedS3' };
  try {
    authorize();
    const target = targetOf(request);
    const query = new URLSearchParams(request.query);
    const operation = operationFor(request.method, target, query);
    const answer = await operation(s3, { ...request, ...target, query });
    return { ...answer, headers: { ...common, ...answer.headers } };
  } catch (error) {
    const { code, message, status, details } =
      error instanceof Fault ? error : new Fault('InternalError', String((error as Error)?.stack), 500);
    const body = xmlDocument('Error', {
      Code: code,
      Message: message,
      ...(details as Record<string, XmlContent>),
      Resource: request.path,
      RequestId: requestId,
    });
    const headers: Record<string, string> = { ...common, 'content-type': 'application/xml' };
    if (status === 416) headers['content-range'] = unsatisfiedContentRange(Number(details.ActualObjectSize));
    if (request.method === 'HEAD') return { status, headers };
    return { status, headers: { ...headers, 'content-length': String(body.length) }, body };
  }
}

/** Path style: `/bucket/key`. With AWS's own host names also `bucket.s3.region.amazonaws.com/key`. */
function targetOf({ path, headers }: EngineRequest): { bucket: string; key: string } {
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
  { bucket, key }: { bucket: string; key: string },
  query: URLSearchParams,
): S3Operation {
  if (bucket === '') throw notImplemented('S3 ListBuckets');
  for (const parameter of query.keys()) {
    if (!PARAMETERS.test(parameter)) throw notImplemented(`S3 ${method} with ?${parameter}`);
  }
  const operation = (key === '' ? BUCKET : OBJECT)[method];
  if (!operation) throw notImplemented(`S3 ${method} of ${key === '' ? 'a bucket' : 'an object'}`);
  return operation;
}
