import type { Answer, SentRequest } from '../support/client/client.ts';
import { send } from '../support/service/under-test.ts';
import type { Deed } from './linearizable.ts';

/** A request that a client of a history may send. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly sent?: SentRequest;
}

/** The request and its response, in the terms of a model. */
export type Exchanged = Deed<Request, Answer>;

/**
 * Lets several clients send requests concurrently, each one after another, and records the times of requests and
 * responses. `choose`: the client's next request, from its random numbers and its last response.
 */
export async function recorded(
  clients: readonly (() => number)[],
  times: number,
  choose: (next: () => number, last: Answer | undefined) => Request,
): Promise<Exchanged[]> {
  const history: Exchanged[] = [];
  const work = async (next: () => number): Promise<void> => {
    let last: Answer | undefined;
    for (let turn = 0; turn < times; turn += 1) {
      const input = choose(next, last);
      const asked = performance.now();
      last = await send(input.method, input.path, input.sent);
      history.push({ asked, answered: performance.now(), input, output: last });
      if (next() < 0.3) await new Promise((later) => setTimeout(later, next() * 5));
    }
  };
  await Promise.all(clients.map(work));
  return history;
}

/** The text of a history for the failure of a test. */
export const shown = (history: readonly Exchanged[]) =>
  history.map(
    ({ asked, answered, input: { method, path, sent }, output }) =>
      `${asked.toFixed(2)}–${answered.toFixed(2)} ${method} ${path} ${JSON.stringify({ ...sent?.headers, body: sent?.body ?? sent?.json })} → ${output?.status} ${output?.headers.etag ?? ''} ${output?.text.slice(0, 80)}`,
  );
