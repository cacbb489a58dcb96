import type { EntityTag } from '../../http/conditional/entity-tag.ts';
import type { ByteRange } from '../../http/conditional/range.ts';
import { type Problem, type ProblemName, problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Description } from '../description/description.ts';
import type { ResourceFacts } from '../facts.ts';
import type { Item, Memento } from '../item.ts';
import type { LinkFact } from '../link.ts';
import type { ListPosition, Page } from '../lists/page.ts';
import type { RelatedReader } from '../relation.ts';
import type { Checkpoint, Interruption } from './work.ts';

/** Stored bytes. Sizes in bytes, times in ms since the epoch. */
export interface Bytes {
  readonly etag: EntityTag;
  /** The entity tag that the storage has for them, if it is another one: the condition of a write names it. */
  readonly storedTag?: EntityTag;
  readonly size: number;
  readonly lastModified: number;
  readonly mediaType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the bytes are text in UTF-8 that may have a content coding. Files of clients never have one. */
  readonly isText?: boolean;
  /** True if a client stored a script: a browser gets it as a download where it would run or show it. */
  readonly isRunnable?: boolean;
  /** The SHA-256 of the whole in base64, if known. */
  readonly sha256?: string;
  /** Present if the store keeps versions of the bytes: these are the present ones, or those of an earlier version. */
  readonly history?: 'present' | 'past';
  /** Reads the bytes, or one range of them; undefined if they were replaced or removed since look-up. */
  read(range?: ByteRange): Promise<Uint8Array | undefined>;
  /** Makes a presigned URL for the client; present if the bytes may be too many for one response. */
  address?(method: 'GET' | 'HEAD'): Promise<string>;
}

/** The rows of a document. `names`: those of the shown properties. `total`: the number of all rows. */
export interface ShownRows {
  readonly description: Description;
  readonly names: readonly string[];
  readonly items: readonly JsonObject[];
  readonly offset: number;
  readonly total: number;
}

/** The current state of a target resource. The flow renders it as a representation. */
export type State =
  | {
      readonly kind: 'item';
      readonly item: Item;
      /** Reads the related lists on the page of the item; undefined: the page shows none. */
      readonly related?: RelatedReader;
      /** Present if the item is shown as it was in one of its versions. */
      readonly memento?: Memento;
      /** A sentence for people about what this response alone shows. A browser gets the page at once. */
      readonly notice?: string;
    }
  | { readonly kind: 'list'; readonly page: Page }
  | { readonly kind: 'bytes'; readonly bytes: Bytes }
  /** A form without values: for a new item, or about bytes. `version`: the entity tag of the bytes. */
  | { readonly kind: 'emptyForm'; readonly version?: EntityTag }
  | {
      readonly kind: 'document';
      /** The name of the document in formats that name the root; the default is the name of the resource. */
      readonly name?: string;
      /** JSON properties in order. */
      readonly members: Readonly<Record<string, unknown>>;
      /** The member `items`: an item of the resource for each, with facts about it. */
      readonly entries?: readonly { readonly item: Item; readonly facts: JsonObject }[];
      readonly rows?: ShownRows;
      /** The item that the document is about. Only pages show its name. */
      readonly about?: Item;
      /** The item in each version that `items` lists, and in the version before it, if both are read. Only pages show them. */
      readonly compared?: readonly Compared[];
      readonly links?: readonly LinkFact[];
      /** The query parameters that a form on the page of the document asks for. */
      readonly asks?: readonly string[];
      /** The content for `text/plain`, if the resource offers it. */
      readonly plain?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** The values of `Set-Cookie`. */
      readonly cookies?: readonly string[];
    };

/** An item in a version and in the one before it; undefined: the service has not read it. */
export interface Compared {
  readonly after?: Item | undefined;
  readonly before?: Item | undefined;
}

/** A state that a document represents. Bytes are sent as they are stored. */
export type Shown = Exclude<State, { kind: 'bytes' }>;

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
 * The result of an action, independent of HTTP: the flow chooses the status code. `stale`: another writer changed
 * the state between look-up and write. Nothing was written, and the flow looks up again.
 */
export type Outcome =
  | {
      readonly kind: 'found';
      readonly state: State;
      readonly location?: string;
      /** The path of another resource with the result. The response is a 303. */
      readonly seeOther?: string;
      /** The state changes soon: seconds after which the client may poll again. */
      readonly retryAfter?: number;
      /** For how many seconds at most the action waited for a change, because the client sent `Prefer: wait`. */
      readonly waited?: number;
    }
  | {
      readonly kind: 'created' | 'replaced';
      readonly state: Shown;
      /** The path of the item, without base path. */
      readonly location: string;
      /** The entity tag of bytes that were stored unchanged. */
      readonly etag?: EntityTag;
    }
  /**
   * Several items were processed, each with a result of its own. `location`: the path of their collection. `only`: the
   * path of the item, if the request could name several and named one.
   */
  | {
      readonly kind: 'several';
      readonly results: readonly Result[];
      readonly location: string;
      readonly only?: string | undefined;
      /** The client wants the result of each item, even if all results are the same. */
      readonly perElement?: boolean;
    }
  /** A browser continues at `address`: a URL, or a path with base path. `cookies`: the values of `Set-Cookie`. */
  | {
      readonly kind: 'redirected';
      readonly address: string;
      readonly cookies?: readonly string[] | undefined;
    }
  /**
   * The effect has no result to show. `count`: how many items it covered, if not one. `location`: the path of the item
   * that has changed, for browsers.
   */
  | { readonly kind: 'done'; readonly count?: number; readonly location?: string | undefined }
  /**
   * A worker runs the request later, as an operation: an item of the resource `of`, at `location`. `more`:
   * properties for this response only.
   */
  | {
      readonly kind: 'accepted';
      readonly of: ResourceFacts;
      readonly item: Item;
      readonly location: string;
      /** Seconds after which the client may poll again; undefined if the operation has ended. */
      readonly retryAfter?: number;
      readonly more?: JsonObject;
    }
  /** The work is too much for one request. Nothing was done, and the request must become an operation. */
  | { readonly kind: 'mustDefer' }
  /** The operation completed. `location`: the path of the item that it created. `report`: more properties of its result. */
  | {
      readonly kind: 'completed';
      readonly checkpoint: Checkpoint;
      readonly location?: string;
      readonly report?: JsonObject;
    }
  /** The run of the operation stopped: another run continues, or the operation ends as canceled. */
  | { readonly kind: 'interrupted'; readonly by: Interruption }
  /** `links`: to what is left of a removed item. */
  | { readonly kind: 'missing'; readonly detail?: string | undefined; readonly links?: readonly LinkFact[] }
  | { readonly kind: 'stale' }
  /** The offset exceeds the number of items that the service skips. `position`: where reading stopped. */
  | { readonly kind: 'offsetTooLarge'; readonly position: ListPosition; readonly offset: number }
  /** `links`: to what prevents the effect. */
  | { readonly kind: 'refused'; readonly problem: Problem; readonly links?: readonly LinkFact[] }
  /** The request is a repeat. Without `answer`, the first request still runs. */
  | { readonly kind: 'answered'; readonly fingerprint: string; readonly answer?: RecordedAnswer };

/** The result of one of several items. `location` is its path, whether it exists or not. */
export type Result =
  | { readonly kind: 'created' | 'replaced'; readonly location: string; readonly item: Item }
  | { readonly kind: 'refused'; readonly location: string; readonly problem: Problem };

/** The state of the target, or of another resource at `location` (a path without base path) that represents it. */
export const found = (state: State, location?: string): Outcome => ({ kind: 'found', state, location });
/** Returns the item, or an item of another resource at `location` that represents the target. */
export const foundItem = (item: Item, location?: string): Outcome => found({ kind: 'item', item }, location);
/** The start of a form for a new item. */
export const emptyForm: Outcome = found({ kind: 'emptyForm' });
/** Returns a page of a list. */
export const listed = (page: Page): Outcome => found({ kind: 'list', page });
/** The item now exists at `location`, a path without base path. */
export const created = (item: Item, location: string): Outcome => ({
  kind: 'created',
  state: { kind: 'item', item },
  location,
});
/** The item existed and has other values now. */
export const replaced = (item: Item, location: string): Outcome => ({
  kind: 'replaced',
  state: { kind: 'item', item },
  location,
});
/** A browser continues at this address, a URL or a path with base path. `cookies`: the values of `Set-Cookie`. */
export const redirected = (address: string, cookies?: readonly string[]): Outcome => ({
  kind: 'redirected',
  address,
  cookies,
});
export const done: Outcome = { kind: 'done' };
/** The item does not exist. `detail` names it if the path does not. */
export const missing = (detail?: string, links: readonly LinkFact[] = []): Outcome => ({
  kind: 'missing',
  detail,
  links,
});
export const stale = { kind: 'stale' } as const satisfies Outcome;
/** The action did nothing, for the reason in the problem. */
export const refused = (
  name: ProblemName,
  detail: string,
  more?: Omit<Problem, 'name' | 'detail'>,
): Extract<Outcome, { kind: 'refused' }> => ({ kind: 'refused', problem: problem(name, detail, more) });

/** The values of an item with its computed ones, or the problem that prevents their storage. */
export type Completion =
  | { readonly kind: 'complete'; readonly values: JsonObject }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** What a write does. `sent`: the names that it sets. `before`: the values before it; undefined for a new item. */
export interface Writing {
  readonly sent: Iterable<string>;
  readonly before?: JsonObject | undefined;
}

/** Adds values to those of an item, or refuses them. */
export type Complete = (values: JsonObject, writing: Writing) => Promise<Completion>;

/** Returns the result for complete values. */
export const complete = (values: JsonObject): Completion => ({ kind: 'complete', values });
