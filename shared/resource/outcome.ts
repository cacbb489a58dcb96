import type { EntityTag } from '../http/entity-tag.ts';
import { type Problem, type ProblemName, problem } from '../http/problem.ts';
import type { ByteRange } from '../http/range.ts';
import type { JsonObject } from '../json/value.ts';
import type { RecordedAnswer } from './action.ts';
import type { Item } from './item.ts';
import type { LinkFact } from './link.ts';
import type { Page, Position } from './page.ts';
import type { Resource } from './resource.ts';
import type { Checkpoint, Interruption } from './work.ts';

/** Bytes at rest. Sizes in bytes, times in ms since the epoch. */
export interface Bytes {
  readonly etag: EntityTag;
  readonly size: number;
  readonly lastModified: number;
  readonly mediaType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The SHA-256 of the whole in base64, where it is known. */
  readonly sha256?: string;
  /** Reads them, or one range of them; undefined when they were replaced or removed meanwhile. */
  read(range?: ByteRange): Promise<Uint8Array | undefined>;
  /** A URL where a client can get them itself, for a while; only where they may be too many to be read here. */
  address?(method: 'GET' | 'HEAD'): Promise<string>;
}

/** The current state of a target resource, from which a representation can be made. */
export type State =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'list'; readonly page: Page }
  | { readonly kind: 'bytes'; readonly bytes: Bytes }
  /** Nothing yet: what a form for a new item starts from. */
  | { readonly kind: 'emptyForm' }
  | {
      readonly kind: 'document';
      /** What it is called where a format names the whole; the resource's name if it has none. */
      readonly name?: string;
      /** JSON members in order. */
      readonly members: Readonly<Record<string, unknown>>;
      readonly links?: readonly LinkFact[];
      /** The bare text for `text/plain`, where the resource offers it. */
      readonly plain?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/**
 * What an action did, without a word of HTTP: the flow makes the status code.
 * `stale`: the state was changed between look-up and write, nothing was written; the flow looks again.
 */
export type Outcome =
  | {
      readonly kind: 'found';
      readonly state: State;
      readonly location?: string;
      /** It leads to something else, at this path: that is where to read on. */
      readonly seeOther?: string;
      /** It will change by itself: seconds after which looking again makes sense. */
      readonly retryAfter?: number;
      /** It did not wait for a change, although the client would. */
      readonly unwaited?: boolean;
    }
  | {
      readonly kind: 'created' | 'replaced';
      readonly state: State;
      /** Path parameters of the item's own route, or its path. */
      readonly location: string;
      /** The entity tag of bytes stored unchanged. */
      readonly etag?: EntityTag;
    }
  /** Several things were done, each with a result of its own; `location`: what they are all part of. */
  | {
      readonly kind: 'several';
      readonly results: readonly Result[];
      readonly location: string;
      /** The client wants the result of each, even if all are alike. */
      readonly each?: boolean;
    }
  /** `count`: how many things were, where it is not one. */
  | { readonly kind: 'done'; readonly count?: number }
  /** It is done later, as an operation: an item of the resource `of`, at `location`. `more`: members for this answer alone. */
  | {
      readonly kind: 'accepted';
      readonly of: Resource;
      readonly item: Item;
      readonly location: string;
      /** Seconds after which looking again makes sense; undefined: it has ended already. */
      readonly retryAfter?: number;
      readonly more?: JsonObject;
    }
  /** It is too much for one request: nothing was done, it has to become an operation. */
  | { readonly kind: 'mustDefer' }
  /** As an operation: all is done; `location`: what it created. */
  | { readonly kind: 'completed'; readonly checkpoint: Checkpoint; readonly location?: string }
  /** As an operation: what is left waits for another run, or is given up. */
  | { readonly kind: 'interrupted'; readonly by: Interruption }
  | { readonly kind: 'missing'; readonly detail?: string }
  | { readonly kind: 'stale' }
  /** The offset lies beyond what may be skipped: how far reading came. */
  | { readonly kind: 'offsetTooLarge'; readonly position: Position; readonly offset: number }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** The request came before. No answer: it is still being worked on. */
  | { readonly kind: 'answered'; readonly fingerprint: string; readonly answer?: RecordedAnswer };

/** What became of one of several things; `location` is its path, whether it is there or not. */
export type Result =
  | { readonly kind: 'created' | 'replaced'; readonly location: string; readonly item: Item }
  | { readonly kind: 'refused'; readonly location: string; readonly problem: Problem };

/** The state of the target, or of another resource standing for it at `location` (a path without base path). */
export const found = (state: State, location?: string): Outcome => ({ kind: 'found', state, location });
/** The item, or another resource's item standing for the target at `location`. */
export const foundItem = (item: Item, location?: string): Outcome => found({ kind: 'item', item }, location);
/** What a new item starts from. */
export const emptyForm: Outcome = found({ kind: 'emptyForm' });
/** A page of a list. */
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
export const done: Outcome = { kind: 'done' };
/** There is no such item; `detail` says which, where the path alone does not. */
export const missing = (detail?: string): Outcome => ({ kind: 'missing', detail });
export const stale: Outcome = { kind: 'stale' };
/** Nothing was done, for the reason that the problem states. */
export const refused = (
  name: ProblemName,
  detail: string,
  more?: Omit<Problem, 'name' | 'detail'>,
): Outcome => ({ kind: 'refused', problem: problem(name, detail, more) });
