import { createHash } from 'node:crypto';
import { Fault } from '../fault.ts';

/** Milliseconds for which the engine remembers a token. */
const KNOWN = 10 * 60 * 1000;
/** Maximum number of remembered tokens. Bulk work has thousands of transactions a minute. */
const AT_MOST = 10_000;

interface Known {
  readonly digest: string;
  readonly until: number;
}

/**
 * The recent transactions by their tokens. If the SDK repeats a transaction after a lost response, the engine does
 * not apply it again. The tokens are in memory, because the client lives in the same process or repeats within 10
 * minutes.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems, ClientRequestToken.
 */
export class RequestTokens {
  readonly #known = new Map<string, Known>();

  /**
   * Does the work, unless a request with the same token did it before. `now` in ms.
   * @throws IdempotentParameterMismatchException if another request had the same token
   */
  apply(token: string, request: object, now: number, work: () => void): void {
    const digest = createHash('sha256').update(JSON.stringify(request)).digest('base64');
    const known = this.#known.get(token);
    if (known && known.until > now) {
      if (known.digest === digest) return;
      throw new Fault(
        'IdempotentParameterMismatchException',
        'The provided client token is already in use for a different request.',
      );
    }
    work();
    this.#known.set(token, { digest, until: now + KNOWN });
    this.#forget(now);
  }

  /** The map keeps the order of insertion, so the oldest tokens are first. */
  #forget(now: number): void {
    for (const [token, { until }] of this.#known) {
      if (until > now && this.#known.size <= AT_MOST) return;
      this.#known.delete(token);
    }
  }
}
