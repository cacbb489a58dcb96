import { XML_TEXT } from '../../service/validation/json-schema.ts';
import { NAME } from '../../shared/files/name.ts';
import { FORM_TYPES } from '../../shared/representations/forms/form.ts';
import { MAXIMUM_ENTITY } from '../../shared/resource/description/maximum-entity.ts';
import type { Schema } from '../model.ts';
import { MEDIA_TYPE } from '../requests/syntax.ts';

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
 * Schemas that all resources share. Rules for values deep inside an open value are in the description, because most
 * client generators do not support recursive schemas.
 */
export const COMMON_SCHEMAS: Readonly<Record<string, Schema>> = {
  Link: {
    type: 'object',
    description: 'A link to a next step: one for each relation and method. RFC 8288.',
    required: ['rel', 'href', 'method'],
    properties: {
      rel: {
        type: 'string',
        maxLength: 100,
        description: 'The relation of the target to this resource.',
        examples: ['self'],
      },
      href: { type: 'string', format: 'uri-template', maxLength: 20_000, examples: ['/members'] },
      template: {
        type: 'string',
        format: 'uri-template',
        maxLength: 20_000,
        description: 'The list with its filters, for a link to a list. The home document has it. RFC 6570.',
      },
      templated: { type: 'boolean', description: '`href` is a template. RFC 6570.', examples: [true] },
      method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], examples: ['GET'] },
      types: {
        type: 'array',
        description: 'Media types of the target.',
        maxItems: 100,
        items: { type: 'string', maxLength: 255 },
        xml: { wrapped: true },
      },
      title: { type: 'string', maxLength: 1000 },
      description: {
        type: 'string',
        maxLength: 1000,
        description: 'What the target is, in a sentence. The home document has it.',
      },
    },
    xml: { name: 'item' },
  },
  OpenValue: {
    description:
      'The value of an open property: any JSON value. All its texts and names must be valid in XML.',
    pattern: XML_TEXT,
  },
  SentFile: {
    type: 'object',
    description: 'A file with its content. The service accepts `name` in place of `filename`.',
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
        description: '`utf-8`: `content` is the text of the file; `base64`: its bytes in base64.',
      },
    },
    anyOf: [
      { not: { required: ['encoding'], properties: { encoding: { const: 'base64' } } } },
      {
        properties: {
          content: {
            type: 'string',
            maxLength: 6_000_000,
            pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$',
          },
        },
      },
    ],
  },
  StoredFiles: {
    type: 'object',
    description: 'One result for each file. The result of a failed file has a problem.',
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
  Form: {
    type: 'object',
    description:
      'A form to fill in. Send the values of its fields to `action`, in the media type `enctype`. Send hidden fields unchanged.',
    required: ['title', 'method', 'action', 'enctype', 'fields', 'links'],
    properties: {
      title: { type: 'string', maxLength: 1000, examples: ['New member'] },
      method: { type: 'string', enum: ['POST'] },
      action: { type: 'string', format: 'uri-reference', maxLength: 20_000, examples: ['/members/new'] },
      enctype: { type: 'string', enum: FORM_TYPES },
      fields: {
        type: 'array',
        maxItems: 100_000,
        items: {
          type: 'object',
          required: ['name', 'label', 'type', 'required', 'value'],
          properties: {
            name: { type: 'string', maxLength: 1000, examples: ['username'] },
            label: { type: 'string', maxLength: 1000, examples: ['User name'] },
            type: {
              type: 'string',
              maxLength: 50,
              description: 'The type of an input in HTML.',
              examples: ['text'],
            },
            required: { type: 'boolean', description: 'The value must not be empty.', examples: [false] },
            value: { type: 'string', maxLength: MAXIMUM_ENTITY, examples: [''] },
            hint: { type: 'string', maxLength: 1000 },
            choices: {
              type: 'array',
              description: 'The values that the field can have.',
              maxItems: 1000,
              items: { type: 'string', maxLength: 1000 },
              xml: { wrapped: true },
            },
          },
          xml: { name: 'item' },
        },
        xml: { wrapped: true },
      },
      links: {
        type: 'array',
        maxItems: 1000,
        items: { $ref: '#/components/schemas/Link' },
        xml: { wrapped: true },
      },
    },
    xml: { name: 'form' },
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
