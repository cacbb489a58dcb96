import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Client, clientOf, type SentRequest } from '../../test/support/client/client.ts';

/** Ms after which a client that got no answer, or 503, sends its request again. */
const AGAIN_MS = 250;
/** Ms after which a client stops to repeat a request. A killed service starts again within seconds. */
const PATIENCE_MS = 120_000;

/** Counts the requests of all clients. */
export interface Counts {
  answers: number;
  /** Requests that got 503. */
  refused: number;
  /** Requests whose connection broke. */
  cut: number;
}

/**
 * A client that repeats a request until the service acknowledges it. A repeated request has the same `Idempotency-Key`, or
 * its effect does not depend on the number of times.
 *
 * @throws Error for a 503 without Retry-After, for any other 5xx, and without an acknowledgement in two minutes
 */
export function persistent(url: string, counts: Counts): Client {
  const client = clientOf(url);
  return async (method, path, sent) => {
    for (const until = Date.now() + PATIENCE_MS; ; await pause(AGAIN_MS)) {
      const answer = await attempt(client, method, path, sent);
      if (answer === undefined) counts.cut += 1;
      else if (answer.status === 503) {
        counts.refused += 1;
        if (answer.headers['retry-after'] === undefined) throw new Error(`503 without Retry-After: ${path}`);
      } else if (answer.status >= 500) {
        throw new Error(`${answer.status} to ${method} ${path}: ${answer.text}`);
      } else {
        counts.answers += 1;
        return answer;
      }
      if (Date.now() > until) throw new Error(`No acknowledgement of ${method} ${path}`);
    }
  };
}

/** The answer; undefined if the connection broke before it. */
const attempt = (
  client: Client,
  method: string,
  path: string,
  sent: SentRequest | undefined,
): Promise<Answer | undefined> => client(method, path, sent).catch(() => undefined);
