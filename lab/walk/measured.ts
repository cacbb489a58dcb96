import type { Walk } from './recording.ts';

/** The length of a walk. A move leads from one file to another. A return is a move to a file that was entered before. */
export interface Length {
  readonly entries: number;
  readonly files: number;
  readonly moves: number;
  readonly returns: number;
}

/** Measures a walk. */
export function lengthOf({ entries }: Pick<Walk, 'entries'>): Length {
  const files = new Set(entries).size;
  const moves = entries.filter((path, at) => at > 0 && path !== entries[at - 1]).length;
  return { entries: entries.length, files, moves, returns: moves - files + 1 };
}
