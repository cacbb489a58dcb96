import { spawnSync } from 'node:child_process';
import { Obstacle } from '../obstacle.ts';

/** Maximum bytes that git prints: a merge can bring thousands of files. */
const MAXIMUM_OUTPUT = 64 * 1024 * 1024;

/** A merge that waits for its commit. `registry`: the text of functions/registry.ts before it. */
export interface Merge {
  readonly registry: string;
  /** The paths that the merge adds or changes, also those with a conflict. */
  readonly paths: readonly string[];
}

/** Runs git below `root`. Returns what it prints. @throws Obstacle if it fails */
export function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = run(root, args);
  if (status === 0) return stdout;
  throw new Obstacle(`git ${args[0]} failed: ${(error?.message ?? stderr).trim()}`);
}

const run = (root: string, args: readonly string[]) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: MAXIMUM_OUTPUT });

/** The merge that waits for its commit below `root`; undefined without one. @throws Obstacle if git fails */
export function mergeIn(root: string): Merge | undefined {
  if (run(root, ['rev-parse', '-q', '--verify', 'MERGE_HEAD']).status !== 0) return undefined;
  return {
    registry: git(root, 'show', 'HEAD:functions/registry.ts'),
    paths: mergedPaths(git(root, 'status', '--porcelain', '-z', '--no-renames')),
  };
}

/** The paths that a merge adds or changes, by the states of `git status --porcelain -z`. `DU`: we deleted it. */
export const mergedPaths = (status: string): string[] =>
  status
    .split('\0')
    .filter((line) => /^(?:[AMU]|DU)/.test(line))
    .map((line) => line.slice(3));
