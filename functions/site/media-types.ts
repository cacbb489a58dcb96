/**
 * The media types of the published files. S3 may have other types, because upload tools guess them.
 *
 * Source: RFC 8259 §11 (JSON, which every OpenAPI tool takes; the vendor types of OpenAPI are not registered),
 * JSON Schema 2020-12 §12 (application/schema+json), RFC 9264 §4.2 and RFC 9727 §4.2 (linkset, profile),
 * RFC 9239 §6 (text/javascript).
 */
export const OPENAPI_JSON = 'application/json';
export const JSON_SCHEMA = 'application/schema+json';
export const CATALOG = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
export const HTML = 'text/html; charset=utf-8';

/** The media types of assets by the extension of their names. An asset with any other extension gets 404. */
export const ASSET_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
};
