import type { Difference } from './judge.ts';

export const differences: readonly Difference[] = [];

/** Files that are no tests of a service at an address. */
export const leftOut: readonly { readonly file: string; readonly because: string }[] = [
  { file: 'restart.test.ts', because: 'It starts, stops and kills services of its own.' },
];
