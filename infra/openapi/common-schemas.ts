import type { Schema } from './model.ts';

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

/** Schemas that all resources share. */
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
