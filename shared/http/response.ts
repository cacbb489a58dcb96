/** A response, independent of its transport. Header names are written as in their RFCs. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `Set-Cookie`. */
  readonly cookies?: readonly string[] | undefined;
  readonly body?: string | Uint8Array;
  /** The error of an engine, if it is the cause: for the log, never for the client. */
  readonly fault?: unknown;
}

/** The status code of a response that shows a changed resource. Source: RFC 9110 §15.3.1. */
export const CHANGED = 200;
/** The status code of a response after a creation. Source: RFC 9110 §15.3.2. */
export const CREATED = 201;
/** The status code of a response whose work an operation does later. Source: RFC 9110 §15.3.3. */
export const ACCEPTED = 202;
/** The status code of a response to several items. If it has `Location`, some of them were created. */
export const SOME_CREATED = 207;

/**
 * Returns the path, without base path, of the resource that a response reports as created; undefined for other responses.
 *
 * Source: RFC 9110 §15.3.2.
 */
export const createdLocation = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  basePath: string,
): string | undefined =>
  status === CREATED || status === SOME_CREATED ? headers.Location?.slice(basePath.length) : undefined;
