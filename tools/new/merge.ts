import { spawnSync } from 'node:child_process';

/** A merge that waits for its commit. `registry`: the text of functions/registry.ts before it. */
export interface Merge {
  readonly registry: string;
  /** The paths that the merge adds or changes, also those with a conflict. */
  readonly paths: readonly string[];
}

/** Runs git below `root`. Returns what it prints; undefined if it fails. */
export function git(root: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}

/** The merge that waits for its commit below `root`; undefined without one. */
export function mergeIn(root: string): Merge | undefined {
  if (git(root, 'rev-parse', '-q', '--verify', 'MERGE_HEAD') === undefined) return undefined;
  return {
    registry: git(root, 'show', 'HEAD:functions/registry.ts') ?? '',
    paths: mergedPaths(git(root, 'status', '--porcelain', '-z', '--no-renames') ?? ''),
  };
}

/** The paths that a merge adds or changes, by the states of `git status --porcelain -z`. `DU`: we deleted it. */
export const mergedPaths = (status: string): string[] =>
  status
    .split('\0')
    .filter((line) => /^(?:[AMU]|DU)/.test(line))
    .map((line) => line.slice(3));
