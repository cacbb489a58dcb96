import type { Validators } from '../../http/conditional/conditions.ts';
import { formatEntityTag } from '../../http/conditional/entity-tag.ts';
import { formatModificationDate } from '../../http/conditional/http-date.ts';
import type { Response } from '../../http/response.ts';
import type { State } from '../../resource/actions/outcome.ts';
import type { Expansion } from '../../resource/relation.ts';
import type { Negotiated, Preferred, Received, Targeted } from '../exchange.ts';

/** Caches may store an entity for one client, and must revalidate it before each use. Source: RFC 9111 §5.2.2. */
const PRIVATE = 'private, no-cache';

const NO_STORE = 'no-store';

/** A version never changes after the next one exists, if all callers see the same of it. Source: RFC 8246 §2. */
const PERMANENT = 'private, max-age=31536000, immutable';

/** Minimum of seconds between two refreshes of a page. */
const REFRESH_SECONDS = 2;

/** `ETag`, and `Last-Modified` if its second has begun. Source: RFC 9110 §8.8.2, §8.8.3; Specification 3.10. */
export function validatorHeaders(
  { receivedAt }: Pick<Received['request'], 'receivedAt'>,
  { etag, lastModified }: Validators = {},
): Record<string, string> {
  const modified = lastModified === undefined ? undefined : formatModificationDate(lastModified, receivedAt);
  return {
    ...(etag ? { ETag: formatEntityTag(etag) } : {}),
    ...(modified ? { 'Last-Modified': modified } : {}),
  };
}

/**
 * `Content-Location` of the state of another resource, or of the item after a write, the same in 200 and 304. `path`:
 * without base path. Source: RFC 9110 §8.7, §15.4.5.
 */
export const contentLocation = (path: string | undefined, basePath: string): Record<string, string> =>
  path === undefined ? {} : { 'Content-Location': basePath + path };

/**
 * `Cache-Control` and `Vary` of a representation, the same in 200 and 304. A version that another one has replaced never
 * changes, but the related items in it do. A cache of a browser outlives a sign-out, so it asks again before it shows
 * what depends on the caller.
 *
 * Source: RFC 9110 §12.5.5, §15.4.5; RFC 9111 §4; Specification 3.8, 16.4.
 */
export function cacheHeaders(
  exchange: Received & Pick<Targeted, 'route'>,
  state: State | undefined,
  expansions?: readonly Expansion[],
): Record<string, string> {
  const { tracked, history } = exchange.resource;
  const memento = state?.kind === 'item' ? state.memento : undefined;
  const own = ownHeaders(state);
  const isPermanent =
    (memento?.next !== undefined && !expansions) ||
    (state?.kind === 'bytes' && state.bytes.history === 'past' && !state.bytes.isRunnable);
  const lasting = isPermanent ? PERMANENT : own?.['Cache-Control'];
  const headers: Record<string, string> = {
    'Cache-Control':
      lasting && (lasting === NO_STORE || !dependsOnCaller(exchange, isPermanent))
        ? lasting
        : tracked
          ? NO_STORE
          : PRIVATE,
  };
  // The service does not negotiate the format of stored bytes.
  if (state?.kind === 'bytes') {
    if (state.bytes.isText) headers.Vary = own?.Vary ?? 'Accept-Encoding';
    else if (state.bytes.history === 'present') headers.Vary = 'Accept-Datetime';
    if (state.bytes.isRunnable)
      headers.Vary = [headers.Vary, 'Sec-Fetch-Dest, Sec-Fetch-Mode'].filter(Boolean).join(', ');
  } else if (history && state?.kind === 'item' && !memento) headers.Vary = 'Accept, Accept-Datetime';
  else headers.Vary = own?.Vary ?? (state?.kind === 'list' || tracked ? 'Accept, Prefer' : 'Accept');
  return headers;
}

/** True if a route needs a token, or if an item has an owner or fields that some callers do not see. */
const dependsOnCaller = (
  { request, route, resource: { owner, description } }: Received & Pick<Targeted, 'route'>,
  ofItem: boolean,
): boolean =>
  (request.isClosed && route.access !== 'open') ||
  (ofItem &&
    (owner !== undefined ||
      Object.values(description?.fields ?? {}).some(({ readableBy }) => readableBy !== undefined)));

function ownHeaders(state: State | undefined): Readonly<Record<string, string>> | undefined {
  if (state?.kind === 'document') return state.headers;
  return state?.kind === 'bytes' ? state.bytes.headers : undefined;
}

/**
 * The header fields of a state that changes soon. Clients must not store it, and may poll again after `seconds`. A
 * page refreshes automatically, unless `refreshes` is false because the page shows something only once.
 *
 * Source: RFC 9110 §10.2.3; HTML Living Standard §4.2.5.3, "Refresh state".
 */
export const pollingHeaders = (
  { representation }: Pick<Negotiated, 'representation'>,
  seconds: number,
  refreshes = true,
): Record<string, string> => ({
  'Cache-Control': NO_STORE,
  'Retry-After': String(seconds),
  ...(refreshes && representation.refreshes ? { Refresh: String(Math.max(seconds, REFRESH_SECONDS)) } : {}),
});

/**
 * The response in the form that the client prefers: without content, or with it. The response names the applied
 * preference, and `Vary` names both fields that decide about the content.
 *
 * Source: RFC 7240 §4.2; Specification 2.46.
 */
export async function applyReturnPreference(
  { preferences }: Preferred,
  minimal: Response,
  whole: () => Response | Promise<Response>,
): Promise<Response> {
  const wanted = preferences.get('return');
  const { headers, ...response } = wanted === 'minimal' ? minimal : await whole();
  const applied: Record<string, string> =
    wanted === 'minimal' || wanted === 'representation' ? { 'Preference-Applied': `return=${wanted}` } : {};
  return { ...response, headers: { ...headers, Vary: 'Accept, Prefer', ...applied } };
}
