import type { EntityTag } from './entity-tag.ts';
import { parseEntityTags, strongMatch, weakMatch } from './entity-tag.ts';
import { parseHttpDate } from './http-date.ts';

/** The validators of a representation. Source: RFC 9110 §8.8. */
export interface Validators {
  readonly etag?: EntityTag;
  /** In ms since 1970 UTC. Whole seconds mean an unknown time in this second. */
  readonly lastModified?: number;
}

/** The values of the request's precondition fields. `range.ts` evaluates If-Range. Source: RFC 9110 §13.1. */
export interface Preconditions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly ifModifiedSince?: string;
  readonly ifUnmodifiedSince?: string;
}

/** Execute the method, respond 304, or respond 412. */
export type Verdict = 'proceed' | 'not-modified' | 'precondition-failed';

/**
 * The verdict on a request's preconditions, in the order of RFC 9110 §13.2.2. Call this only if the response
 * without them would be 2xx or 412 (§13.2.1). `current` describes the selected representation; undefined: there is
 * none. `nowMs` is for two-digit years only.
 *
 * A malformed list of entity tags matches nothing. If-Match then fails. If-None-Match fails for methods other than
 * GET and HEAD, which get the representation. Call `malformedPrecondition` first to respond 400.
 *
 * Source: RFC 9110 §13.1.1 to §13.1.4, §13.2.
 */
export function evaluate(
  method: string,
  preconditions: Preconditions,
  current: Validators | undefined,
  nowMs?: number,
): Verdict {
  if (method === 'OPTIONS' || method === 'TRACE' || method === 'CONNECT') return 'proceed';
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = preconditions;
  const retrieval = method === 'GET' || method === 'HEAD';

  if (ifMatch !== undefined) {
    if (!matches(ifMatch, current)) return 'precondition-failed';
  } else if (ifUnmodifiedSince !== undefined) {
    if (modifiedSince(ifUnmodifiedSince, current, nowMs) === true) return 'precondition-failed';
  }

  if (ifNoneMatch !== undefined) {
    if (!noneMatches(ifNoneMatch, current, retrieval))
      return retrieval ? 'not-modified' : 'precondition-failed';
  } else if (retrieval && ifModifiedSince !== undefined) {
    if (modifiedSince(ifModifiedSince, current, nowMs) === false) return 'not-modified';
  }
  return 'proceed';
}

/** Why a precondition failed: its tag is the current one but weak, the state exists, or it is another state. */
export type Failure = 'weak' | 'exists' | 'changed';

/** Returns why the preconditions failed, after `evaluate` found that they did. */
export function failureOf({ ifMatch, ifNoneMatch }: Preconditions, current: Validators | undefined): Failure {
  if (ifMatch !== undefined && !matches(ifMatch, current))
    return noneMatches(ifMatch, current, false) ? 'changed' : 'weak';
  return ifNoneMatch !== undefined && !noneMatches(ifNoneMatch, current, false) ? 'exists' : 'changed';
}

/** The first field with a malformed list of entity tags. Malformed dates are ignored instead. */
export function malformedPrecondition(p: Preconditions): 'If-Match' | 'If-None-Match' | undefined {
  if (p.ifMatch !== undefined && parseEntityTags(p.ifMatch) === undefined) return 'If-Match';
  if (p.ifNoneMatch !== undefined && parseEntityTags(p.ifNoneMatch) === undefined) return 'If-None-Match';
  return undefined;
}

/** True if If-Match is true: strong comparison. Source: RFC 9110 §13.1.1. */
function matches(field: string, current: Validators | undefined): boolean {
  if (current === undefined) return false;
  const tags = parseEntityTags(field);
  if (tags === undefined) return false;
  if (tags === '*') return true;
  const { etag } = current;
  return etag !== undefined && tags.some((tag) => strongMatch(tag, etag));
}

/** True if If-None-Match is true: weak comparison. Source: RFC 9110 §13.1.2. */
function noneMatches(field: string, current: Validators | undefined, retrieval: boolean): boolean {
  const tags = parseEntityTags(field);
  if (tags === undefined) return retrieval;
  if (current === undefined) return true;
  if (tags === '*') return false;
  const { etag } = current;
  return etag === undefined || !tags.some((tag) => weakMatch(tag, etag));
}

/**
 * True if the representation changed in the second of the date or later. Undefined if either date is missing or
 * malformed: the field is then ignored.
 *
 * Source: RFC 9110 §13.1.3, §13.1.4.
 */
function modifiedSince(field: string, current: Validators | undefined, nowMs?: number): boolean | undefined {
  if (current?.lastModified === undefined) return undefined;
  const date = parseHttpDate(field, nowMs);
  if (date === undefined) return undefined;
  return current.lastModified >= date;
}
