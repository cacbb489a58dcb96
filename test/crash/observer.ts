import { expect } from '@jest/globals';
import type { Answer, Body, Client } from '../support/client/client.ts';
import type { CrashedRequest } from './sent-request.ts';

/** Milliseconds within which every operation must end. */
const PATIENCE = 60_000;
const FINAL = ['Succeeded', 'Failed', 'Canceled'];
const AT_ONCE = 16;

/** An operation as its status resource shows it. */
export interface Operation extends Body {
  readonly status: string;
  readonly kind: string;
  readonly progress: { readonly done: number; readonly total?: number; readonly failed: number };
  readonly error?: { readonly type: string; readonly detail: string };
}

/** The effect of a request: it had its effect, it had none, or that is unknown. */
export type Fate = 'done' | 'not' | 'unknown';

/** The view of the clients on the service after every operation has ended. */
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

  /** All items of a list. */
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

  /** The items of a collection whose name has this prefix. */
  async named(collection: string, prefix: string): Promise<Body[]> {
    const all = await this.all(`/${collection}?limit=1000`);
    return all.filter(({ name }) => String(name).startsWith(prefix));
  }

  /** The number of changes of each item, by its entity tag: 0 if it is unchanged, undefined if it is gone. */
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

  /** The operation that runs the request. */
  operationOf({ operation, request }: CrashedRequest): Operation | undefined {
    if (operation === undefined) return undefined;
    const found = this.#operations.get(operation);
    if (!found) throw new Error(`${operation} of ${request} is gone`);
    return found;
  }

  fate(deed: CrashedRequest): Fate {
    const operation = this.operationOf(deed);
    if (operation) return operation.status === 'Succeeded' ? 'done' : 'not';
    if (!deed.answer || deed.answer.status === 503) return 'unknown';
    return deed.answer.status < 300 ? 'done' : 'not';
  }

  /**
   * The number of items that a bulk request changed, or undefined if it is unknown. `count`: items in the request.
   */
  amount(deed: CrashedRequest, count: number): number | undefined {
    const operation = this.operationOf(deed);
    if (operation) return operation.progress.done;
    const fate = this.fate(deed);
    return fate === 'unknown' ? undefined : fate === 'done' ? count : 0;
  }

  /** Checks that every failure had a cause. */
  expectReasons(deeds: readonly CrashedRequest[]): void {
    const failed = deeds.flatMap((deed) => {
      const { status, error } = this.operationOf(deed) ?? {};
      if (status !== 'Failed' || !error) return [];
      const name = error.type.split('/').at(-1) ?? '';
      return deed.mayFail.includes(name) ? [] : [{ request: deed.request, operation: deed.operation, error }];
    });
    expect(failed).toEqual([]);
  }
}
