import { offers } from '../shared/flow/steps/pure/negotiate.ts';
import { MERGE_PATCH } from '../shared/http/fields/media-type.ts';
import { json } from '../shared/representations/json.ts';
import { PATCH_FORMATS } from '../shared/representations/patches.ts';
import { xml } from '../shared/representations/xml/xml.ts';
import { type Content, type RequestBody, ref, type Schema } from './model.ts';
import { severalNames, takesSeveral } from './responses/several.ts';
import { customName } from './schemas/custom-schemas.ts';
import { holding } from './schemas/fields.ts';
import { belowName, schemaNames } from './schemas/schemas.ts';
import { fillsRequired, type Target } from './targets.ts';

/** The formats that the description has: each format of the others has the same values in another syntax. */
const DESCRIBED: readonly string[] = [json, xml].flatMap(({ mediaTypes: [type] }) => type ?? []);

/** Returns the same schema for each of these media types. */
export const inEach = (types: readonly string[], schema: Schema): Content =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

/**
 * Returns the content of a response in JSON and in XML. Generators of clients make a choice of types from formats with
 * different schemas, so HTML, CSV, JSON Lines and aliases of media types are in the text of the description alone.
 */
export const representations = ({ endpoint, method }: Target, schema: Schema): Content => {
  const offered = offers(endpoint, method).map(({ mediaType }) => mediaType);
  return inEach(
    DESCRIBED.filter((type) => offered.includes(type)),
    schema,
  );
};

/** Stored bytes. Every media type of them has this schema. */
const BYTES: Schema = { type: 'string', format: 'binary' };

/**
 * Returns the media types of bytes. Before a range such as an image of any type are types that a generated client can
 * send. Source: OpenAPI 3.1.1 §4.8.14.4.
 */
function bytesTypes({ route: { binary }, endpoint }: Target): readonly string[] {
  if (endpoint.mediaTypes) return endpoint.mediaTypes;
  if (binary?.kind !== 'declared') return ['application/octet-stream', '*/*'];
  const { accepts } = binary;
  const [kind, subtype] = accepts.split('/');
  if (subtype !== '*') return [accepts];
  return [...(CONCRETE[kind ?? ''] ?? ['application/octet-stream']), accepts];
}

/** Media types of each kind of content, the most common one first. */
const CONCRETE: Readonly<Record<string, readonly string[]>> = {
  image: ['image/png', 'image/jpeg'],
  audio: ['audio/mpeg'],
  video: ['video/mp4'],
  text: ['text/plain'],
};

/** Returns the stored bytes, also of a document that is JSON: a range of it is not. */
export const storedBytes = (target: Target): Content => inEach(bytesTypes(target), BYTES);

/** Returns the content of a 206. Several ranges are one multipart body. Source: RFC 9110 §14.6. */
export const ranges = (target: Target): Content =>
  inEach([...bytesTypes(target), 'multipart/byteranges'], BYTES);

/** Maximum number of parts or elements in a body. */
const MAXIMUM_FILES = 1000;

/** The schemas of the bodies with several files. */
export const FILES_SCHEMAS: Readonly<Record<string, Schema>> = {
  FilesInput: {
    description: 'A file, or several as `files` or `items`. They can also be an array alone.',
    anyOf: ['SentFile', 'SentFiles', 'AnnouncedFile', 'AnnouncedFiles'].map((name) => ref('schemas', name)),
  },
  SentFiles: holding('files', {
    type: 'array',
    minItems: 1,
    maxItems: MAXIMUM_FILES,
    items: ref('schemas', 'SentFile'),
  }),
};

/** Files as parts. Generators leave a component out that only a form has. */
const FILES_FORM: Schema = {
  type: 'object',
  description: 'Files under the filenames of their parts. The service ignores parts without a filename.',
  minProperties: 1,
  properties: { file: { type: 'array', maxItems: MAXIMUM_FILES, items: BYTES } },
};

/** Several files: elements with their content, a manifest, or the parts of a form. Source: Specification 5.16, 5.17. */
const SEVERAL_FILES: Content = {
  ...inEach(DESCRIBED, ref('schemas', 'FilesInput')),
  'multipart/form-data': { schema: FILES_FORM },
};

/** Returns the request body; undefined if the service ignores the content of the request. */
export function requestBody(target: Target): RequestBody | undefined {
  const { content: kind, body } = target.endpoint;
  const content = contentOf(target);
  if (content === undefined) return undefined;
  // A file can be empty, so its body is optional. A binary property has a media type, which the first bytes can give.
  const isOptional = body !== undefined && body.description.required.length === 0;
  const required = !isOptional && (kind !== 'bytes' || target.route.binary !== undefined);
  return { description: 'The body of the request.', required, content };
}

function contentOf(target: Target): Content | undefined {
  const { resource, endpoint } = target;
  const names = schemaNames(resource);
  const { input, change, mergePatch } = names;
  switch (endpoint.content) {
    case 'none':
      return undefined;
    case 'files':
      return SEVERAL_FILES;
    case 'bytes':
      return storedBytes(target);
    case 'body':
      return inEach(DESCRIBED, ref('schemas', customName(resource, endpoint)));
    case 'patch':
      return Object.fromEntries(
        PATCH_FORMATS.map(({ mediaTypes: [type] }) => [
          type,
          { schema: ref('schemas', type === MERGE_PATCH ? mergePatch : 'JsonPatch') },
        ]),
      );
    case 'change':
      return inEach(DESCRIBED, ref('schemas', change));
    default: {
      const { inputs, replacements } = severalNames(names);
      if (fillsRequired(resource, endpoint))
        return inEach(DESCRIBED, ref('schemas', belowName(takesSeveral(target) ? inputs : input)));
      const several = endpoint.content === 'items' ? replacements : inputs;
      return inEach(DESCRIBED, ref('schemas', takesSeveral(target) ? several : input));
    }
  }
}
