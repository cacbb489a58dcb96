import { expect } from '@jest/globals';
import type { Answer, Body, Client } from '../support/client.ts';
import type { SentRequest } from './sent-request.ts';

/** Milliseconds in which everything must have ended. */
const PATIENCE = 60_000;
const FINAL = ['Succeeded', 'Failed', 'Canceled'];
const AT_ONCE = 16;

/** An operation as its status shows it. */
export interface Operation extends Body {
  readonly status: string;
  readonly kind: string;
  readonly progress: { readonly done: number; readonly total?: number; readonly failed: number };
  readonly error?: { readonly type: string; readonly detail: string };
}

/** What became of a request: it had its effect, it had none, or nobody knows. */
export type Fate = 'done' | 'not' | 'unknown';

/** The service after everything has ended, as its clients see it. */
export class Observer {
  readonly client: Client;
  readonly #operations = new Map<string, Operation>();

  constructor(client: Client) {
    this.client = client;
  }

  /** Waits until each operation of the service has ended. */
  async settle(): Promise<void> {
    const until = Date.now() + PATIENCE;
    for (;;) {
      const all = (await this.all('/operations?limit=1000')) as unknown as readonly Operation[];
      const pending = all.filter(({ status }) => !FINAL.includes(status));
      if (pending.length === 0) {
        for (const one of all) this.#operations.set(`/operations/${one.operationId}`, one);
        return;
      }
      if (Date.now() > until) throw new Error(`These did not end: ${JSON.stringify(pending)}`);
      await new Promise((later) => setTimeout(later, 100));
    }
  }

  /** Everything in a list. */
  async all(list: string): Promise<Body[]> {
    const items: Body[] = [];
    for (let page: string | undefined = list; page !== undefined; ) {
      const answer: Answer = await this.client('GET', page);
      expect([page, answer.status]).toEqual([page, 200]);
      items.push(...answer.json().items);
      page = answer.json().links.find(({ rel }) => rel === 'next')?.href;
    }
    return items;
  }

  /** Those of a collection whose name begins like this. */
  async named(collection: string, prefix: string): Promise<Body[]> {
    const all = await this.all(`/${collection}?limit=1000`);
    return all.filter(({ name }) => String(name).startsWith(prefix));
  }

  /** How often each of these items was changed, by its entity tag: 0 as it was created, undefined where it is gone. */
  async changes(paths: readonly string[]): Promise<(number | undefined)[]> {
    const changes: (number | undefined)[] = [];
    let next = 0;
    const work = async () => {
      while (next < paths.length) {
        const at = next++;
        const { status, headers } = await this.client('GET', paths[at] as string);
        const [, version] = /^"(\d+)\./.exec(headers.etag ?? '') ?? [];
        changes[at] = status === 404 ? undefined : Number(version) - 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return changes;
  }

  /** The operation that a request became. */
  operationOf({ operation, request }: SentRequest): Operation | undefined {
    if (operation === undefined) return undefined;
    const found = this.#operations.get(operation);
    if (!found) throw new Error(`${operation} of ${request} is gone`);
    return found;
  }

  fate(deed: SentRequest): Fate {
    const operation = this.operationOf(deed);
    if (operation) return operation.status === 'Succeeded' ? 'done' : 'not';
    if (!deed.answer || deed.answer.status === 503) return 'unknown';
    return deed.answer.status < 300 ? 'done' : 'not';
  }

  /** How many items a request for many has changed; undefined when nobody knows. `count`: of those it was sent for. */
  amount(deed: SentRequest, count: number): number | undefined {
    const operation = this.operationOf(deed);
    if (operation) return operation.progress.done;
    const fate = this.fate(deed);
    return fate === 'unknown' ? undefined : fate === 'done' ? count : 0;
  }

  /** Nothing failed that had no reason to. */
  expectReasons(deeds: readonly SentRequest[]): void {
    const failed = deeds.flatMap((deed) => {
      const { status, error } = this.operationOf(deed) ?? {};
      if (status !== 'Failed' || !error) return [];
      const name = error.type.split('/').at(-1) ?? '';
      return deed.mayFail.includes(name) ? [] : [{ request: deed.request, operation: deed.operation, error }];
    });
    expect(failed).toEqual([]);
  }
}
