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

/** Returns a check by requests. */
export const check = (id: string, claim: string, run: Check['run']): Check => ({ id, claim, run });

/**
 * Returns the exit status after these checks failed, by their ids: 3 if only checks of TLS did, because API Gateway
 * takes about 15 minutes to apply a TLS policy.
 */
export const exitStatus = (failed: readonly string[]): number =>
  failed.length === 0 ? 0 : failed.every((id) => id === 'S12') ? 3 : 1;
