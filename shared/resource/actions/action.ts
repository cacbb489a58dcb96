import type { EntityTag } from '../../http/conditional/entity-tag.ts';
import type { Problem } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import type { JsonObject } from '../../json/value.ts';
import type { FieldLimits } from '../access/field-access.ts';
import type { SentBinary } from '../binary.ts';
import type { Item } from '../item.ts';
import type { PageQuery } from '../lists/page.ts';
import type { Outcome } from './outcome.ts';
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
  /** The name of the identifier in the request: a synonym such as `id`; undefined: its own name. */
  readonly synonym?: string;
  readonly values: JsonObject;
  readonly binaries?: readonly SentBinary[];
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
  /** The number of items that the effect covered. Only the answer of an operation has it. */
  readonly count?: number;
  /** The sight of the caller who got the answer: scopes of fields that it shows. A caller without them gets 403. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * A request whose effect must happen only once. The action writes its effect and the recorded answer in one
 * transaction. The service replays this answer for a repeat, without an effect.
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

/** The target of the request: an item, a list, a page of it. */
interface Target {
  /** The integer in place of `{id}` in the path: an item, or the parent of a list. */
  readonly id?: number;
  /** The identifier in the path, if the client chooses identifiers: a filename. */
  readonly name?: string;
  /** The texts in place of all other parameters of the path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The response is a page for people. */
  readonly isPage?: boolean;
  /** Query parameters that the endpoint declares, with all their values. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** The page to read; for lists. */
  readonly page?: PageQuery;
  readonly expected?: Expected;
  /**
   * For reads of bytes: the response carries all bytes if there are at most this number. Undefined if the response may
   * need none of them or ranges.
   */
  readonly mostBytes?: number;
  /** The binary property that `fields` names alone. In an open resource, it can also be any other property. */
  readonly binary?: string;
  /** The item that look-up read, if it did. */
  readonly current?: Item;
}

/** The content of the request, validated. The kind of the content decides which property is present. */
interface Content {
  /** The values of `item`, `change` and `patch` content. */
  readonly values?: JsonObject;
  /** The binary properties in the same content. */
  readonly binaries?: readonly SentBinary[];
  /** The `bytes` content. */
  readonly sent?: SentBytes;
  /** The `items` content, or `item` content that is a list. */
  readonly elements?: readonly SentItem[];
  /** The fields that the caller cannot see or set; undefined: the caller has no such limits. */
  readonly fieldLimits?: FieldLimits;
  /** The `files` content. */
  readonly files?: readonly SentFile[];
  /** The `files` content, if it is a manifest. */
  readonly uploads?: readonly Upload[];
}

/** The parts of a browser's request with which an endpoint signs a person in or out. */
export type Visit = Pick<Request, 'basePath' | 'headers' | 'isClosed' | 'signInClient'>;

/** The input of an action. */
export interface ActionInput extends Target, Content {
  /** If some of several items fail, the action still processes the others. */
  readonly lenient?: boolean;
  /** `max-affected`: if the collection has more items than this, the action changes none. */
  readonly maximum?: number;
  /** The request that starts an operation: the problems of the operation name it. */
  readonly origin?: Pick<Request, 'basePath' | 'path' | 'requestId'>;
  readonly idempotency?: IdempotentRequest;
  /** The request of an endpoint that signs a person in or out. */
  readonly visit?: Visit;
  /** The subject of the caller's token; undefined if the service is open. */
  readonly owner?: string;
  /** The owner whose items the request may see and change; undefined if the items have no owners. */
  readonly whose?: string;
  /** For reads: how long the client wants the service to wait for a change, in ms. */
  readonly waitMs?: number;
  /** Present if the action runs as an operation. A divisible action continues from its checkpoint. */
  readonly work?: Work;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The input of an action that needs these properties of it. */
export type InputWith<Key extends keyof ActionInput> = ActionInput & {
  readonly [Name in Key]-?: NonNullable<ActionInput[Name]>;
};

/** An action. `Key`: the optional properties of the input that it needs, such as the `id` of an item. */
export type Action<Key extends keyof ActionInput = never> = (
  input: InputWith<Key>,
) => Promise<Outcome> | Outcome;

const has = <Key extends keyof ActionInput>(
  input: ActionInput,
  keys: readonly Key[],
): input is InputWith<Key> => keys.every((key) => input[key] !== undefined);

/**
 * Makes an action for every input from one that needs some properties. The styles call it, because they know what
 * their paths and contents supply.
 *
 * @throws Error (the action) if the input lacks a property: a defect of the style
 */
export const needing =
  <Key extends keyof ActionInput>(keys: readonly Key[], run: Action<Key>): Action =>
  (input) => {
    if (!has(input, keys)) throw new Error(`The input of the action lacks one of ${keys.join(', ')}`);
    return run(input);
  };
