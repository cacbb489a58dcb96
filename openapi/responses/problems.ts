import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPES } from '../../shared/flow/response/problem.ts';
import { PROBLEMS, type ProblemName, problem, problemDetails, typeOf } from '../../shared/http/problem.ts';
import { inEach } from '../content.ts';
import { type Reference, type Response, ref, type Schema } from '../model.ts';
import { wrappedArray } from '../schemas/common-schemas.ts';
import { pascal } from '../texts.ts';
import { type Names, response } from './headers.ts';

const ALL = Object.entries(PROBLEMS) as [ProblemName, (typeof PROBLEMS)[ProblemName]][];

/** Header fields that only problems of this status have. */
const OWN_HEADERS: Readonly<Record<number, Names>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  // A request with the same idempotency key still runs.
  409: ['Retry-After'],
  412: ['ETag'],
  415: ['Accept', 'Accept-Encoding', 'Accept-Patch', 'Accept-Post'],
  416: ['Accept-Ranges', 'Content-Range'],
  429: ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
  503: ['Retry-After'],
};

/** `404` is `NotFound`. Source: IANA HTTP Status Code Registry, as Node knows it. */
const componentName = (status: number): string => pascal(STATUS_CODES[status] ?? String(status));

/** Returns the response component of a status. */
export const problemRef = (status: number): Reference => ref('responses', componentName(status));

/** For every problem that the operation does not list. */
export const OTHER_PROBLEM = ref('responses', 'OtherProblem');

/** Returns a response for each of these statuses, with its problem types, and one for all other problems. */
export function problemResponses(statuses: readonly number[], basePath: string): Record<string, Response> {
  const place = { basePath, instance: `${basePath}/members/1`, requestId: REQUEST };
  const spelledOut = statuses.map((status): [string, Response] => {
    const names = ALL.filter(([, one]) => one.status === status);
    const [name, { title }] = names[0] as (typeof ALL)[number];
    const type = { enum: names.map(([one]) => typeOf(one, basePath)) };
    // `allOf`, because some client generators ignore siblings of a reference.
    const schema = {
      allOf: [ref('schemas', 'Problem'), { properties: { status: { const: status }, type } }],
    };
    const example = problemDetails(problem(name, title), place);
    const text = `${names.map(([, one]) => one.title).join('; ')}.`;
    const content = inEach(PROBLEM_TYPES, schema, example);
    return [
      componentName(status),
      response(text, [...PROBLEM_HEADERS, ...(OWN_HEADERS[status] ?? [])], { content }),
    ];
  });
  const other = ALL.filter(([, { status }]) => !statuses.includes(status)).map(([, { title }]) => title);
  return {
    ...Object.fromEntries(spelledOut),
    OtherProblem: response(
      `Any other problem, usually of the gateway itself: ${other.join('; ').toLowerCase()}.`,
      [...PROBLEM_HEADERS, 'Allow', 'Retry-After'],
      { content: inEach(PROBLEM_TYPES, ref('schemas', 'Problem')) },
    ),
  };
}

const REQUEST = 'c2409ae8-67d5-4f7f-9438-a47653bbfcfc';
/** Problem pages carry the last two. */
const PROBLEM_HEADERS: Names = ['Cache-Control', 'Vary', 'Content-Security-Policy', 'Referrer-Policy'];

const shortText = { type: 'string', maxLength: 10_000 };

/** Problem details. Some types have more properties. Source: RFC 9457 §3, §3.2. */
export const problemSchemas = (basePath: string): Record<string, Schema> => ({
  Problem: {
    type: 'object',
    description: `A problem. \`type\` is a URI of this service that explains the problem and what to do, or one of IANA’s registry.`,
    required: ['type', 'title', 'instance', 'requestId'],
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        maxLength: 1000,
        examples: [`${basePath}/problems/not-found`],
      },
      title: { ...shortText, examples: [PROBLEMS['not-found'].title] },
      status: { type: 'integer', format: 'int32', minimum: 400, maximum: 599, examples: [404] },
      detail: { ...shortText, examples: ['There is no /members/1'] },
      instance: { type: 'string', maxLength: 20_000, examples: [`${basePath}/members/1`] },
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
      detail: { ...shortText, examples: ['must be at least 0'] },
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
