import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPES } from '../shared/flow/response/problem.ts';
import { PROBLEMS, type ProblemName, problem, problemDetails } from '../shared/http/problem.ts';
import { problemContent } from './content.ts';
import { headerRefs } from './headers.ts';
import { type Reference, type Response, ref, type Schema } from './model.ts';

const ALL = Object.entries(PROBLEMS) as [ProblemName, (typeof PROBLEMS)[ProblemName]][];

/** Header fields that only problems of this status have. */
const OWN_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  // The same request is still being worked on.
  409: ['Retry-After'],
  412: ['ETag'],
  415: ['Accept', 'Accept-Encoding', 'Accept-Patch', 'Accept-Post'],
  416: ['Accept-Ranges', 'Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** `404` is `NotFound`. Source: IANA HTTP Status Code Registry, as Node knows it. */
const componentName = (status: number): string =>
  (STATUS_CODES[status] ?? String(status)).replace(/[^A-Za-z0-9]/g, '');

/** The response component of a status. */
export const problemRef = (status: number): Reference => ref('responses', componentName(status));

/** For everything that is not spelled out. */
export const OTHER_PROBLEM = ref('responses', 'OtherProblem');

/** A response for each of these statuses, with the types of problem that it can be, and one for any other. */
export function problemResponses(statuses: readonly number[], basePath: string): Record<string, Response> {
  const spelledOut = statuses.map((status): [string, Response] => {
    const names = ALL.filter(([, one]) => one.status === status);
    const [name, { title }] = names[0] as (typeof ALL)[number];
    const own: Schema = {
      properties: {
        status: { const: status },
        type: { enum: names.map(([one]) => `${basePath}/problems/${one}`) },
      },
    };
    // `allOf`, since some generators of clients drop what stands beside a reference.
    const schema: Schema = { allOf: [ref('schemas', 'Problem'), own] };
    const stated = problem(name, title);
    const example = problemDetails(stated, {
      basePath,
      instance: `${basePath}/members/1`,
      requestId: REQUEST,
    });
    return [
      componentName(status),
      {
        description: `${names.map(([, one]) => one.title).join('; ')}.`,
        headers: headerRefs([...PROBLEM_HEADERS, ...(OWN_HEADERS[status] ?? [])]),
        content: problemContent(PROBLEM_TYPES, schema, example),
      },
    ];
  });
  const other = ALL.filter(([, { status }]) => !statuses.includes(status)).map(([, { title }]) => title);
  return {
    ...Object.fromEntries(spelledOut),
    OtherProblem: {
      description: `Any other problem, most of them the gateway's own: ${other.join('; ').toLowerCase()}.`,
      headers: headerRefs([...PROBLEM_HEADERS, 'Allow', 'Retry-After']),
      content: problemContent(PROBLEM_TYPES, ref('schemas', 'Problem')),
    },
  };
}

const REQUEST = 'c2409ae8-67d5-4f7f-9438-a47653bbfcfc';
/** The last two where a problem is shown as a page. */
const PROBLEM_HEADERS = ['Cache-Control', 'Vary', 'Content-Security-Policy', 'Referrer-Policy'];

const shortText = { type: 'string', maxLength: 10_000 };

/** Problem details. Members beyond these say more about one type or another. Source: RFC 9457 §3, §3.2. */
export const problemSchemas = (basePath: string): Record<string, Schema> => ({
  Problem: {
    type: 'object',
    description: `What went wrong. \`type\` says what it means and what to do: it can be read at this service.`,
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
      requestId: { ...shortText, description: 'Tell the operators this.', examples: [REQUEST] },
      errors: {
        type: 'array',
        description: 'Every cause, all of them at once.',
        maxItems: 100_000,
        items: ref('schemas', 'Fault'),
        xml: { wrapped: true },
      },
    },
    additionalProperties: true,
    xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
  },
  Fault: {
    type: 'object',
    description: 'One cause, and where it stands.',
    required: ['detail'],
    properties: {
      detail: { ...shortText, examples: ['must be at least 0'] },
      pointer: {
        type: 'string',
        format: 'json-pointer',
        maxLength: 8192,
        description: 'Into the body.',
        examples: ['/age'],
      },
      parameter: { ...shortText, description: 'Of the query.' },
      header: { ...shortText, description: 'A header field.' },
    },
    xml: { name: 'i' },
  },
});
