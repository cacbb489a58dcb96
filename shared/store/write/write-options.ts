import type { Put, TransactWriteItem } from '@aws-sdk/client-dynamodb';
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
