import type { EntityTag } from '../http/entity-tag.ts';
import type { Problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { JsonObject } from '../json/value.ts';
import type { Item } from './item.ts';
import type { Outcome } from './outcome.ts';
import type { PageQuery } from './page.ts';
import type { Work } from './work.ts';

/** Bytes sent by a client, with what it said of them. */
export interface SentBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** One of several files sent at once, under the name it is to have. */
export interface SentFile extends SentBytes {
  readonly name: string;
  /** What is wrong with it, where the others are stored nevertheless. */
  readonly problem?: Problem;
}

/** A file that its client will send to storage itself. `size` in bytes, `sha256` in base64. */
export interface Upload {
  readonly name: string;
  readonly size: number;
  readonly mediaType: string;
  readonly sha256?: string;
}

/** One of several items sent at once; the pointer leads to it in the content. */
export interface SentItem {
  readonly pointer: string;
  /** Of an item that is to be replaced. */
  readonly id?: number;
  readonly values: JsonObject;
  /** What is wrong with it, where the others are done nevertheless. */
  readonly problem?: Problem;
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

/** An answer that is kept, to be given again. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of an operation: how many things were done. */
  readonly count?: number;
}

/**
 * A request that is to have its effect once. The action that has the effect keeps, in the same transaction, what the
 * request is answered; a repeat is answered the same without an effect.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.
 */
export interface IdempotentRequest {
  /** Names the request: a digest of who asks, method, path and key. */
  readonly id: string;
  /** A digest of what was sent. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** What the request is answered if this is its outcome. */
  answer(outcome: Outcome): Promise<RecordedAnswer>;
}

/** What an action is asked. */
export interface ActionInput {
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
  /** The `items` content. */
  readonly elements?: readonly SentItem[];
  /** What fails among several does not keep the others from being done. */
  readonly lenient?: boolean;
  /** How many items may be changed at most: of more, none is. */
  readonly maximum?: number;
  /** The `files` content. */
  readonly files?: readonly SentFile[];
  /** The `files` content, where it is a manifest. */
  readonly uploads?: readonly Upload[];
  /** Where the request came, for what goes wrong after it was answered. */
  readonly origin?: Pick<Request, 'basePath' | 'path' | 'requestId'>;
  readonly expected?: Expected;
  /** The item as it was looked up, where it was. */
  readonly current?: Item;
  readonly once?: IdempotentRequest;
  /** Who asks; undefined where nobody has to say so. */
  readonly owner?: string;
  /** For `defer`: what is to be done later, and what it is called. */
  readonly deferred?: { readonly kind: string; readonly request: Request; readonly total?: number };
  /** For `await`: milliseconds that the client would wait for the end of the operation. */
  readonly patience?: number;
  /** The action runs as an operation: as a whole or, where it can be divided, from its checkpoint on. */
  readonly work?: Work;
  /** For `keep`: what was done for the request. */
  readonly outcome?: Outcome;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type Action = (asked: ActionInput) => Promise<Outcome> | Outcome;
export type Actions = Readonly<Record<string, Action>>;
