import { Fault } from '../../fault.ts';
import { compareForRead, preconditionFailed } from '../conditions.ts';
import { rangeOf } from '../range.ts';
import { findObject, type S3Operation, type S3Request, type StoredObject } from '../s3.ts';

const OVERRIDES = 'content-type content-language content-disposition content-encoding cache-control expires';

/**
 * Returns an object or one range of it. HEAD returns the same without the body. Source: S3 API Reference "GetObject"
 * and "HeadObject".
 * @throws NoSuchKey (404), PreconditionFailed (412), InvalidRange (416)
 */
export const getObject: S3Operation = (s3, request) => {
  const object = findObject(s3, request);
  if (!object) throw new Fault('NoSuchKey', 'The specified key does not exist.', 404);
  const { segments, size, etag, modified } = object;
  const validators = { etag, 'last-modified': new Date(modified).toUTCString() };
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
