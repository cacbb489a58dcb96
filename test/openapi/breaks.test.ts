import { expect, test } from '@jest/globals';
import { breaks } from '../../openapi/evolution/breaks.ts';
import { sentenceOf } from '../../openapi/evolution/sentence.ts';
import type { OpenApi } from '../../openapi/model.ts';

/** A description with every kind of part that a change can remove. */
const released = () => ({
  openapi: '3.1.1',
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', maximum: 9 } }],
      get: {
        operationId: 'getThing',
        parameters: [{ $ref: '#/components/parameters/sort' }],
        responses: {
          200: {
            headers: { ETag: { schema: { type: 'string' } } },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
              'application/xml': {},
            },
          },
          404: {},
        },
      },
      put: {
        operationId: 'putThing',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingInput' } } },
        },
        security: [{ bearer: ['b'] }, {}],
        responses: { 200: {}, 204: {} },
      },
    },
  },
  components: {
    parameters: { sort: { name: 'sort', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } } },
    schemas: {
      Thing: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, parts: { type: 'array', items: { type: 'integer' } } },
      },
      ThingInput: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 10 },
          age: { type: ['integer', 'null'], minimum: 0 },
          size: { anyOf: [{ type: 'integer' }, { const: '' }] },
          tags: { allOf: [{ type: 'object' }, { additionalProperties: { type: 'string' } }] },
        },
      },
    },
  },
});

const at = (document: unknown, ...tokens: readonly string[]): Record<string, unknown> =>
  tokens.reduce<unknown>((one, token) => (one as Record<string, unknown>)[token], document) as Record<
    string,
    unknown
  >;

const PATH = ['paths', '/things/{id}'];
const SCHEMAS = ['components', 'schemas'];
const OK = [...PATH, 'get', 'responses', '200'];

const TABLE: readonly (readonly [
  what: string,
  change: (document: unknown) => void,
  found: readonly string[],
])[] = [
  ['nothing', () => {}, []],
  ['a path', (one) => delete at(one, 'paths')['/things/{id}'], ['/things/{id} is gone']],
  ['a method', (one) => delete at(one, ...PATH).put, ['PUT /things/{id} is gone']],
  [
    'an operationId',
    (one) => Object.assign(at(one, ...PATH, 'put'), { operationId: 'other' }),
    ['PUT /things/{id}: its operationId was putThing'],
  ],
  [
    'a parameter',
    (one) => Object.assign(at(one, ...PATH, 'get'), { parameters: [] }),
    ['GET /things/{id}: query parameter sort is gone'],
  ],
  [
    'a choice of a parameter',
    (one) => Object.assign(at(one, 'components', 'parameters', 'sort', 'schema'), { enum: ['a', 'c'] }),
    ['GET /things/{id}: query parameter sort: "b" is no longer a choice'],
  ],
  [
    'choices that became a pattern which matches all of them',
    (one) => {
      delete at(one, 'components', 'parameters', 'sort', 'schema').enum;
      Object.assign(at(one, 'components', 'parameters', 'sort', 'schema'), {
        pattern: '^[a-z]$',
        maxLength: 1,
      });
    },
    [],
  ],
  [
    'choices that became a pattern which does not match all of them',
    (one) => {
      delete at(one, 'components', 'parameters', 'sort', 'schema').enum;
      Object.assign(at(one, 'components', 'parameters', 'sort', 'schema'), { pattern: '^a$' });
    },
    ['GET /things/{id}: query parameter sort: its pattern is another one'],
  ],
  [
    'a parameter that became a list of such values',
    (one) => {
      const sort = at(one, 'components', 'parameters', 'sort');
      Object.assign(sort, { explode: false, schema: { type: 'array', items: sort.schema } });
    },
    [],
  ],
  [
    'a parameter that became a list of other values',
    (one) => {
      const schema = { type: 'array', items: { type: 'string', enum: ['a'] } };
      Object.assign(at(one, 'components', 'parameters', 'sort'), { explode: false, schema });
    },
    ['GET /things/{id}: query parameter sort: "b" is no longer a choice'],
  ],
  [
    'freedom from a parameter',
    (one) =>
      (at(one, ...PATH, 'get').parameters as unknown[]).push({
        name: 'key',
        in: 'header',
        required: true,
        schema: {},
      }),
    ['GET /things/{id}: header parameter key must be sent now'],
  ],
  [
    'a new parameter that may be left out',
    (one) => (at(one, ...PATH, 'get').parameters as unknown[]).push({ name: 'x', in: 'query' }),
    [],
  ],
  [
    'a success',
    (one) => delete at(one, ...PATH, 'put', 'responses')[204],
    ['PUT /things/{id}: answer 204 is gone'],
  ],
  ['a problem', (one) => delete at(one, ...PATH, 'get', 'responses')[404], []],
  [
    'a header field',
    (one) => delete at(one, ...OK, 'headers').ETag,
    ['GET /things/{id}: answer 200: header field ETag is gone'],
  ],
  [
    'a media type',
    (one) => delete at(one, ...OK, 'content')['application/xml'],
    ['GET /things/{id}: answer 200: application/xml is gone'],
  ],
  [
    'a member of an answer',
    (one) => delete at(one, ...SCHEMAS, 'Thing', 'properties').name,
    ['GET /things/{id}: answer 200 (application/json): name is gone'],
  ],
  [
    'certainty of a member',
    (one) => delete at(one, ...SCHEMAS, 'Thing').required,
    ['GET /things/{id}: answer 200 (application/json): name may be missing now'],
  ],
  [
    'the type of what an answer holds',
    (one) => Object.assign(at(one, ...SCHEMAS, 'Thing', 'properties', 'parts', 'items'), { type: 'string' }),
    ['GET /things/{id}: answer 200 (application/json) parts items: its type was integer, and is string'],
  ],
  [
    'a member of a request',
    (one) => delete at(one, ...SCHEMAS, 'ThingInput', 'properties').age,
    ['PUT /things/{id}: body (application/json): age is gone'],
  ],
  [
    'freedom from a member',
    (one) => Object.assign(at(one, ...SCHEMAS, 'ThingInput'), { required: ['name'] }),
    ['PUT /things/{id}: body (application/json): name must be given now'],
  ],
  [
    'room above',
    (one) => Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties', 'name'), { maxLength: 9 }),
    ['PUT /things/{id}: body (application/json) name: maxLength was 10, and is 9'],
  ],
  [
    'room below',
    (one) => Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties', 'age'), { minimum: 1 }),
    ['PUT /things/{id}: body (application/json) age: minimum was 0, and is 1'],
  ],
  [
    'a type',
    (one) => Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties', 'age'), { type: 'integer' }),
    ['PUT /things/{id}: body (application/json) age: its type was integer or null, and is integer'],
  ],
  [
    'freedom of form',
    (one) => Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties', 'name'), { pattern: '^a' }),
    ['PUT /things/{id}: body (application/json) name: its pattern is another one'],
  ],
  [
    'more room',
    (one) => Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties', 'name'), { maxLength: 11 }),
    [],
  ],
  [
    'freedom from a body',
    (one) => Object.assign(at(one, ...PATH, 'put', 'requestBody'), { required: true }),
    ['PUT /things/{id}: body must be sent now'],
  ],
  [
    'a form of a value',
    (one) =>
      Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties', 'size'), {
        anyOf: [{ type: 'integer' }],
      }),
    ['PUT /things/{id}: body (application/json) size: its type was any, and is integer'],
  ],
  [
    'forms that allow more together',
    (one) =>
      Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties'), {
        size: { oneOf: [{ type: 'boolean' }, { type: 'number' }, { enum: ['', 'a'] }] },
      }),
    [],
  ],
  [
    'a part of a value that allowed more',
    (one) =>
      Object.assign(at(one, ...SCHEMAS, 'ThingInput', 'properties'), {
        tags: { type: 'object', additionalProperties: { type: 'string', format: 'uuid' } },
      }),
    ['PUT /things/{id}: body (application/json) tags other members: its format is another one'],
  ],
  [
    'freedom of other members',
    (one) => Object.assign(at(one, ...SCHEMAS, 'ThingInput'), { additionalProperties: { type: 'string' } }),
    ['PUT /things/{id}: body (application/json) other members: its type was any, and is string'],
  ],
  [
    'certainty of the form of an answer',
    (one) =>
      Object.assign(at(one, ...SCHEMAS, 'Thing', 'properties'), {
        name: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      }),
    ['GET /things/{id}: answer 200 (application/json) name: its type was string, and is integer'],
  ],
  [
    'freedom from credentials',
    (one) => Object.assign(at(one, ...PATH, 'get'), { security: [{ bearer: ['x'] }] }),
    ['GET /things/{id}: credentials must be sent now'],
  ],
  [
    'a scope that suffices',
    (one) => Object.assign(at(one, ...PATH, 'put'), { security: [{}, { bearer: ['b', 'c'] }] }),
    ['PUT /things/{id}: {"bearer":["b"]} does not suffice any more'],
  ],
  ['new things', (one) => Object.assign(at(one, 'paths'), { '/more': { get: {} } }), []],
];

test.each(TABLE)('the comparison finds the removal: %s', (_what, change, found) => {
  const present = released();
  change(present);
  const differences = breaks(released() as unknown as OpenApi, present as unknown as OpenApi);
  expect(differences.map(sentenceOf)).toEqual(found);
});
