/** A response before it is handed to what carries it. Header names are written as in their RFCs. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** What an engine did, where that is why: for the log, never for the client. */
  readonly fault?: unknown;
}
