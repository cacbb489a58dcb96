import type { EntityTag } from '../http/entity-tag.ts';
import type { Problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { JsonObject } from '../json/value.ts';
import type { Item } from './item.ts';
import type { Outcome } from './outcome.ts';
import type { PageQuery } from './page.ts';
import type { Work } from './work.ts';

/** Bytes from a client, with their media type. */
export interface SentBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** One of several files in a request. `name`: the filename that the client chose. */
export interface SentFile extends SentBytes {
  readonly name: string;
  /** The problem of this file, if it is faulty. The service still stores the other files. */
  readonly problem?: Problem;
}

/** A file that the client uploads to S3 by presigned URLs. `size` in bytes, `sha256` in base64. */
export interface Upload {
  readonly name: string;
  readonly size: number;
  readonly mediaType: string;
  readonly sha256?: string;
}

/** One of several items in a request. `pointer` is its JSON Pointer in the content. */
export interface SentItem {
  readonly pointer: string;
  /** The identifier of the item to replace; undefined for a new item. */
  readonly id?: number;
  readonly values: JsonObject;
  /** The problem of this item, if it is faulty. The service still processes the other items. */
  readonly problem?: Problem;
}

/**
 * The condition that a write sends to storage: the version or entity tag that look-up read, or the absence of the
 * target. Undefined: the write has no condition.
 */
export type Expected =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'etag'; readonly etag: EntityTag }
  | { readonly kind: 'absent' }
  | undefined;

/** A recorded answer: the response that the service replays for a repeat of the request. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many items the effect covered; present for an operation. */
  readonly count?: number;
}

/**
 * A request that has its effect once. The action writes its effect and the recorded answer in one transaction. The
 * service replays this answer for a repeat, without an effect.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.
 */
export interface IdempotentRequest {
  /** Identifies the request: a digest of caller, method, path and key. */
  readonly id: string;
  /** A digest of the payload. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Renders the response for this outcome, so that the action can record it. */
  answer(outcome: Outcome): Promise<RecordedAnswer>;
}

/** The input of an action. */
export interface ActionInput {
  /** Path parameters. A parameter is a number if the identifier of the route is an integer. */
  readonly parameters: Readonly<Record<string, number | string>>;
  /** Query parameters that the operation declares, with all their values. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** The page to read; for lists. */
  readonly page?: PageQuery;
  /** The validated values of `item` content. */
  readonly values?: JsonObject;
  /** The `bytes` content. */
  readonly sent?: SentBytes;
  /** The `items` content. */
  readonly elements?: readonly SentItem[];
  /** If some of several items fail, the action still processes the others. */
  readonly lenient?: boolean;
  /** `max-affected`: if the collection has more items than this, the action changes none. */
  readonly maximum?: number;
  /** The `files` content. */
  readonly files?: readonly SentFile[];
  /** The `files` content, if it is a manifest. */
  readonly uploads?: readonly Upload[];
  /** The request that starts an operation: the problems of the operation name it. */
  readonly origin?: Pick<Request, 'basePath' | 'path' | 'requestId'>;
  readonly expected?: Expected;
  /** The item that look-up read, if it did. */
  readonly current?: Item;
  readonly idempotency?: IdempotentRequest;
  /** The subject of the caller's token; undefined if the service is open. */
  readonly owner?: string;
  /**
   * For `defer`: the request that a worker runs later. `kind`: the name of the operation. `total`: the number of
   * its items.
   */
  readonly deferred?: { readonly kind: string; readonly request: Request; readonly total?: number };
  /** For `await` and for reads: how long the client wants the service to wait, in ms. */
  readonly patience?: number;
  /** Present if the action runs as an operation. A divisible action continues from its checkpoint. */
  readonly work?: Work;
  /** For `record`: the outcome of the request. For `await`: the accepted operation. */
  readonly outcome?: Outcome;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type Action = (input: ActionInput) => Promise<Outcome> | Outcome;
export type Actions = Readonly<Record<string, Action>>;
