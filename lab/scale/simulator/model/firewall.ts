/** The firewall's limit of an address, as AWS WAF applies it. */

/** Seconds between two estimates. Source: AWS WAF Developer Guide, "Rate-based rule high-level settings". */
const ESTIMATE_SECONDS = 10;

/** The limit of one address. */
export interface AddressLimit {
  /** Requests in the window that the rule counts, also while it refuses them. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Requests of one address. */
export interface AddressLoad {
  /** Requests a second. */
  readonly rate: number;
  /** The rule counts only requests without a token. */
  readonly hasToken: boolean;
  readonly seconds: number;
}

/** What the firewall did with the requests of an address. */
export interface Guarded {
  /** The share that passed. */
  readonly passed: number;
  /** The second of the first refusal; undefined: none. */
  readonly refusedFrom: number | undefined;
}

/**
 * Applies the limit to a load, on a virtual clock. The rule estimates the rate of the address every ten seconds, and
 * refuses its requests until the estimate is below the limit again.
 */
export function guarded(
  { limit, windowSeconds }: AddressLimit,
  { rate, hasToken, seconds }: AddressLoad,
): Guarded {
  let passed = 0;
  let isRefused = false;
  let refusedFrom: number | undefined;
  for (let second = 0; second < seconds; second += 1) {
    if (!hasToken && second % ESTIMATE_SECONDS === 0)
      isRefused = rate * Math.min(second, windowSeconds) > limit;
    if (isRefused) refusedFrom ??= second;
    else passed += rate;
  }
  return { passed: passed / (rate * seconds), refusedFrom };
}
