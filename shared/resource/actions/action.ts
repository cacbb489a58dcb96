import type { EntityTag } from '../../http/conditional/entity-tag.ts';
import type { Request } from '../../http/request.ts';
import type { JsonObject } from '../../json/value.ts';
import type { FieldLimits } from '../access/field-access.ts';
import type { Caller } from '../access/owner.ts';
import type { Reader, Sight } from '../access/sight.ts';
import type { Item } from '../item.ts';
import type { PageQuery } from '../lists/page.ts';
import type { SentBinary, SentBytes, SentFile, SentItem, Upload } from '../sent.ts';
import type { Outcome, RecordedAnswer } from './outcome.ts';
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

/** What every action gets. */
export interface Call {
  readonly caller: Caller;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly idempotency?: IdempotentRequest | undefined;
  /** Present if the action runs as an operation. A divisible action continues from its checkpoint. */
  readonly work?: Work | undefined;
}

/** The integer in place of `{id}` in the path: an item, or the parent of a list. */
export type Identified = { readonly id: number };

/** For a document of the service, and for published bytes. */
export interface DocumentCall extends Call {
  /** The texts in place of the parameters of the path. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Query parameters that the endpoint declares, with all their values. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** The value of `Accept`, for published bytes in several formats. */
  readonly accept?: string | undefined;
  /** The response is a page for people. */
  readonly isPage: boolean;
  /** As in `FileCall`. */
  readonly mostBytes?: number | undefined;
}

/** The parts of a request with which an endpoint signs a person in or out, or answers an agent. */
export type Visit = Pick<
  Request,
  'basePath' | 'headers' | 'isClosed' | 'signInClient' | 'principal' | 'content'
>;

/** For an item that the path names: to read, to remove or to move it. */
export interface ItemCall extends Call, Identified {
  readonly expected?: Expected;
  /** The item that look-up read, if it did. */
  readonly current?: Item | undefined;
  /** The property that `fields` names alone, if it may be a binary one. */
  readonly binary?: string | undefined;
  /** For reads: how long the client wants the service to wait for a change, in ms. */
  readonly waitMs?: number | undefined;
}

/** For a new item. */
export interface CreateCall extends Call {
  readonly values: JsonObject;
  /** The names that the request sets; undefined: those of all values. */
  readonly sent?: readonly string[];
  readonly binaries?: readonly SentBinary[] | undefined;
  /** The item above a nested one, which exists. `resource`: the name of its resource. */
  readonly parent?: { readonly resource: string; readonly id: number };
}

/** For several items. */
export interface ElementsCall extends BulkCall, Pick<CreateCall, 'parent'> {
  readonly elements: readonly SentItem[];
  /** If some items fail, the action still processes the others. */
  readonly lenient: boolean;
  /** The fields that the caller cannot see or set; undefined: the caller has no such limits. */
  readonly fieldLimits?: FieldLimits | undefined;
}

/** For a file: the client chose its name. */
export interface FileCall extends Call {
  readonly name: string;
  readonly expected?: Expected;
  /**
   * For reads of bytes: the response carries all bytes if there are at most this number. Undefined if the response may
   * need none of them or ranges.
   */
  readonly mostBytes?: number | undefined;
}

/** For the list of the versions of a file. */
export type FileVersionsCall = FileCall & Pick<DocumentCall, 'query'> & Pick<Request, 'basePath'>;
/** For one version of a file. */
export type FileVersionCall = FileCall & { readonly version: string };

/** For several files: their bytes, or a manifest of files that the client uploads. */
export interface FilesCall extends Call {
  readonly content:
    | { readonly kind: 'files'; readonly files: readonly SentFile[] }
    | { readonly kind: 'uploads'; readonly uploads: readonly Upload[] };
  readonly expected?: Expected;
  readonly lenient: boolean;
  /** The request that starts an operation: the problems of the operation name it. */
  readonly origin: Pick<Request, 'basePath' | 'path' | 'requestId'>;
}

/** For a page of a list. */
export type ListCall = Call & { readonly page: PageQuery };
/** For the new values of an item. */
export type ReplaceCall = ItemCall & Pick<CreateCall, 'values' | 'sent' | 'binaries'>;
/** For all items of a list. `maximum` is `max-affected`: with more items, the action changes none. */
export type BulkCall = Call & { readonly maximum?: number | undefined };
/** For a binary property of an item. */
export type BinaryCall = ItemCall & { readonly binary: string };
/** For the list of removed items. */
export type RemovedCall = Call &
  Pick<DocumentCall, 'query'> &
  Pick<Request, 'basePath'> & { readonly sight: Sight };
/** For the totals of a list. Of the page, the filters count. */
export type TotalsCall = RemovedCall & Pick<ListCall, 'page'>;
/** For the list of the versions of an item, or of other parts. */
export type VersionsCall = RemovedCall & Identified;
/**
 * For the list of changes. `reader`: whose scopes decide what it shows. `ignored`: the names of unknown parameters. `waitMs`:
 * as in `ItemCall`.
 */
export type ChangesCall = Call &
  Pick<DocumentCall, 'query'> &
  Pick<ItemCall, 'waitMs'> &
  Pick<Request, 'basePath'> & { readonly reader: Reader; readonly ignored: readonly string[] };
/** For one version of an item, or another part of it with a number. `version`: NaN if the path has no number there. */
export type VersionCall = ItemCall &
  Pick<ElementsCall, 'fieldLimits'> &
  Pick<Request, 'basePath'> & { readonly version: number };
/** For the sign-in. */
export type VisitCall = Call & Pick<DocumentCall, 'query'> & { readonly visit: Visit };
/** For content that the service stores as it is. */
type Bytes = { readonly sent: SentBytes };
/** For a custom action: the values of its body in their stored form; empty if it has none. */
export type CustomActionBody = { readonly body: JsonObject };

/** The inputs of actions, by their shapes. `…Below`: the path names an item above. */
export interface Calls {
  readonly document: DocumentCall;
  readonly visit: VisitCall;
  readonly list: ListCall;
  readonly listBelow: ListCall & Identified;
  readonly item: ItemCall;
  readonly create: CreateCall;
  readonly createBelow: CreateCall & Identified;
  readonly replace: ReplaceCall;
  readonly bulk: BulkCall;
  readonly bulkBelow: BulkCall & Identified;
  readonly elements: ElementsCall;
  readonly elementsBelow: ElementsCall & Identified;
  readonly file: FileCall;
  readonly writeFile: FileCall & Bytes;
  readonly fileVersions: FileVersionsCall;
  readonly fileVersion: FileVersionCall;
  readonly files: FilesCall;
  readonly binary: BinaryCall;
  readonly writeBinary: BinaryCall & Bytes;
  readonly changes: ChangesCall;
  readonly removed: RemovedCall;
  readonly totals: TotalsCall;
  readonly totalsBelow: TotalsCall & Identified;
  readonly versions: VersionsCall;
  readonly version: VersionCall;
  readonly customOfItem: ItemCall & CustomActionBody;
  readonly customOfList: Call & CustomActionBody;
}

/** The shape of an input. */
export type Shape = keyof Calls;

/** What an action does with its input. */
export type Run<Input = Call> = (input: Input) => Promise<Outcome> | Outcome;

/** An action, by the shape of its input. */
export type Action<Of extends Shape = 'document'> = Run<Calls[Of]>;

/**
 * An action with the shape of its input. The flow builds just this input. `check` returns what `run` would refuse now,
 * without an effect; `done`: nothing. The flow calls it before it accepts a request as an operation, and before a 412.
 *
 * Source: Specification 3.3, 7.1.
 */
export type Shaped<Of extends Shape = Shape> = {
  [One in Of]: {
    readonly takes: One;
    readonly run: Run<Calls[One]>;
    readonly check?: Run<Calls[One]> | undefined;
  };
}[Of];
