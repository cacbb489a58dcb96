import type { EntityTag } from '../http/entity-tag.ts';
import type { JsonObject } from '../json/value.ts';
import type { Outcome } from './outcome.ts';
import type { PageQuery } from './page.ts';

/** Bytes sent by a client, with what it said of them. */
export interface SentBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** One of several files sent at once, under the name it is to have. */
export interface SentFile extends SentBytes {
  readonly name: string;
}

/**
 * The condition a write takes along into storage:
 * the version or entity tag that was looked up, or that there is nothing yet; undefined: whatever is there.
 */
export type Expected =
  | { readonly version: number }
  | { readonly etag: EntityTag }
  | { readonly absent: true }
  | undefined;

/** What an action is asked. */
export interface Asked {
  /** Path parameters: integers where the route's identifier is one. */
  readonly parameters: Readonly<Record<string, number | string>>;
  /** Query parameters the operation declares, last value each. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** For lists. */
  readonly page?: PageQuery;
  /** The validated values of `item` content. */
  readonly values?: JsonObject;
  /** The `bytes` content. */
  readonly sent?: SentBytes;
  /** The `files` content. */
  readonly files?: readonly SentFile[];
  readonly expected?: Expected;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type Action = (asked: Asked) => Promise<Outcome> | Outcome;
export type Actions = Readonly<Record<string, Action>>;
