import type { LinkFact } from './link.ts';

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

/** The link from a representation to its JSON Schema. */
export const describedBy = (name: string, basePath: string): LinkFact => ({
  rel: 'describedby',
  href: basePath + schemaHref(name),
  method: 'GET',
});

/** The JSON Schema of an item (`member`) or of a list (`members`). */
export const schemaHref = (name: string): string => `/schemas/${name}`;
