/** Who asks, as the authorizer in front of the service established it. */
export interface Principal {
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** A request as the flow sees it, whatever brought it here. */
export interface Request {
  /** As received: unknown methods are judged by the flow. */
  readonly method: string;
  /** The route's path template, e.g. `/customers/{id}/orders`. */
  readonly template: string;
  /** The path as the client sent it, percent-encoded, without the base path. */
  readonly path: string;
  /** Path parameters, percent-decoded exactly once; undefined where the encoding is malformed. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** Query parameters in order, decoded. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Lower-case names; repeated fields are joined by `, ` (RFC 9110 §5.3). */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names of fields that came on several lines, in lower case: what is no list must not. */
  readonly repeated?: ReadonlySet<string>;
  /** The content, decoded from base64 on first use; undefined when there is none. */
  content(): Uint8Array | undefined;
  /** What stands before the service's own paths in the client's URIs: '' or, for a stage, '/v1'. */
  readonly basePath: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly principal?: Principal;
  /** Whether callers have to say who they are, but for what is open to everybody. */
  readonly isClosed?: boolean;
}
