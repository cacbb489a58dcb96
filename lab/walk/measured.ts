import type { Walk } from './recording.ts';

/** The length of a walk. A move leads from one file to another. A return is a move to a file that was entered before. */
export interface Length {
  readonly entries: number;
  readonly files: number;
  readonly moves: number;
  readonly returns: number;
}

/** The returns of a walk: the entry, the file before it, and how often this happened. The most frequent are first. */
export function returnsIn({ entries, places }: Pick<Walk, 'entries' | 'places'>): readonly string[] {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const [at, path] of entries.entries()) {
    const before = entries[at - 1];
    if (seen.has(path) && before !== path) {
      const one = `${places[at]} after ${before}`;
      counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    seen.add(path);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([one, count]) => `${count} ${one}`);
}

/** Measures a walk. */
export function lengthOf({ entries }: Pick<Walk, 'entries'>): Length {
  const files = new Set(entries).size;
  const moves = entries.filter((path, at) => at > 0 && path !== entries[at - 1]).length;
  return { entries: entries.length, files, moves, returns: moves - files + 1 };
}
