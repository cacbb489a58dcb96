import { readersOf } from '../shared/flow/request/accepted-formats.ts';
import { offers } from '../shared/flow/steps/pure/negotiate.ts';
import { MAXIMUM_BYTES } from '../shared/http/maximum-sizes.ts';
import { FORM_TYPES } from '../shared/representations/forms/inputs.ts';
import { json } from '../shared/representations/json.ts';
import { PATCH_FORMATS } from '../shared/representations/patches.ts';
import { xml } from '../shared/representations/xml/xml.ts';
import { descriptionOf } from '../shared/resource/resource.ts';
import { type Content, type MediaType, type RequestBody, ref, type Schema } from './model.ts';
import { severalNames, takesSeveral } from './responses/several.ts';
import { customNames } from './schemas/custom-schemas.ts';
import { exampleValues } from './schemas/examples.ts';
import { schemaNames } from './schemas/schemas.ts';
import { MANIFESTS } from './schemas/upload-schemas.ts';
import { isFormTarget, type Target } from './targets.ts';

/** A text that is not JSON. A function can return no longer one. */
const TEXT: MediaType = { schema: { type: 'string', maxLength: MAXIMUM_BYTES } };

const isStructured = (type: string): boolean => /[/+](?:json|xml)$/.test(type);

/**
 * The same document in each of these media types. The example is in JSON, because tools check an example against the
 * schema, and the text of an XML document does not match it.
 */
export const inEach = (types: readonly string[], schema: Schema, example?: unknown): Content =>
  Object.fromEntries(
    types.map((type) => {
      if (!isStructured(type)) return [type, TEXT];
      return [type, type.endsWith('json') && example !== undefined ? { schema, example } : { schema }];
    }),
  );

/** The media types of responses. */
export const representations = (
  { endpoint, method }: Target,
  schema: Schema,
  example?: Readonly<Record<string, unknown>>,
): Content =>
  inEach(
    offers(endpoint, method).map(({ mediaType }) => mediaType),
    schema,
    example,
  );

/** The media types of bytes; if the resource does not restrict them, any. Source: OpenAPI 3.1.1 §4.8.14.4. */
const bytesTypes = ({ route: { binary }, endpoint }: Target): readonly string[] =>
  endpoint.mediaTypes ?? [binary?.kind === 'declared' ? binary.accepts : '*/*'];

/** The stored bytes. */
export const storedBytes = (target: Target): Content =>
  Object.fromEntries(bytesTypes(target).map((type) => [type, schemaOfBytes(type)]));

function schemaOfBytes(type: string): MediaType {
  if (/^application\/(?:.*\+)?json/.test(type)) return { schema: { type: 'object' } };
  return type.startsWith('text/') ? TEXT : {};
}

/**
 * The content of a 206. A part of the bytes has no schema, because it need not match the schema of the whole. Several
 * ranges are one multipart body. Source: RFC 9110 §14.6.
 */
export const ranges = (target: Target): Content => ({
  ...Object.fromEntries(bytesTypes(target).map((type) => [type, {}])),
  'multipart/byteranges': TEXT,
});

/** Maximum number of parts or elements in a body. */
const MAXIMUM_FILES = 1000;

const LISTED_FILES: MediaType = {
  schema: {
    description: 'A file, or an array of files, which can be in an object as `files` or `items`.',
    anyOf: [
      { type: 'array', minItems: 1, maxItems: MAXIMUM_FILES, items: ref('schemas', 'SentFile') },
      ref('schemas', 'SentFile'),
      ...MANIFESTS,
    ],
  },
};

/** Several files: the parts of a form, elements with their content, or a manifest. Source: Specification 5.16, 5.17. */
const SEVERAL_FILES: Content = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      description: 'Files under the filenames of their parts. The service ignores parts without a filename.',
      minProperties: 1,
      properties: {
        file: {
          type: 'array',
          maxItems: MAXIMUM_FILES,
          items: { type: 'string', contentMediaType: 'application/octet-stream', maxLength: MAXIMUM_BYTES },
        },
      },
    },
  },
  ...Object.fromEntries([...json.mediaTypes, ...xml.mediaTypes].map((type) => [type, LISTED_FILES])),
};

/** Returns the request body; undefined if the request has none. */
export function requestBody(target: Target): RequestBody | undefined {
  const content = { ...sentByPrograms(target), ...(isFormTarget(target) ? sentByForms(target) : {}) };
  if (Object.keys(content).length === 0) return undefined;
  // A file can be empty, so its body is optional. A binary property has a media type, which the first bytes can give.
  const { content: kind, body } = target.endpoint;
  const isOptional = body !== undefined && body.description.required.length === 0;
  const required = kind !== 'none' && !isOptional && (kind !== 'bytes' || target.route.binary !== undefined);
  return { description: 'The body of the request.', required, content };
}

function sentByForms({ resource, endpoint }: Target): Content {
  const { newForm, form } = schemaNames(resource);
  const own = endpoint.body ? customNames(resource, endpoint).form : form;
  const schema: Schema =
    endpoint.content === 'none' ? { type: 'object' } : ref('schemas', endpoint.creates ? newForm : own);
  return Object.fromEntries(FORM_TYPES.map((type) => [type, { schema }]));
}

/** The content of a control URI: any JSON and any XML. The service ignores it. */
const IGNORED: Content = {
  ...inEach(json.mediaTypes, { description: 'Any JSON. The service ignores it.' }, {}),
  ...inEach(xml.mediaTypes, { type: 'object' }, {}),
};

function sentByPrograms(target: Target): Content {
  const { resource, endpoint } = target;
  if (endpoint.content === 'none') return isFormTarget(target) ? IGNORED : {};
  if (endpoint.content === 'files') return SEVERAL_FILES;
  if (endpoint.content === 'bytes') return storedBytes(target);
  if (endpoint.body)
    return inEach(
      readersOf(endpoint).flatMap(({ mediaTypes }) => mediaTypes),
      ref('schemas', customNames(resource, endpoint).body),
      exampleValues(endpoint.body.description.fields, { server: false }),
    );
  const { input, change, list, mergePatch } = schemaNames(resource);
  const { fields, identifier } = descriptionOf(resource);
  const members = exampleValues(fields, { server: false });
  if (endpoint.content !== 'patch') {
    const { inputs, replacements } = severalNames(list);
    const one = endpoint.content === 'item' ? input : change;
    const several = endpoint.content === 'items' ? replacements : inputs;
    return inEach(
      readersOf(endpoint).flatMap(({ mediaTypes }) => mediaTypes),
      ref('schemas', takesSeveral(target) ? several : one),
      endpoint.content === 'items' ? [{ [identifier.name]: identifier.example, ...members }] : members,
    );
  }
  const [[name, value] = []] = Object.entries(members);
  const patches: Content = {
    'application/json-patch+json': {
      schema: ref('schemas', 'JsonPatch'),
      example: [{ op: 'replace', path: `/${name}`, value }],
    },
    'application/merge-patch+json': {
      schema: ref('schemas', mergePatch),
      example: { [name as string]: value },
    },
  };
  return Object.fromEntries(PATCH_FORMATS.flatMap(({ mediaTypes: [type] }) => [[type, patches[type] ?? {}]]));
}
