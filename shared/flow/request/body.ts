import {
  essence,
  isBeyondAscii,
  isUtf8,
  isUtf16,
  type MediaType,
  parseContentType,
} from '../../http/fields/media-type.ts';
import { MAXIMUM_BODY } from '../../http/maximum-sizes.ts';
import type { Fault } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import { formatPointer } from '../../json/pointer.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { SchemaValidator } from '../../resource/description/validate.ts';
import { faultsOf, isTooLarge, tooLargeEntity } from '../../resource/description/values.ts';
import type { Relation } from '../../resource/relation.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Received, Targeted } from '../exchange.ts';
import { mediaTypesOf } from './accepted-formats.ts';

/** The media type of the content; undefined if `Content-Type` is missing or malformed. Source: RFC 9110 §8.3. */
export function mediaTypeOf({ headers }: Request): MediaType | undefined {
  const field = headers['content-type'];
  return field === undefined ? undefined : parseContentType(field);
}

/** Content of this type can be empty: a form without inputs has none. Source: URL Standard §5.2. */
const URL_ENCODED = 'application/x-www-form-urlencoded';

/** The version of every representation, as the parameter `version` of its media type. Source: Specification 12.2. */
export const VERSION = '1';

/** Refuses content that does not have the syntax of its media type. */
export const refuseMalformed = (mediaType: string | undefined, fault: Fault): Ending<400> =>
  refuse('malformed-body', `The body is not valid ${mediaType}. Correct it at the place in errors`, {
    errors: [fault],
  });

/** Gives an item below another one its required field with the identifier in the path. Another value stays. */
export function fillFromPath(
  { resource, endpoint: { fills }, parameters }: Received & Targeted,
  values: JsonObject,
): void {
  if (fills === undefined || parameters.id === undefined || values[fills] !== undefined) return;
  if (resource.description?.required.includes(fills)) values[fills] = parameters.id;
}

/** Refuses a request without content. */
export const withoutBody = (): Ending<400> =>
  refuse('malformed-body', 'The request has no body. Send one, and its media type in Content-Type');

/** A format of content: a `Reader`, or a format of patches. */
interface Format {
  readonly mediaTypes: readonly string[];
  readonly limitsParts?: boolean;
}

/**
 * The bytes of the content and their format, or the refusal of unreadable content. `accepted`: the header field
 * that names the accepted formats.
 */
export function readAs<One extends Format>(
  request: Request,
  formats: readonly One[],
  accepted: 'Accept' | 'Accept-Patch' | 'Accept-Post',
): { kind: 'bytes'; bytes: Uint8Array; format: One } | Ending<400 | 413 | 415> {
  const mediaType = mediaTypeOf(request);
  const wanted = mediaType && isUtf8(mediaType) ? essence(mediaType) : undefined;
  const bytes = request.content() ?? (wanted === URL_ENCODED ? new Uint8Array() : undefined);
  if (bytes === undefined && request.headers['content-type'] === undefined) {
    return withoutBody();
  }
  const format = formats.find(({ mediaTypes }) => wanted !== undefined && mediaTypes.includes(wanted));
  // XML in UTF-16 has a byte order mark. Source: XML 1.0 §4.3.3.
  const isForeign = wanted?.endsWith('xml') === true && bytes !== undefined && isUtf16(bytes);
  // The first row of CSV names the properties. Source: RFC 4180 §3.
  const isNamed = mediaType?.parameters.get('header')?.toLowerCase() !== 'absent';
  if (!format || !isNamed || isForeign) {
    const types = mediaTypesOf(formats);
    return refuse('unsupported-media-type', `Send Content-Type with one of ${types}, in UTF-8`, {
      headers: { [accepted]: types },
    });
  }
  if ((mediaType?.parameters.get('version') ?? VERSION) !== VERSION) {
    return refuse('unsupported-media-type', 'There is no such version. Leave version out of the media type', {
      headers: { [accepted]: mediaTypesOf(formats) },
    });
  }
  if (bytes === undefined) return withoutBody();
  if (bytes.length > MAXIMUM_BODY && !format.limitsParts) {
    return refuse('payload-too-large', `A body has at most ${MAXIMUM_BODY} bytes. Send less in one request`, {
      members: { maximum: MAXIMUM_BODY },
    });
  }
  if (mediaType && isBeyondAscii(mediaType, bytes))
    return refuse('malformed-body', 'The body is not US-ASCII, as its charset says. Send charset=utf-8');
  return { kind: 'bytes', bytes, format };
}

/** The facts about the request that validation needs beside the values. */
interface Circumstances {
  /** The fields whose values the write keeps, so they can be absent. */
  readonly kept?: readonly string[] | undefined;
  /** The values of the item before a partial change. */
  readonly stored?: JsonObject;
  /** The faults that the reader of the content has found. Their properties are not in the values. */
  readonly faults?: readonly Fault[];
}

/** Refuses values that the rules of the fields forbid, with all faults at once. Source: Specification 2.50. */
export function validateValues(
  validate: SchemaValidator,
  values: JsonObject,
  { kept = [], stored, faults = [] }: Circumstances = {},
): Ending<400> | undefined {
  const absent = kept.filter((name) => !Object.hasOwn(values, name)).map((name) => formatPointer([name]));
  const known = [...absent, ...faults.map(({ pointer }) => pointer)];
  const others = faultsOf(validate, values, stored).filter(({ pointer = '' }) => !known.includes(pointer));
  const errors = [...faults, ...others];
  return errors.length > 0
    ? refuse('validation-error', 'The body is not valid. Correct the named properties', { errors })
    : undefined;
}

/** Refuses values that are too long for an item, with their defaults. Source: Specification 10.10. */
export const refuseTooLarge = (values: JsonObject): Ending<413> | undefined =>
  isTooLarge(values) ? end(tooLargeEntity()) : undefined;

/**
 * Takes the related items that a representation shows out of the values of a document. Returns the faults of those that are
 * not the items which the references in the document name. `stored`: properties that the item has already.
 *
 * Source: Specification 4.24.
 */
export function takeRelated(
  relations: Readonly<Record<string, Relation>>,
  document: JsonObject,
  values: JsonObject,
  stored: JsonObject = {},
): Fault[] {
  return Object.entries(relations).flatMap(([name, { field, kind, to }]) => {
    if (!Object.hasOwn(document, name) || Object.hasOwn(stored, name)) return [];
    const shown = kind === 'many' || document[name] === null ? document[name] : [document[name]];
    const { name: key } = to.description.identifier;
    const isShown = (one: JsonValue | undefined) =>
      isObject(one) && String(one[key]) === String(document[field]);
    if (shown === null || (Array.isArray(shown) && shown.every(isShown))) {
      delete values[name];
      return [];
    }
    const detail = `is the link of ${field}: set ${field}`;
    return [{ pointer: formatPointer([name]), detail, rule: 'name' }];
  });
}
