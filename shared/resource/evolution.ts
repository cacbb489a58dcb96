import type { JsonObject } from '../json/value.ts';

/**
 * A later shape of a resource's representations, for a break that cannot be avoided. Clients ask for it by media type,
 * `application/json;version=2`; whoever asks for none gets the oldest, version 1, which is the one that is stored.
 */
export interface Version {
  /** 2 and more, in order. */
  readonly version: number;
  /** The members of version 1 in this shape. */
  show(members: JsonObject): JsonObject;
  /** A document in this shape as version 1 has it. */
  take(document: JsonObject): JsonObject;
}

/** How long a resource lives. Times are milliseconds since the epoch, addresses paths without base path. */
export interface Lifecycle {
  /** Since or from when it should not be used any more. Source: RFC 9745 §2. */
  readonly deprecated?: number;
  /** When it will be gone. Source: RFC 8594 §3. */
  readonly sunset?: number;
  /** What to read about it. Source: RFC 9745 §3. */
  readonly notice?: string;
  /** What to use instead. Source: RFC 5829 §3.2. */
  readonly successor?: string;
}
