import type { Principal, Request } from './request.ts';

/** A request as JSON can keep it, to be worked on after it was answered. `content` in base64. */
export interface KeptRequest {
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

/** Header fields that what is done depends on. Credentials are not among them. */
const KEPT = [
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

/** What is kept of a request. */
export function keepRequest(request: Request): KeptRequest {
  const { method, template, path, parameters, query, headers, basePath, requestId, principal } = request;
  const content = request.content();
  return {
    method,
    template,
    path,
    parameters,
    query: [...query],
    headers: Object.fromEntries(
      KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    ),
    ...(content ? { content: Buffer.from(content).toString('base64') } : {}),
    basePath,
    requestId,
    principal,
  };
}

/** The request again, as if it came at this moment (ms since the epoch). */
export function requestOf({ query, content, ...kept }: KeptRequest, receivedAt: number): Request {
  const bytes = content === undefined ? undefined : Buffer.from(content, 'base64');
  return { ...kept, query: new Map(query), content: () => bytes, receivedAt };
}
