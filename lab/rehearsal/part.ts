import type { Check } from '../../test/support/checks.ts';
import type { Assembly } from './cdk.ts';

/** The input of a part: a place for its checks, and a temporary folder. */
export interface Given {
  readonly check: Check;
  readonly folder: string;
  /** The synthesis with default options, which all parts share. */
  defaults(): Promise<Assembly>;
}

/** One part of `npm run tool -- rehearsal`. */
export interface Part {
  readonly about: string;
  run(given: Given): Promise<void>;
}
