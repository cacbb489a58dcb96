import type { Answer, Body, Client, SentRequest } from '../support/client/client.ts';
import type { Observer } from './observer.ts';

/** A sent request and the known facts about it. */
export interface CrashedRequest {
  readonly request: string;
  /** Names of problems that its operation may fail with. */
  readonly mayFail: readonly string[];
  /** Absent if the service was gone before it responded: the request may have had its effect or not. */
  answer?: Answer;
  /** The path of the operation that runs it. */
  operation?: string;
}

/** A check of a scenario's effects after all work has ended. */
export type Check = (world: Observer) => Promise<void>;

/** The service was killed while a request was running. */
class Gone extends Error {}

/** Sends the requests of a scenario and records them. Their content follows from the random numbers alone. */
export class Writer {
  readonly #client: Client;
  readonly deeds: CrashedRequest[] = [];
  readonly checks: Check[] = [];
  /** Repeatable numbers from 0 to 1. */
  readonly next: () => number;

  constructor(client: Client, next: () => number) {
    this.#client = client;
    this.next = next;
  }

  /** An integer from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Adds a check for the end. The scenario adds it before the first request that it checks. */
  verify(check: Check): void {
    this.checks.push(check);
  }

  /** @throws Gone */
  async send(
    method: string,
    path: string,
    sent: SentRequest = {},
    mayFail: readonly string[] = [],
  ): Promise<CrashedRequest> {
    const deed: CrashedRequest = { request: `${method} ${path}`, mayFail };
    this.deeds.push(deed);
    try {
      deed.answer = await this.#client(method, path, sent);
    } catch (error) {
      if (isGone(error)) throw new Gone(deed.request, { cause: error });
      throw error;
    }
    if (deed.answer.status === 202) deed.operation = deed.answer.headers.location as string;
    return deed;
  }

  /** Sends a request that must succeed at once. */
  async done(method: string, path: string, sent: SentRequest = {}): Promise<Answer> {
    const { answer } = await this.send(method, path, sent);
    if (!answer || answer.status >= 300)
      throw new Error(`${answer?.status} to ${method} ${path}: ${answer?.text}`);
    return answer;
  }

  /** Cancels an operation after a while. The operation may have ended by then. */
  async cancel({ operation, mayFail }: CrashedRequest): Promise<void> {
    if (operation === undefined) return;
    await new Promise((later) => setTimeout(later, this.next() * 120));
    const { answer } = await this.send('DELETE', operation, {}, mayFail);
    if (![202, 204, 409].includes(answer?.status ?? 0))
      throw new Error(`${answer?.status} to DELETE ${operation}: ${answer?.text}`);
  }
}

/** Runs scenarios one after another until the service is gone. */
export async function untilGone(scenarios: () => Promise<void>): Promise<void> {
  try {
    for (;;) await scenarios();
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
  }
}

const isGone = (error: unknown): boolean =>
  /ECONN|EPIPE|socket hang up|aborted/.test(
    `${(error as NodeJS.ErrnoException).code} ${(error as Error).message}`,
  );

export const LATER = { Prefer: 'respond-async' };

/** The ids of the items in this response. */
export const idsIn = (answer: Answer): number[] =>
  (answer.json().items as readonly Body[]).map(({ id, orderId }) => id ?? orderId);
