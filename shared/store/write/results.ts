import type { Problem } from '../../http/problem.ts';
import type { Item } from '../../resource/item.ts';

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
