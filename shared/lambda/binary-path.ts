import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Resource } from '../resource/resource.ts';
import { addressOf } from '../resource/route.ts';

/** The path template of an item, and its binary property whose bytes have a path below it. */
interface BinaryPath {
  readonly template: string;
  readonly name: string;
}

/** Returns the paths of binary properties, by their templates, such as `/products/{id}/productImage`. */
export const binaryPathsOf = ({ routes }: Resource): ReadonlyMap<string, BinaryPath> =>
  new Map(
    routes.flatMap((route) =>
      route.binary?.kind === 'declared'
        ? [[addressOf(route), { template: route.path, name: route.binary.name }]]
        : [],
    ),
  );

/**
 * Returns the request to the item with `fields`, as links have it. So the flow knows one address of the bytes.
 *
 * Source: Specification 2.28.
 */
export function atItem(request: Request, { template, name }: BinaryPath): Request {
  const [, path = '', slash = ''] = /^(.*)\/[^/]+(\/?)$/.exec(request.path) ?? [];
  const query = new Map([...request.query, ['fields', [name, ...(request.query.get('fields') ?? [])]]]);
  return { ...request, template, path: path + slash, sentPath: request.path, query };
}

/** The statuses of a response to a read whose bytes are those of `Content-Location`. Source: RFC 9110 §8.7, §15.4.5. */
const READ: ReadonlySet<number> = new Set([200, 206, 304]);

/** Adds the address of the bytes that links have. The response to a write shows no bytes, so it has no such field. */
export function withContentLocation(
  response: Response,
  { method, basePath, path }: Request,
  { name }: BinaryPath,
): Response {
  if ((method !== 'GET' && method !== 'HEAD') || !READ.has(response.status)) return response;
  const location = `${basePath}${path}?fields=${encodeURIComponent(name)}`;
  return { ...response, headers: { ...response.headers, 'Content-Location': location } };
}
