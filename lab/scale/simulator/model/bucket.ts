/**
 * A bucket of tokens: `rate` tokens come back each second, up to `burst`. A request of weight k takes k tokens. The bucket
 * admits while it has a token, and may owe the rest, so that a burst smaller than k still lets `rate` pass.
 */
export class Bucket {
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  /** `tokens`: at the time `at` in ms; full if they are absent. */
  constructor(rate: number, burst: number, tokens = burst, at = 0) {
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = tokens;
    this.#at = at;
  }

  /** The tokens at a time in ms; below 0: the bucket owes them. */
  tokens(now: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#rate);
    this.#at = now;
    return this.#tokens;
  }

  /** Takes tokens without a question. */
  charge(count: number, now: number): void {
    this.#tokens = this.tokens(now) - count;
  }

  /** Takes tokens if there is one. Returns whether it did. */
  take(count: number, now: number): boolean {
    if (this.tokens(now) <= 0) return false;
    this.charge(count, now);
    return true;
  }
}
