import type { Smoke } from './smoke.ts';

/** A check of a deployed service. */
export interface Check {
  /** Its number in docs/smoke.md. */
  readonly id: string;
  /** The statement that the check proves. */
  readonly claim: string;
  /**
   * @returns a description of the observation
   * @throws Skipped if this service cannot show it; any other error if the claim is wrong
   */
  run(smoke: Smoke): Promise<string>;
}

/** A check by requests. */
export const check = (id: string, claim: string, run: Check['run']): Check => ({ id, claim, run });
