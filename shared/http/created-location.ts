import type { Response } from './response.ts';

/** The path, without base path, of what a response says was created; undefined when nothing was. Source: RFC 9110 §15.3.2. */
export const createdLocation = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  basePath: string,
): string | undefined => (status === 201 ? headers.Location?.slice(basePath.length) : undefined);
