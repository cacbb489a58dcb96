import type { Smoke } from './smoke.ts';

/** One thing to look at. */
export interface Check {
  /** Its number in docs/smoke.md. */
  readonly id: string;
  /** What is proven when it passes. */
  readonly claim: string;
  /**
   * @returns what was seen
   * @throws NotTold when this service cannot show it, and any other error when the claim is wrong
   */
  run(smoke: Smoke): Promise<string>;
}

/** What cannot be told of this service from here, and why. */
export class NotTold extends Error {}

/** A check that somebody has to make by hand: how. */
export const byHand = (id: string, claim: string, how: string): Check => ({
  id,
  claim,
  run: () => Promise.reject(new NotTold(how)),
});
