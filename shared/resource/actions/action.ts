import type { EntityTag } from '../../http/conditional/entity-tag.ts';
import type { Request } from '../../http/request.ts';
import type { JsonObject } from '../../json/value.ts';
import type { FieldLimits } from '../access/field-access.ts';
import type { Caller } from '../access/owner.ts';
import type { Item } from '../item.ts';
import type { PageQuery } from '../lists/page.ts';
import type { Outcome, RecordedAnswer } from './outcome.ts';
import type { SentBinary, SentBytes, SentFile, SentItem, Upload } from './sent.ts';
import type { Work } from './work.ts';

/**
 * The condition that a write sends to storage: the version or entity tag that look-up read, or the absence of the
 * target. Undefined: the write has no condition.
 */
export type Expected =
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'etag'; readonly etag: EntityTag }
  | { readonly kind: 'absent' }
  | undefined;

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
  readonly isPage?: boolean | undefined;
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
  /** The item above a nested one, which exists. `resource`: the name of its resource. */
  readonly parent?: { readonly resource: string; readonly id: number };
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
  readonly caller: Caller;
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
