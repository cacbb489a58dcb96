import { malformedPrecondition, type Preconditions } from '../../../http/conditional/conditions.ts';
import { malformedParameter } from '../../../http/fields/media-type.ts';
import type { Request } from '../../../http/request.ts';
import { codingsOf, decodeContent, isPacked } from '../../codings/decode.ts';
import { type Content, type ContentOfParts, NO_CONTENT } from '../../content.ts';
import { type Ending, refuse } from '../../ending.ts';
import type { Authorized, Preferred, Received, Selected, SentContent, Targeted } from '../../exchange.ts';
import { formatsOf } from '../../request/accepted-formats.ts';
import { readBytes } from '../../request/bytes-body.ts';
import { readItem } from '../../request/item-body.ts';
import { step } from '../../step.ts';

type Exchange = Received & Targeted & Authorized & Preferred & Selected;
type Refused = Ending<400 | 403 | 413 | 415>;
type Read = Content | ContentOfParts | Refused;

/**
 * Reads the preconditions from the header fields, then the content by its media type. This step does not use
 * storage.
 *
 * Source: RFC 9110 §8.3, §8.4, §15.5.14, §15.5.16.
 */
export const content = step<Exchange, SentContent>()('content', [400, 403, 413, 415], (exchange) => {
  const { request, isSafe } = exchange;
  const given = preconditionsOf(request);
  const unreadable = given && malformedPrecondition(given);
  // A GET with a tag that the client has copied without its quotes gets the representation.
  if (unreadable && !(isSafe && unreadable === 'If-None-Match')) {
    return refuse(
      'validation-error',
      `${unreadable} is not a list of entity tags. Send * or the ETag of a response`,
      { errors: [{ header: unreadable, detail: 'must be * or entity tags in double quotes' }] },
    );
  }
  if (isSafe || !takesContent(exchange)) return sent(exchange, given, NO_CONTENT);
  const digest = request.headers['content-digest'] ?? request.headers['repr-digest'];
  if (digest === undefined || wasUnpacked(request)) return contentOf(exchange, given);
  return import('../../request/digests.ts').then(
    ({ verifyDigests }) => verifyDigests(request) ?? contentOf(exchange, given),
  );
});

/** True if an intermediary has unpacked the content, so that its digests are about other bytes. */
const wasUnpacked = (request: Request): boolean =>
  request.headers['content-encoding'] !== undefined &&
  codingsOf(request).length > 0 &&
  !isPacked(request.content() ?? new Uint8Array());

/** True if the service reads the content. A control URI needs none, and reads a form or an item that it gets. */
const takesContent = ({ request, resource, endpoint }: Exchange): boolean =>
  endpoint.content !== 'none' ||
  (request.content() !== undefined && formatsOf(request.method, resource, endpoint).length > 0);

/** Reads content whose digests match. */
function contentOf(exchange: Exchange, given: Preconditions | undefined) {
  const { request } = exchange;
  if (request.headers['content-encoding'] !== undefined && codingsOf(request).length > 0) {
    return decodeContent(exchange).then(async (result) => {
      if (result.kind === 'ending') return sent(exchange, given, result);
      const plain = { ...exchange, request: result.request };
      return sent(plain, given, await readContent(plain));
    });
  }
  const one = readContent(exchange);
  return one instanceof Promise
    ? one.then((content) => sent(exchange, given, content))
    : sent(exchange, given, one);
}

/** Reads the content. The first PATCH and the first request with several files load their readers. */
function readContent(exchange: Exchange): Read | Promise<Read> {
  // A part must not replace the whole. Source: RFC 9110 §14.5; Specification 5.7.
  if (exchange.request.method === 'PUT' && exchange.request.headers['content-range'] !== undefined)
    return refuse('validation-error', 'A part cannot be stored: send the whole content', {
      errors: [{ header: 'Content-Range', detail: 'is not allowed with PUT' }],
    });
  const type = exchange.request.headers['content-type'];
  const wrong = type?.includes(';') ? malformedParameter(type) : undefined;
  if (wrong !== undefined)
    return refuse('malformed-request', 'Content-Type has a malformed parameter. Correct it', {
      errors: [{ header: 'Content-Type', detail: `has a malformed parameter at: ${wrong}` }],
    });
  switch (exchange.endpoint.content) {
    case 'none':
      return import('../../request/custom-body.ts').then(({ readNoBody }) => readNoBody(exchange));
    case 'bytes':
      return readBytes(exchange);
    case 'files':
      return import('../../request/files-body.ts').then(({ readFiles }) => readFiles(exchange));
    case 'body':
      return import('../../request/custom-body.ts').then(({ readCustomBody }) => readCustomBody(exchange));
    case 'patch':
      return import('../../request/patch-body.ts').then(({ readPatch }) => readPatch(exchange));
    case 'item':
    case 'items':
    case 'change':
      return readItem(exchange);
  }
}

/** The addition of the step. The refusal of the content of a new item waits until look-up has read the parent. */
function sent(exchange: Exchange, given: Preconditions | undefined, read: Read): SentContent | Refused {
  const { request, endpoint, applied, pendingRefusal } = exchange;
  const more = { request, preconditions: given, identity: undefined, pendingRefusal };
  switch (read.kind) {
    case 'ending':
      if (!endpoint.parent) return read;
      return {
        ...more,
        content: NO_CONTENT,
        pendingRefusal: pendingRefusal ?? { ending: read, parent: endpoint.parent },
        applied,
      };
    case 'parts': {
      const { content, headers, identity } = read;
      const stating = { ...request, headers: { ...headers, ...request.headers } };
      const preconditions = preconditionsOf(stating);
      return {
        request: stating,
        preconditions,
        content,
        identity,
        pendingRefusal,
        applied: appliedTo(exchange, content),
      };
    }
    default:
      return { ...more, content: read, applied: appliedTo(exchange, read) };
  }
}

/** The applied preferences, with `handling=lenient` if the content is several items that can have their own results. */
function appliedTo({ preferences, applied }: Exchange, { kind }: Content): readonly string[] {
  const isLenient = preferences.get('handling') === 'lenient' && (kind === 'items' || kind === 'files');
  return isLenient ? [...applied, 'handling=lenient'] : applied;
}

/** The precondition fields of a request; undefined if it has none. Source: RFC 9110 §13.1. */
function preconditionsOf({ headers }: Request): Preconditions | undefined {
  const given = {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  };
  return Object.values(given).some((field) => field !== undefined) ? given : undefined;
}
