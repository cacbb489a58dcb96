import { NAME } from '../../shared/files/description.ts';
import { ref, type Schema } from '../model.ts';
import { MEDIA_TYPE } from '../requests/syntax.ts';

const POINTER = {
  type: 'string',
  format: 'json-pointer',
  pattern: '^(?:/(?:[^~/]|~[01])*)*$',
  maxLength: 8192,
};

const text = (maxLength: number, more: Schema = {}): Schema => ({ type: 'string', maxLength, ...more });
const address = (format: 'uri-template' | 'uri-reference', more: Schema = {}): Schema => ({
  type: 'string',
  format,
  maxLength: 20_000,
  ...more,
});
/** Returns an array whose name encloses its elements in XML. */
export const wrappedArray = (maxItems: number, items: Schema, description?: string): Schema => ({
  type: 'array',
  ...(description === undefined ? {} : { description }),
  maxItems,
  items,
  xml: { wrapped: true },
});
const LINKS = wrappedArray(1000, ref('schemas', 'Link'), 'Next steps.');

const patchOperation = (op: readonly string[], more: Record<string, unknown>): Schema => ({
  type: 'object',
  required: ['op', 'path', ...Object.keys(more)],
  properties: { op: { type: 'string', enum: op }, path: POINTER, ...more },
});

/** The result of one element of a request with several. */
export const RESULT = {
  status: {
    description: 'The status code.',
    type: 'integer',
    format: 'int32',
    minimum: 100,
    maximum: 599,
    examples: [201],
  },
  href: address('uri-reference', { description: 'The path of the item.' }),
  problem: ref('schemas', 'Problem'),
};

/**
 * Schemas that all resources share. Rules for values deep inside an open value are in the description, because most
 * client generators do not support recursive schemas.
 */
export const COMMON_SCHEMAS: Readonly<Record<string, Schema>> = {
  Link: {
    type: 'object',
    description: 'A link to a next step: one for each relation and method. RFC 8288.',
    required: ['rel', 'href', 'method'],
    properties: {
      rel: text(100, { description: 'The relation of the target to this resource.', examples: ['self'] }),
      href: address('uri-template', { description: 'The target.', examples: ['/members'] }),
      template: address('uri-template', {
        description: 'The list with its filters, for a link to a list. The home document has it. RFC 6570.',
      }),
      templated: { type: 'boolean', description: '`href` is a template. RFC 6570.', examples: [true] },
      method: {
        description: 'The method of the request.',
        type: 'string',
        enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        examples: ['GET'],
      },
      types: wrappedArray(100, text(255), 'Media types of the target.'),
      title: text(1000, { description: 'The title of the target.' }),
      etag: text(300, {
        description:
          'The entity tag of the target. The link `self` of an item in a list has it. RFC 9110 §8.8.3.',
        examples: ['"1.1-json"'],
      }),
      description: text(1000, {
        description: 'What the target is, in a sentence. The home document has it.',
      }),
    },
    xml: { name: 'item' },
  },
  SentFile: {
    type: 'object',
    description: 'A file with its content. The service accepts `name` in place of `filename`.',
    required: ['filename', 'content'],
    additionalProperties: false,
    properties: {
      filename: {
        description: 'The name of the file.',
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: NAME.source,
        examples: ['notes.txt'],
      },
      contentType: text(255, { description: 'Media type.', pattern: MEDIA_TYPE, examples: ['text/plain'] }),
      content: text(6_000_000, { description: 'The text or the bytes.', examples: ['Hello'] }),
      encoding: {
        type: 'string',
        enum: ['utf-8', 'base64'],
        description:
          '`utf-8`, the default: `content` is the text of the file; `base64`: its bytes in canonical base64.',
      },
    },
  },
  StoredFiles: {
    type: 'object',
    description: 'One result for each file. The result of a failed file has a problem.',
    required: ['items', 'links'],
    properties: {
      items: {
        description: 'Results.',
        type: 'array',
        maxItems: 1000,
        items: {
          type: 'object',
          properties: {
            ...RESULT,
            href: address('uri-reference', {
              description: 'The path of the file.',
              examples: ['/files/notes.txt'],
            }),
          },
        },
      },
      links: LINKS,
    },
  },
  JsonPatch: {
    type: 'array',
    description: 'Operations, which the service applies in order: all of them or none. RFC 6902.',
    maxItems: 100_000,
    items: {
      oneOf: [
        patchOperation(['add', 'replace', 'test'], { value: { description: 'Any JSON value.' } }),
        patchOperation(['remove'], {}),
        patchOperation(['move', 'copy'], { from: POINTER }),
      ],
    },
  },
};
