import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPES } from '../../shared/flow/response/problem.ts';
import { PROBLEMS } from '../../shared/http/problem.ts';
import { inEach } from '../content.ts';
import { type Reference, type Response, ref, type Schema } from '../model.ts';
import { wrappedArray } from '../schemas/common-schemas.ts';
import { pascal } from '../texts.ts';
import { type Names, response } from './headers.ts';

/** The problems that the description names, with their header fields. `default` has all others. */
const NAMED: Readonly<Record<number, Names>> = {
  400: [],
  404: [],
  // A request with the same idempotency key still runs.
  409: ['Retry-After'],
  412: ['ETag'],
};

/** `404` is `NotFound`. Source: IANA HTTP Status Code Registry, as Node knows it. */
const componentName = (status: number): string => pascal(STATUS_CODES[status] ?? String(status));

/** Any other problem. Many problems are of the gateway, which has no XML. */
const OTHER_PROBLEM: Response = {
  description: 'Another problem.',
  content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
};

/** Returns the responses of an operation with these problem statuses. */
export const problemsOf = (statuses: readonly number[]): Record<string, Reference | Response> => ({
  ...Object.fromEntries(
    statuses
      .filter((status) => status in NAMED)
      .map((status) => [status, ref('responses', componentName(status))]),
  ),
  default: OTHER_PROBLEM,
});

const CONTENT = {
  content: inEach(
    PROBLEM_TYPES.filter((type) => type.includes('/problem+')),
    ref('schemas', 'Problem'),
  ),
};

/** A response for each named problem. All problems have one schema. */
export const PROBLEM_RESPONSES: Readonly<Record<string, Response>> = Object.fromEntries(
  Object.entries(NAMED).map(([status, headers]) => {
    const titles = Object.values(PROBLEMS).flatMap((one) =>
      one.status === Number(status) ? [one.title] : [],
    );
    return [componentName(Number(status)), response(`${titles.join('; ')}.`, headers, CONTENT)];
  }),
);

const REQUEST = 'c2409ae8-67d5-4f7f-9438-a47653bbfcfc';

const shortText = { type: 'string', maxLength: 10_000 };

/** Problem details. Some types have more properties. Source: RFC 9457 §3, §3.2. */
export const problemSchemas = (basePath: string): Record<string, Schema> => ({
  Problem: {
    type: 'object',
    description: `A problem. \`type\` is a URI of this service that explains the problem and what to do, or one of IANA’s registry.`,
    required: ['type', 'title', 'instance', 'requestId'],
    properties: {
      type: {
        description: 'The kind of the problem.',
        type: 'string',
        format: 'uri-reference',
        maxLength: 1000,
        examples: [`${basePath}/problems/not-found`],
      },
      title: { ...shortText, description: 'The kind in words.', examples: [PROBLEMS['not-found'].title] },
      status: {
        description: 'The status code.',
        type: 'integer',
        format: 'int32',
        minimum: 400,
        maximum: 599,
        examples: [404],
      },
      detail: {
        ...shortText,
        description: 'What happened, and what to do.',
        examples: ['There is no /members/1'],
      },
      instance: {
        description: 'The path of the request.',
        type: 'string',
        maxLength: 20_000,
        examples: [`${basePath}/members/1`],
      },
      requestId: {
        ...shortText,
        description: 'The number of the request. Give it to the operators.',
        examples: [REQUEST],
      },
      errors: wrappedArray(100_000, ref('schemas', 'Fault'), 'All causes of the problem.'),
    },
    additionalProperties: true,
    xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
  },
  Fault: {
    type: 'object',
    description: 'One cause and its location.',
    required: ['detail'],
    properties: {
      detail: { ...shortText, description: 'What is wrong.', examples: ['must be at least 0'] },
      pointer: {
        type: 'string',
        format: 'json-pointer',
        maxLength: 8192,
        description: 'The location in the body.',
        examples: ['/age'],
      },
      parameter: { ...shortText, description: 'The name of the query parameter.' },
      header: { ...shortText, description: 'The name of the header field.' },
    },
    xml: { name: 'i' },
  },
});
