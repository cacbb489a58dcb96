import { createHash } from 'node:crypto';
import { Fault } from '../fault.ts';

/** How long a token names its transaction, in ms. */
const KNOWN = 10 * 60 * 1000;
/** Tokens that are known at a time: bulk work has thousands of transactions a minute. */
const AT_MOST = 10_000;

interface Known {
  readonly digest: string;
  readonly until: number;
}

/**
 * The transactions that were done of late, by their tokens: one that is sent again, because its answer was lost, is not
 * done again. In memory, as whoever would send it again lives in this process, or asks for 10 minutes at most.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems, ClientRequestToken.
 */
export class RequestTokens {
  readonly #known = new Map<string, Known>();

  /**
   * Does the work once for a token.
   * @throws IdempotentParameterMismatchException where the token came with another request
   */
  once(token: string, request: object, work: () => void): void {
    const now = Date.now();
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

  /** The oldest stand first. */
  #forget(now: number): void {
    for (const [token, { until }] of this.#known) {
      if (until > now && this.#known.size <= AT_MOST) return;
      this.#known.delete(token);
    }
  }
}
