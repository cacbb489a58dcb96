/**
 * The paths of the documents that describe the service, without base path.
 *
 * Source: RFC 8631 (service-desc, service-doc), RFC 9727 (api-catalog), RFC 9728 §3 (oauth-protected-resource), JSON
 * Schema 2020-12 §9.5.1 (describedby).
 */
export const OPENAPI = '/openapi.json';
export const DOCUMENTATION = '/docs';
export const API_CATALOG = '/.well-known/api-catalog';
export const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';

/** The JSON Schemas of items (`member`) and of lists (`members`), by their names. */
export const SCHEMAS = '/schemas/';
