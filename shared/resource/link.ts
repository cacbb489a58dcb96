/**
 * A link of an item: `href` is a path of this service without base path. An item has one link for each pair of
 * `rel` and `method`.
 */
export interface LinkFact {
  readonly rel: string;
  readonly href: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly types?: readonly string[];
  readonly title?: string;
  /** The entity tag of the target, as a field value. The link `self` of an item in a list has it. */
  readonly etag?: string;
  /** A sentence that describes the target. Source: Specification 12.4. */
  readonly description?: string;
  /** The URI template of a list with its filters. Source: RFC 6570; Specification 4.25. */
  readonly template?: string;
  /** `href` is a URI template. Source: RFC 6570; Specification D.7. */
  readonly templated?: boolean;
}

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
