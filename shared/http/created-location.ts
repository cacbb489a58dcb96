import type { Response } from './response.ts';

/** The status code of a response to what changed something and shows it. Source: RFC 9110 §15.3.1. */
export const CHANGED = 200;
/** The status code of a response to what created something. Source: RFC 9110 §15.3.2. */
export const CREATED = 201;
/** Some of many were created, with an address for all of them. */
export const SOME_CREATED = 207;

/** The path, without base path, of what a response says was created; undefined when nothing was. Source: RFC 9110 §15.3.2. */
export const createdLocation = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  basePath: string,
): string | undefined =>
  status === CREATED || status === SOME_CREATED ? headers.Location?.slice(basePath.length) : undefined;
