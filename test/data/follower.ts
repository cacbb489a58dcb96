import { expect } from '@jest/globals';
import type { Client } from '../support/client/client.ts';

type Names = ReadonlyMap<string, unknown>;

/** The names of the first 1,000 items of a collection by their paths. */
export async function namesOf(send: Client, resource: string): Promise<Names> {
  const { items } = (await send('GET', `/${resource}?limit=1000`)).json();
  return new Map(items.map(({ id, name }) => [`/${resource}/${id}`, name]));
}

/** A client that keeps the names of all items of a collection by the list of changes. After 410 it reads them anew. */
export class Follower {
  names: Map<string, unknown> = new Map();
  /** How often it got 410. */
  gone = 0;
  /** The `sequence` of each change by its subject. */
  readonly sequences = new Map<string, number[]>();
  readonly #resource: string;
  #next = '';

  constructor(resource: string) {
    this.#resource = resource;
  }

  async begin(send: Client): Promise<this> {
    this.#next = `/changes?resource=${this.#resource}&since=${new Date().toISOString()}`;
    await this.#read(send);
    return this.follow(send);
  }

  async #read(send: Client): Promise<void> {
    this.names = new Map(await namesOf(send, this.#resource));
  }

  /** Follows the list to its present end. */
  async follow(send: Client): Promise<this> {
    for (;;) {
      const page = await send('GET', this.#next);
      const { items = [], links } = page.json();
      if (page.status === 410) {
        this.gone += 1;
        await this.#read(send);
      } else expect(page.status).toBe(200);
      for (const { type, subject, sequence, data } of items) {
        const path = String(subject);
        this.sequences.set(path, [...(this.sequences.get(path) ?? []), Number(sequence)]);
        if (String(type).endsWith('.removed')) this.names.delete(path);
        else this.names.set(path, (data as { readonly name?: string }).name);
      }
      const rel = page.status === 410 ? 'changes' : 'next';
      this.#next = links.find((one) => one.rel === rel)?.href ?? '';
      if (page.status === 200 && items.length === 0) return this;
    }
  }
}
