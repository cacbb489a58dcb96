import { malformedPrecondition, type Preconditions } from '../http/conditions.ts';
import { essence, type MediaType, parseMediaType } from '../http/media-type.ts';
import type { Request } from '../http/request.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { json } from '../representations/json.ts';
import { ACCEPT_PATCH, PATCH_FORMATS } from '../representations/patches.ts';
import type { Description } from '../resource/description.ts';
import type { Validator } from '../resource/validate.ts';
import { faultsOf, valuesOf, withDefaults } from '../resource/values.ts';
import { type Ending, end, refuse } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { ACCEPT_ITEM } from './options.ts';
import { READERS } from './readers.ts';
import { step } from './step.ts';

/** Bytes of a JSON body at most, of an entity's JSON text, and of bytes sent inline. */
export const MAXIMUM_BODY = 1_000_000;
export const MAXIMUM_ENTITY = 256 * 1024;
export const MAXIMUM_BYTES = 4 * 1024 * 1024;

const NO_BYTES = new Uint8Array();

/**
 * Reads what was sent: header fields with preconditions, then the content by its media type.
 * Here nothing was read from storage yet.
 *
 * Source: RFC 9110 §8.3, §8.4, §15.5.14, §15.5.16.
 */
export const content = step('content', [400, 413, 415], (exchange) => {
  const { request, operation } = exchange;
  const preconditions = preconditionsOf(request);
  exchange.preconditions = preconditions;
  const malformed = malformedPrecondition(preconditions);
  if (malformed) {
    return refuse('validation-error', `${malformed} is not a list of entity tags`, {
      errors: [{ header: malformed, detail: 'must be * or entity tags in double quotes' }],
    });
  }
  if (operation.content === 'none') return undefined;
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
    return refuse('unsupported-media-type', 'Content codings are not supported: send the content as it is', {
      headers: { 'Accept-Encoding': 'identity' },
    });
  }
  switch (operation.content) {
    case 'bytes':
      return readBytes(exchange);
    case 'patch':
      return readPatch(exchange);
    case 'item': {
      const ending = readItem(exchange);
      // Under a parent that is missing nothing else matters: look-up tells which it is.
      if (ending?.status !== 400 || !operation.parent || ending.problem?.name !== 'validation-error')
        return ending;
      exchange.invalid = { status: 400, problem: ending.problem };
      return undefined;
    }
  }
});

function preconditionsOf({ headers }: Request): Preconditions {
  return {
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    ifModifiedSince: headers['if-modified-since'],
    ifUnmodifiedSince: headers['if-unmodified-since'],
  };
}

const mediaTypeOf = (request: Request): MediaType | undefined => {
  const field = request.headers['content-type'];
  return field === undefined ? undefined : parseMediaType(field);
};

function readBytes(exchange: Exchange): Ending<400 | 413 | 415> | undefined {
  const { request, resource, route } = exchange;
  if (request.headers['content-range'] !== undefined) {
    return refuse('validation-error', 'A part cannot be stored: send the whole', {
      errors: [{ header: 'Content-Range', detail: 'is not allowed with PUT' }],
    });
  }
  const field = request.headers['content-type'];
  const mediaType = mediaTypeOf(request);
  const prefix = route.part ? resource.acceptsBytes : undefined;
  if (
    (field !== undefined && !mediaType) ||
    (prefix && !(mediaType && essence(mediaType).startsWith(prefix)))
  ) {
    return refuse(
      'unsupported-media-type',
      `The Content-Type must be ${prefix ? `${prefix}*` : 'a media type'}`,
      {
        headers: { Accept: prefix ? `${prefix}*` : '*/*' },
      },
    );
  }
  const bytes = request.content() ?? NO_BYTES;
  if (bytes.length > MAXIMUM_BYTES) {
    return refuse('payload-too-large', `At most ${MAXIMUM_BYTES} bytes can be sent in one request`, {
      members: { maximum: MAXIMUM_BYTES },
    });
  }
  exchange.sent = { bytes, mediaType: field?.trim() ?? 'application/octet-stream' };
  return undefined;
}

/** The content's bytes and the format they are in, or why they cannot be read. */
function readAs<Format extends { readonly mediaType: string }>(
  request: Request,
  formats: readonly Format[],
  accepted: Readonly<Record<string, string>>,
): { bytes: Uint8Array; format: Format } | Ending<400 | 413 | 415> {
  const bytes = request.content();
  const mediaType = mediaTypeOf(request);
  if (bytes === undefined && request.headers['content-type'] === undefined) {
    return refuse('malformed-body', 'The request has no body');
  }
  const wanted = mediaType && essence(mediaType);
  const format = formats.find((one) => one.mediaType === wanted);
  const charset = mediaType?.parameters.get('charset') ?? 'utf-8';
  if (!format || charset.toLowerCase() !== 'utf-8') {
    return refuse('unsupported-media-type', `Send ${Object.values(accepted)[0]} in UTF-8`, {
      headers: accepted,
    });
  }
  if (bytes === undefined) return refuse('malformed-body', 'The request has no body');
  if (bytes.length > MAXIMUM_BODY) {
    return refuse('payload-too-large', `A body has at most ${MAXIMUM_BODY} bytes`, {
      members: { maximum: MAXIMUM_BODY },
    });
  }
  return { bytes, format };
}

function readPatch(exchange: Exchange): Ending<400 | 413 | 415> | undefined {
  const read = readAs(exchange.request, PATCH_FORMATS, { 'Accept-Patch': ACCEPT_PATCH });
  if ('status' in read) return read;
  const document = json.read(read.bytes);
  if ('fault' in document) {
    return refuse('malformed-patch', 'The patch document is not valid JSON', { errors: [document.fault] });
  }
  const patch = read.format.read(document.value);
  if ('name' in patch) return end(patch);
  exchange.patch = patch;
  return undefined;
}

function readItem(exchange: Exchange): Ending<400 | 413 | 415> | undefined {
  const { request, resource } = exchange;
  const accepted = { [request.method === 'POST' ? 'Accept-Post' : 'Accept']: ACCEPT_ITEM };
  const read = readAs(request, READERS, accepted);
  if ('status' in read) return read;
  const document = read.format.read(read.bytes);
  if ('fault' in document) {
    return refuse('malformed-body', `The body is not valid ${read.format.mediaType}`, {
      errors: [document.fault],
    });
  }
  if (!isObject(document.value)) {
    return refuse('validation-error', 'The body must be one object', {
      errors: [{ pointer: '', detail: 'must be an object' }],
    });
  }
  const description = resource.description as Description;
  const other = otherIdentifier(exchange, description, document.value);
  if (other) return other;
  const values = valuesOf(description, document.value);
  if (description.open && Object.keys(values).length === 0) {
    return refuse('validation-error', 'The body has no member that can be set', {
      errors: [
        { pointer: '', detail: `must have a member besides ${description.identifier.name}, times and links` },
      ],
    });
  }
  const faulty = judge(resource.validate as Validator, values, read.bytes.length);
  exchange.values = withDefaults(description, values);
  return faulty;
}

/** A body that names another item than the path. */
function otherIdentifier(
  { operation, parameters }: Exchange,
  { identifier: { name } }: Description,
  document: JsonObject,
): Ending<400> | undefined {
  const sent = Object.hasOwn(document, name) ? document[name] : undefined;
  if (operation.creates || sent === undefined || sent === parameters.id) return undefined;
  return refuse('validation-error', 'The body names another item than the path', {
    errors: [{ pointer: `/${name}`, detail: `must be ${parameters.id}, or be left out` }],
  });
}

/** Whether values can be kept. `size`: bytes of the text they came in, where it is known. */
export function judge(
  validate: Validator,
  values: JsonObject,
  size = Number.POSITIVE_INFINITY,
): Ending<400 | 413> | undefined {
  const errors = faultsOf(validate, values);
  if (errors.length > 0) return refuse('validation-error', 'The body is not valid', { errors });
  if (size > MAXIMUM_ENTITY && Buffer.byteLength(JSON.stringify(values)) > MAXIMUM_ENTITY) {
    return refuse('payload-too-large', `An item has at most ${MAXIMUM_ENTITY} bytes`, {
      members: { maximum: MAXIMUM_ENTITY },
    });
  }
  return undefined;
}
