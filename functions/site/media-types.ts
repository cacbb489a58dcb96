/**
 * The media types of the published files. S3 may have other types, because upload tools guess them.
 *
 * Source: JSON Schema 2020-12 §12 (application/schema+json), RFC 9264 §4.2 and RFC 9727 §4.2 (linkset, profile),
 * RFC 9239 §6 (text/javascript).
 */
export const JSON_SCHEMA = 'application/schema+json';
export const CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
export const HTML = 'text/html; charset=utf-8';

/**
 * The media types of the description, and the file of each. The first one is the default, because every tool takes JSON.
 * `version` is that of OpenAPI. The vendor type is the one of older tools.
 *
 * Source: RFC 8259 §11; draft-ietf-httpapi-rest-api-mediatypes (openapi+json, version); Specification 12.6.
 */
export const DESCRIPTIONS = [
  { mediaType: 'application/json', key: 'openapi.json' },
  { mediaType: 'application/openapi+json;version=3.1', key: 'openapi.json' },
  { mediaType: 'application/openapi+json;version=3.2', key: 'openapi-3.2.json' },
  { mediaType: 'application/vnd.oai.openapi+json;version=3.1', key: 'openapi.json' },
  { mediaType: 'application/vnd.oai.openapi+json;version=3.2', key: 'openapi-3.2.json' },
] as const;

/** The media types of assets by the extension of their names. An asset with any other extension gets 404. */
export const ASSET_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
};
