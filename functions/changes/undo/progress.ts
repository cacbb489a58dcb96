import type { JsonObject } from '../../../shared/json/value.ts';
import type { Work } from '../../../shared/resource/actions/work.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { FileIntent } from './former-files.ts';
import { type Selection, undoable } from './selection.ts';
import { type Candidate, isKept, type Place } from './walk.ts';

/**
 * How far an undo is. It walks the log several times, while rules forbid some changes and each walk makes others. `waiting`:
 * items that a rule has kept in this walk. `isLast`: the walk reports them.
 */
export interface Cursor {
  /** Undefined at the end. */
  readonly place?: Place | undefined;
  readonly walk: number;
  readonly isLast: boolean;
  readonly moved: number;
  readonly waiting: number;
  readonly restored: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: readonly JsonObject[];
  /** Changes that the walk has passed, and that belong into the next transaction. */
  readonly held?: readonly Candidate[] | undefined;
  /** What the next step does with files. S3 has no transactions, so a checkpoint comes before it. */
  readonly files?: readonly FileIntent[] | undefined;
}

const START = {
  walk: 0,
  isLast: false,
  moved: 0,
  waiting: 0,
  restored: 0,
  removed: 0,
  unchanged: 0,
} as const;

/** Returns the beginning. Resources without history cannot go back, and the result names them. */
export function startOf(
  selection: Selection,
  registry: readonly Resource[],
  walked: readonly Resource[],
): Cursor {
  const { resources, operation } = selection;
  const lost = undoable(registry).filter(
    (one) => !isKept(one) && (resources?.includes(one.name) ?? operation === undefined),
  );
  const [first] = walked;
  return {
    ...START,
    place: first && { resource: first.name, partition: 0 },
    skipped: lost.map(({ name }) => ({ resource: name, reason: 'keeps no history' })),
  };
}

/**
 * Returns the cursor after a walk: another walk, if items wait for what this one has changed, or else the last one. A run
 * that is tried out changes nothing, so it ends.
 */
export function endOfWalk(
  cursor: Cursor,
  walked: readonly Resource[],
  { isTrial }: Pick<Work, 'isTrial'>,
): Cursor {
  const [first] = walked;
  if (!first || cursor.waiting === 0 || cursor.isLast || isTrial) return { ...cursor, place: undefined };
  return {
    ...cursor,
    place: { resource: first.name, partition: 0 },
    walk: cursor.walk + 1,
    isLast: cursor.moved === 0,
    moved: 0,
    waiting: 0,
  };
}
