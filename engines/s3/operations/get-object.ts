import { compareForRead, preconditionFailed } from '../conditions.ts';
import { rangeOf } from '../range.ts';
import type { S3Operation, S3Request, StoredObject } from '../s3.ts';
import { requireObject } from '../versions.ts';
import { versionHeader } from '../write-object.ts';

const OVERRIDES = 'content-type content-language content-disposition content-encoding cache-control expires';

/**
 * Returns an object, or one of its versions, or a range of it. HEAD returns the same without the body. Source: S3 API
 * Reference "GetObject" and "HeadObject".
 * @throws NoSuchKey, NoSuchVersion (404), MethodNotAllowed (405), PreconditionFailed (412), InvalidRange (416)
 */
export const getObject: S3Operation = (s3, request) => {
  const object = requireObject(s3, request, request.parameters.get('versionId'));
  const { segments, size, etag, modified, version } = object;
  const validators = { etag, ...versionHeader(version), 'last-modified': new Date(modified).toUTCString() };
  const verdict = compareForRead(request.headers, object);
  if (verdict === 'failed') throw preconditionFailed();
  if (verdict === 'not-modified') return { status: 304, headers: validators };

  const range = rangeOf(request.headers, object);
  const { first, last } = range ?? { first: 0, last: size - 1 };
  const headers = {
    ...validators,
    ...shownHeaders(request, object, range === undefined),
    'accept-ranges': 'bytes',
    'content-length': String(last - first + 1),
    ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
  };
  const status = range ? 206 : 200;
  if (request.method === 'HEAD') return { status, headers };
  return { status, headers, body: s3.files.read(segments, first, last) };
};

/** The stored header fields, unless the query overrides them. */
function shownHeaders(request: S3Request, object: StoredObject, isWhole: boolean): Record<string, string> {
  // A response with a range has no checksum: the client would compare that of the whole object with the range.
  const summed = isWhole && request.headers['x-amz-checksum-mode']?.toUpperCase() === 'ENABLED';
  const isShown = (name: string): boolean => summed || !name.startsWith('x-amz-checksum-');
  const shown = Object.entries(object.headers).filter(([name]) => isShown(name));
  const overrides = OVERRIDES.split(' ').flatMap((name) => {
    const value = request.parameters.get(`response-${name}`);
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries([...shown, ...overrides]);
}
