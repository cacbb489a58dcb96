import type { Difference } from './judge.ts';

export const differences: readonly Difference[] = [];
