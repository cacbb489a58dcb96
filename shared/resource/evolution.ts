import type { JsonObject } from '../json/value.ts';

/**
 * A later shape of a resource's representations, for an unavoidable break. A client requests it by media type,
 * `application/json;version=2`. A request without a version gets version 1, which is the stored shape.
 *
 * Source: Specification 12.2.
 */
export interface Version {
  /** 2 or more, in ascending order. */
  readonly version: number;
  /** Converts the properties of version 1 to this shape. */
  show(members: JsonObject): JsonObject;
  /** Converts a document in this shape to version 1. */
  take(document: JsonObject): JsonObject;
}

/** The deprecation of a resource. Times are ms since the epoch, addresses are paths without base path. */
export interface Lifecycle {
  /** When the deprecation starts or started. Source: RFC 9745 §2. */
  readonly deprecated?: number;
  /** When the service removes the resource. Source: RFC 8594 §3. */
  readonly sunset?: number;
  /** The path of a document about the deprecation. Source: RFC 9745 §3. */
  readonly notice?: string;
  /** The path of the replacement. Source: RFC 5829 §3.2. */
  readonly successor?: string;
}
