import type { Principal, Request } from './request.ts';

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
