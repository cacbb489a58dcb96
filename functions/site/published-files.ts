import { bytesOfObject } from '../../shared/files/bytes-of-object.ts';
import { Objects } from '../../shared/files/objects.ts';
import { negotiate } from '../../shared/http/fields/accept.ts';
import type { Action, DocumentCall } from '../../shared/resource/actions/action.ts';
import { missing, type Outcome, refused } from '../../shared/resource/actions/outcome.ts';
import { ASSET_TYPES, CATALOG, DESCRIPTIONS, HTML, JSON_SCHEMA } from './media-types.ts';

/** Only a deployment changes these files. */
const CACHE = { 'Cache-Control': 'public, max-age=3600' };

/**
 * The documentation page runs scripts of this origin only, and no inline scripts. Inline styles are allowed because
 * Swagger UI sets styles from its script. `data:` is allowed because Swagger UI embeds its icons.
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

/** All other files are not pages: a browser that opens one runs no script. */
const NO_PAGE = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

/** The link from the catalog to itself. Source: RFC 9727 §2. */
const CATALOG_LINK = { Link: '<api-catalog>; rel="api-catalog"' };

const objects = new Objects('site/');

/** Returns an object of the site with this media type. Missing if the deployment did not upload the object. */
async function publish(
  key: string,
  mediaType: string,
  more: Record<string, string>,
  { mostBytes }: DocumentCall,
): Promise<Outcome> {
  const opened = await objects.open(key, mostBytes);
  if (!opened || opened === 'removed') return missing();
  const bytes = bytesOfObject(objects, key, opened, false);
  const headers = { ...CACHE, ...more };
  const isText = mediaType !== ASSET_TYPES.png;
  return {
    kind: 'found',
    state: { kind: 'bytes', bytes: { ...bytes, mediaType, isText, headers, isRunnable: false } },
  };
}

const NAME = /^[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*$/;

/** The query parameter that selects the part of one resource. */
export const RESOURCE = 'resource';

/** Publishes an object, or its part for the resource that the query names: `openapi/orders.json` of `openapi.json`. */
async function publishPart(
  key: string,
  mediaType: string,
  more: Record<string, string>,
  input: DocumentCall,
): Promise<Outcome> {
  const [name] = input.query[RESOURCE] ?? [];
  if (name === undefined) return publish(key, mediaType, more, input);
  const end = key.lastIndexOf('.');
  const part = `${key.slice(0, end)}/${name}${key.slice(end)}`;
  const outcome = NAME.test(name) ? await publish(part, mediaType, more, input) : missing();
  return outcome.kind === 'missing' ? refuseName(input) : outcome;
}

/** Refuses a name, and says which ones there are. Missing if the deployment did not upload them. */
async function refuseName({ mostBytes }: DocumentCall): Promise<Outcome> {
  const opened = await objects.open('resources.json', mostBytes);
  if (!opened || opened === 'removed' || !opened.bytes) return missing();
  const names: readonly string[] = JSON.parse(Buffer.from(opened.bytes).toString());
  return refused('validation-error', 'The query is not valid. Correct the named parameters', {
    errors: [{ parameter: RESOURCE, detail: `must be one of ${names.join(', ')}` }],
  });
}

const named =
  (key: (name: string) => string, typeOf: (name: string) => string | undefined): Action =>
  (input) => {
    const { name = '' } = input.parameters;
    const mediaType = NAME.test(name) ? typeOf(name) : undefined;
    return mediaType ? publish(key(name), mediaType, NO_PAGE, input) : missing();
  };

/** Returns the media type of an asset, by the extension of its name; undefined for any other extension. */
function assetType(name: string): string | undefined {
  const end = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(ASSET_TYPES, end) ? ASSET_TYPES[end] : undefined;
}

/** Reads the OpenAPI description or a part of it, in the version that `Accept` names. */
export const readOpenApi: Action = (input) => {
  const { key, mediaType } = negotiate(input.accept, DESCRIPTIONS) ?? DESCRIPTIONS[0];
  return publishPart(key, mediaType, { ...NO_PAGE, Vary: 'Accept' }, input);
};
/** Reads the documentation page, of all resources or of one. */
export const readDocs: Action = (input) => publishPart('docs.html', HTML, PAGE, input);
/** Reads the API catalog. */
export const readCatalog: Action = (input) =>
  publish('api-catalog.json', CATALOG, { ...NO_PAGE, ...CATALOG_LINK }, input);
/** Reads a file that the documentation page loads. */
export const readAsset: Action = named((name) => `assets/${name}`, assetType);
/** Reads the JSON Schema of an item or a list. */
export const readSchema: Action = named(
  (name) => `schemas/${name}.json`,
  () => JSON_SCHEMA,
);
