import type { Put, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Problem } from '../../http/problem.ts';
import type { Item } from '../../resource/item.ts';
import type { SentBinary } from '../../resource/sent.ts';
import type { BinaryChanges } from './bind-binaries.ts';
import type { KnownItem } from './item-change.ts';

/** The conditions and effects of a replacement. `now`: ms since the epoch. `version`: the item must have it. */
export interface Replacement {
  readonly now: number;
  readonly version?: number;
  /** The item as the action read it. A transaction replaces exactly this version. */
  readonly before?: Item;
  readonly answersOf?: AnswersOf;
  /** The binary properties to change. */
  readonly binaries?: readonly SentBinary[] | undefined;
  /** The bytes to name, which are stored, in place of `binaries`. */
  readonly stored?: BinaryChanges;
  /** The write restores an earlier version. */
  readonly restores?: boolean;
}

/** The additions to a new item. `parent`: an item to which it refers, and which exists. */
export interface Insertion extends Pick<Replacement, 'answersOf' | 'binaries' | 'restores'> {
  readonly parent?: KnownItem | undefined;
  /** The last version of a removed item that exists again: the rules of several items judge the change to it. */
  readonly last?: Item;
  /** Parts that count the item, or take it out of the list of removed ones. If a condition of one fails: `repeated`. */
  readonly others?: readonly TransactWriteItem[];
}

/** The conditions of a removal. `answers`: the writes that record the answer. Others: as in a replacement. */
export interface Removal {
  readonly version?: number;
  readonly before?: Item | undefined;
  readonly answers?: readonly Put[];
}

/** Makes the writes that record the answer, given the item after the write. */
type AnswersOf = (after: Item) => Promise<readonly Put[]>;

/** Why a conditional write had no effect: the item does not exist, or it has another version now. */
export type WriteConflict = { readonly kind: 'missing' } | { readonly kind: 'stale' };

/** A constraint of the resource forbids the write. */
export interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
}

/** The result of a replacement. */
export type WriteResult = { readonly kind: 'written'; readonly item: Item } | Refused | WriteConflict;

export const MISSING: WriteConflict = { kind: 'missing' };
export const STALE: WriteConflict = { kind: 'stale' };

/**
 * The result of an insertion. `taken`: the id exists. `repeated`: an answer to the same request exists already, or
 * another writer changed what a constraint depends on.
 */
export type InsertionResult =
  | { readonly kind: 'written'; readonly item: Item }
  | { readonly kind: 'taken' }
  | { readonly kind: 'repeated' }
  | Refused;

/** The result of a removal. */
export type RemovalResult = { readonly kind: 'removed' } | Refused | WriteConflict;
