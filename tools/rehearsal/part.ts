import type { Check } from '../../test/support/checks.ts';
import type { Assembly } from './cdk.ts';

/** What a part is given: where its checks go, and a folder that goes when all is done. */
export interface Given {
  readonly check: Check;
  readonly folder: string;
  /** What is synthesized when nobody says anything, once for all parts. */
  defaults(): Promise<Assembly>;
}

/** One part of `npm run rehearsal`. */
export interface Part {
  readonly about: string;
  run(given: Given): Promise<void>;
}
