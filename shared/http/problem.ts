import { escapeUri } from './fields/link.ts';

/**
 * All problems of this service. The name is the last segment of the problem's `type`, `/problems/{name}`. The `type` of a
 * `registered` problem is the URI in IANA's registry. This table is the only place for statuses and titles.
 *
 * Source: RFC 9457 §3.1, §4; IANA, "HTTP Problem Types"; Specification 10.5, 10.12.
 */
export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'Malformed request' },
  'malformed-body': { status: 400, title: 'Malformed body' },
  'malformed-patch': { status: 400, title: 'Malformed patch document' },
  'validation-error': { status: 400, title: 'The request is not valid' },
  'digest-invalid-values': { status: 400, title: 'Invalid Digest Values', registered: true },
  'digest-mismatched-values': { status: 400, title: 'Mismatched Digest Values', registered: true },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Not allowed' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'not-acceptable': { status: 406, title: 'No acceptable representation' },
  'request-timeout': { status: 408, title: 'Request time-out' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  'patch-conflict': { status: 409, title: 'The patch cannot be applied' },
  'invalid-transition': { status: 409, title: 'The state does not allow this transition' },
  'operation-finished': { status: 409, title: 'The operation has finished' },
  gone: { status: 410, title: 'No longer available' },
  'precondition-failed': { status: 412, title: 'A precondition failed' },
  'payload-too-large': { status: 413, title: 'Content too large' },
  'uri-too-long': { status: 414, title: 'URI too long' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'range-not-satisfiable': { status: 416, title: 'Range not satisfiable' },
  'misdirected-request': { status: 421, title: 'The request is for another host' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key belongs to another request' },
  'precondition-required': { status: 428, title: 'Precondition required' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request header fields too large' },
  internal: { status: 500, title: 'Internal error' },
  'unreadable-item': { status: 500, title: 'The stored form of the item is unknown' },
  'not-implemented': { status: 501, title: 'Not implemented' },
  'bad-gateway': { status: 502, title: 'Bad gateway' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  timeout: { status: 504, title: 'Time-out' },
} as const satisfies Readonly<Record<string, { status: number; title: string; registered?: true }>>;

export type ProblemName = keyof typeof PROBLEMS;

/** The `type` of a problem. Source: RFC 9457 §3.1.1, §4.2. */
export const typeOf = (name: ProblemName, basePath: string): string =>
  'registered' in PROBLEMS[name]
    ? `https://iana.org/assignments/http-problem-types#${name}`
    : `${basePath}/problems/${name}`;

/** The status code of a problem as a type. */
export type StatusOf<Name extends ProblemName> = (typeof PROBLEMS)[Name]['status'];

/**
 * Rules for which pages have words of their own: a value that lacks, another form than the pattern, an empty form or list.
 * `name`: the name is another spelling of a declared one, so an item that has it already keeps it.
 */
export type Rule = 'required' | 'pattern' | 'empty' | 'items' | 'name';

/**
 * One cause of a problem: its location (a JSON Pointer into the body, a query parameter or a header field) and its
 * detail.
 */
export interface Fault {
  readonly detail: string;
  /** The broken rule, if something depends on it. No other response shows it. */
  readonly rule?: Rule;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** A problem, not yet rendered. `members` are extension members (RFC 9457 §3.2). */
export interface Problem<Name extends ProblemName = ProblemName> {
  readonly name: Name;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of what the first request with the idempotency key has made. Only pages show it. */
  readonly made?: string;
  /** What is missing: the `item` at the path, or another thing in words. Only pages say it. */
  readonly missing?: string;
  /** The scope that the person lacks. Only pages say it, in words. */
  readonly lacks?: string;
  /** The scopes that the token lacks. The response names them in its challenge. Source: RFC 6750 §3.1. */
  readonly scopes?: readonly string[];
}

/** Creates a problem. `more` adds causes, extension members or header fields of the response. */
export function problem<const Name extends ProblemName>(
  name: Name,
  detail: string,
  more: Omit<Problem, 'name' | 'detail'> = {},
): Problem<Name> {
  return { name, detail, ...more };
}

/** Limits for the text of a problem: the number of causes, and the characters of each text (UTF-16 code units). */
export interface Room {
  readonly causes: number;
  readonly characters: number;
}

/** The limits of a problem that is the only one in its response. */
const ALONE: Room = { causes: 100, characters: 500 };

/** The beginning of a text, without half a surrogate pair at its end. */
const cut = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/**
 * Shortens a problem to the limits. Details, pointers and names may repeat a text of the client, which can have any
 * length.
 */
export function brief<Name extends ProblemName>(
  { errors = [], members, ...rest }: Problem<Name>,
  { causes, characters }: Room = ALONE,
): Problem<Name> {
  const short = <Texts extends object>(texts: Texts): Texts =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        typeof text === 'string' ? cut(text, characters) : text,
      ]),
    ) as Texts;
  return {
    ...rest,
    detail: cut(rest.detail, characters),
    ...(errors.length > 0 ? { errors: errors.slice(0, causes).map(short) } : {}),
    ...(members ? { members: short(members) } : {}),
  };
}

/** The causes as responses show them. */
export const withoutRules = (errors: readonly Fault[]): Fault[] =>
  errors.map(({ rule: _, ...shown }) => shown);

/**
 * The problem details object, shortened to the limits of a single problem. An operator finds the request in the
 * logs by `requestId`. Source: RFC 9457 §3.
 */
export function problemDetails(
  given: Problem,
  where: { basePath: string; instance: string; requestId: string },
): Record<string, unknown> {
  const { name, detail, errors, members } = brief(given);
  const { status, title } = PROBLEMS[name];
  return {
    type: typeOf(name, where.basePath),
    title,
    status,
    detail,
    instance: escapeUri(where.instance),
    requestId: where.requestId,
    ...(errors ? { errors: withoutRules(errors) } : {}),
    ...members,
  };
}

/** An engine of the service does not respond, or has not all data yet. The client may try the request again. */
export class Unavailable extends Error {
  /** Seconds to wait before trying again. */
  readonly retryAfter: number;
  /** The reason for the client. */
  readonly detail: string;

  constructor(cause: unknown, retryAfter = 1, detail = 'Please try again') {
    super('An engine of this service does not respond', { cause });
    this.name = 'Unavailable';
    this.retryAfter = retryAfter;
    this.detail = detail;
  }
}
