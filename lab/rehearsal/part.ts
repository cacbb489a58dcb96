import type { Check } from '../../test/support/checks.ts';

/** The input of a part: a place for its checks, and a temporary folder. */
export interface Given {
  readonly check: Check;
  readonly folder: string;
}

/** One part of `npm run tool -- rehearsal`. */
export interface Part {
  readonly about: string;
  run(given: Given): Promise<void>;
}
