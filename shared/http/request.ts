/** The caller, as the authorizer in front of the service identified them. */
export interface Principal {
  readonly subject: string;
  readonly scopes: readonly string[];
  /** The claim `tenant` of the token: the organisation for which the caller acts. */
  readonly tenant?: string;
  /** True if the scopes of the caller let it manage the items of all owners, at an endpoint for managers. */
  readonly isManager?: true;
}

/** A request to the flow, independent of its transport. */
export interface Request {
  /** As received: the flow refuses unknown methods. */
  readonly method: string;
  /** The route's path template, e.g. `/customers/{id}/orders`. */
  readonly template: string;
  /** The path from the client, percent-encoded, without the base path. */
  readonly path: string;
  /** The path that the client sent, if the service has another one for it. */
  readonly sentPath?: string;
  /** Path parameters, percent-decoded exactly once; undefined if the encoding is malformed. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  /** Query parameters in order, decoded. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** Lower-case names; repeated fields are joined by `, ` (RFC 9110 §5.3). */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names, in lower case, of fields that the client sent in several lines. Only a list field may have several. */
  readonly repeated?: ReadonlySet<string>;
  /** The content, decoded from base64 on first use; undefined for a request without content. */
  content(): Uint8Array | undefined;
  /** The prefix of the service's own paths in the client's URIs: '' or, for a stage, '/v1'. */
  readonly basePath: string;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly principal?: Principal;
  /** The client of the issuer for the sign-in on pages; undefined: pages have no sign-in. */
  readonly signInClient?: string | undefined;
  /** True if the gateway sends the Content-Length of a response on, also without a body of this length. */
  readonly keepsContentLength?: boolean;
  /** True if the service allows the origin of the page that sent the request. Programs send no origin. */
  readonly isFromAllowedOrigin?: boolean;
  /** True if the service requires credentials, except for routes that are open to every caller. */
  readonly isClosed?: boolean;
}

/** The safe methods, by which a client requests no change of state. Source: RFC 9110 §9.2.1. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * The methods of RFC 9110 and PATCH. Every other one gets 501. They are case-sensitive, so `get` is not one of them. Source:
 * RFC 9110 §9.1, §9.3; RFC 5789 §2.
 */
export const METHODS: ReadonlySet<string> = new Set([
  ...SAFE_METHODS,
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT'],
]);

/** An accepted request in a form that JSON can store, so that a worker can run it later. `content` in base64. */
export interface StoredRequest {
  readonly method: string;
  readonly template: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly query: readonly (readonly [string, readonly string[]])[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly content?: string;
  readonly basePath: string;
  readonly requestId: string;
  readonly principal?: Principal;
}

/** The header fields that influence the effect of a request. Credentials are not among them. */
const STORED_FIELDS = [
  'accept',
  'content-digest',
  'content-encoding',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'prefer',
  'repr-digest',
];

/** Serializes a request for later. */
export function storedRequest(request: Request): StoredRequest {
  const { method, template, path, parameters, query, headers, basePath, requestId, principal } = request;
  const content = request.content();
  return {
    method,
    template,
    path,
    parameters,
    query: [...query],
    headers: Object.fromEntries(
      STORED_FIELDS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    ),
    ...(content ? { content: Buffer.from(content).toString('base64') } : {}),
    basePath,
    requestId,
    principal,
  };
}

/** Restores the request. `receivedAt`: the time of the run, in ms since the epoch. */
export function restoredRequest({ query, content, ...stored }: StoredRequest, receivedAt: number): Request {
  const bytes = content === undefined ? undefined : Buffer.from(content, 'base64');
  return { ...stored, query: new Map(query), content: () => bytes, receivedAt };
}

/** Returns a name without what people spell differently: the case of its letters, and `_` and `-` between words. */
export const spelling = (name: string): string => name.toLowerCase().replaceAll(/(?!^)[_-](?!$)/g, '');

/**
 * Returns the declared name of which the given name is another spelling, such as `order_value`; undefined for a declared name
 * and for one that resembles no declared name. Source: Specification 2.54, 4.13, 4.19.
 */
export function otherSpellingOf(name: string, declared: Iterable<string>): string | undefined {
  const plain = spelling(name);
  let found: string | undefined;
  for (const one of declared) {
    if (one === name) return undefined;
    if (spelling(one) === plain) found ??= one;
  }
  return found;
}
