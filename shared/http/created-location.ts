import type { Response } from './response.ts';

/** The status code of a response to what created something. Source: RFC 9110 §15.3.2. */
export const CREATED = 201;

/** The path, without base path, of what a response says was created; undefined when nothing was. Source: RFC 9110 §15.3.2. */
export const createdLocation = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  basePath: string,
): string | undefined => (status === CREATED ? headers.Location?.slice(basePath.length) : undefined);
