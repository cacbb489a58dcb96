import { NAME } from '../functions/files/name.ts';
import { XML_TEXT } from '../shared/resource/json-schema.ts';
import type { Schema } from './model.ts';
import { MEDIA_TYPE } from './syntax.ts';

const POINTER = {
  type: 'string',
  format: 'json-pointer',
  pattern: '^(?:/(?:[^~/]|~[01])*)*$',
  maxLength: 8192,
};

const patchOperation = (op: readonly string[], more: Record<string, unknown>): Schema => ({
  type: 'object',
  required: ['op', 'path', ...Object.keys(more)],
  properties: { op: { type: 'string', enum: op }, path: POINTER, ...more },
});

/**
 * Schemas that all resources share. What stands deep in an open value has its rule in words: generators of clients
 * make nothing of use from a schema that contains itself.
 */
export const COMMON_SCHEMAS: Readonly<Record<string, Schema>> = {
  Link: {
    type: 'object',
    description: 'Where to go from here; one for each relation and method. RFC 8288.',
    required: ['rel', 'href', 'method'],
    properties: {
      rel: {
        type: 'string',
        maxLength: 100,
        description: 'The relation: what the target is.',
        examples: ['self'],
      },
      href: { type: 'string', format: 'uri-reference', maxLength: 20_000, examples: ['/members'] },
      method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], examples: ['GET'] },
      types: {
        type: 'array',
        description: 'Media types to be expected there.',
        maxItems: 100,
        items: { type: 'string', maxLength: 255 },
        xml: { wrapped: true },
      },
      title: { type: 'string', maxLength: 1000 },
    },
    xml: { name: 'item' },
  },
  OpenValue: {
    description:
      'The value of an open property: any JSON. XML has to be able to carry every text in it, and every name.',
    pattern: XML_TEXT,
  },
  SentFile: {
    type: 'object',
    description: 'One of several files.',
    required: ['filename', 'content'],
    properties: {
      filename: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: NAME.source,
        examples: ['notes.txt'],
      },
      contentType: { type: 'string', maxLength: 255, pattern: MEDIA_TYPE, examples: ['text/plain'] },
      content: { type: 'string', maxLength: 6_000_000, examples: ['Hello'] },
      encoding: {
        type: 'string',
        enum: ['utf-8', 'base64'],
        default: 'utf-8',
        description: 'Whether `content` is the text of the file, or its bytes in base64.',
      },
    },
    anyOf: [
      { not: { required: ['encoding'], properties: { encoding: { const: 'base64' } } } },
      {
        properties: {
          content: {
            type: 'string',
            pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$',
          },
        },
      },
    ],
  },
  StoredFiles: {
    type: 'object',
    description: 'What became of several files; one that failed has a problem.',
    required: ['items', 'links'],
    properties: {
      items: {
        type: 'array',
        maxItems: 1000,
        items: {
          type: 'object',
          properties: {
            status: { type: 'integer', format: 'int32', minimum: 100, maximum: 599, examples: [201] },
            href: {
              type: 'string',
              format: 'uri-reference',
              maxLength: 20_000,
              examples: ['/files/notes.txt'],
            },
            problem: { $ref: '#/components/schemas/Problem' },
          },
        },
      },
      links: {
        type: 'array',
        maxItems: 1000,
        items: { $ref: '#/components/schemas/Link' },
        xml: { wrapped: true },
      },
    },
  },
  JsonPatch: {
    type: 'array',
    description: 'Operations, applied in order, all of them or none. RFC 6902.',
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
