import { Objects } from '../../shared/files/objects.ts';
import type { Action } from '../../shared/resource/action.ts';
import { missing, type Outcome } from '../../shared/resource/outcome.ts';
import { ASSET_TYPES, CATALOG, HTML, JSON_SCHEMA, OPENAPI_JSON } from './media-types.ts';

/** Published files change with a deployment only. */
const CACHE = { 'Cache-Control': 'public, max-age=3600' };

/**
 * A page of ours runs scripts and styles of this origin alone, and none that stand in the page. Swagger UI sets styles
 * from script and shows its icons as data.
 *
 * Source: Content Security Policy Level 3 §6.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = { 'Content-Security-Policy': PAGE_POLICY, 'Referrer-Policy': 'same-origin' };

/** Everything else is no page: whoever opens it in a browser runs nothing. */
const NO_PAGE = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

/** The catalog is where this link stands. Source: RFC 9727 §2. */
const CATALOG_LINK = { Link: '<api-catalog>; rel="api-catalog"' };

const objects = new Objects('site/');

/** A published object as a file of this media type; missing where the deployment did not bring it. */
async function publish(key: string, mediaType: string, more: Record<string, string>): Promise<Outcome> {
  const facts = await objects.head(key);
  if (!facts) return missing();
  const { etag, size, lastModified, sha256 } = facts;
  const read = (range?: Parameters<typeof objects.read>[2]) => objects.read(key, etag, range);
  const headers = { ...CACHE, ...more };
  return {
    kind: 'found',
    state: { kind: 'bytes', bytes: { etag, size, lastModified, mediaType, sha256, headers, read } },
  };
}

const NAME = /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*$/;

const named =
  (key: (name: string) => string, typeOf: (name: string) => string | undefined): Action =>
  ({ parameters }) => {
    const name = String(parameters.name);
    const mediaType = NAME.test(name) ? typeOf(name) : undefined;
    return mediaType ? publish(key(name), mediaType, NO_PAGE) : missing();
  };

/** The media type of an asset, by the end of its name. */
function assetType(name: string): string | undefined {
  const end = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(ASSET_TYPES, end) ? ASSET_TYPES[end] : undefined;
}

/** The actions of the site: each reads one object below `site/`. */
export const siteActions = {
  openapi: () => publish('openapi.json', OPENAPI_JSON, NO_PAGE),
  docs: () => publish('docs.html', HTML, PAGE),
  catalog: () => publish('api-catalog.json', CATALOG, { ...NO_PAGE, ...CATALOG_LINK }),
  asset: named((name) => `assets/${name}`, assetType),
  schema: named(
    (name) => `schemas/${name}.json`,
    () => JSON_SCHEMA,
  ),
} satisfies Record<string, Action>;
