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
