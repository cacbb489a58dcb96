import { members } from '../../../functions/members.ts';
import { READS, WRITES } from '../../cost/measured/mix.ts';
import { idAt } from '../../cost/measured/seed.ts';
import type { SentRequest } from '../../events.ts';

/** The share of reads, as in docs/cost.md. */
const READ_SHARE = 0.9;
/** The items that exist before the first request. */
export const ITEMS = 1000;
export const RESOURCE = members.name;
const LISTS = 'GET list, 25 of 1,000';

/** The values of an item. A tenth of the items has the same age. */
export const valuesAt = (at: number) => ({
  name: `Ada ${(at * 7919) % 1_000_003}`,
  username: `ada-${at}`,
  email: `ada-${at}@example.org`,
  age: at % 10,
});

const LIST: SentRequest = { template: `/${RESOURCE}`, query: { limit: ['25'] } };
const item = (id: number): SentRequest => ({ template: `/${RESOURCE}/{id}`, parameters: { id: String(id) } });
const withBody = (
  sent: SentRequest,
  method: string,
  values: object,
  type = 'application/json',
): SentRequest => ({
  ...sent,
  method,
  headers: { 'Content-Type': type },
  body: JSON.stringify(values),
});

/** Makes requests with the shares of lab/cost. Each reads or changes an item by chance, and all items are as popular. */
export class Requests {
  readonly #random: () => number;
  readonly #created: number[] = [];
  readonly #kinds: readonly (readonly [share: number, make: () => SentRequest])[];
  #made = ITEMS;

  /** `lists`: the share of lists in the reads; undefined: that of lab/cost. */
  constructor(random: () => number, lists: number = READS[LISTS]) {
    this.#random = random;
    const one = () => this.#one();
    const make = {
      'GET item': one,
      'GET item, `If-None-Match` (304)': () => ({ ...one(), headers: { 'If-None-Match': '"1.2-json"' } }),
      [LISTS]: () => LIST,
      'POST item': () => withBody(LIST, 'POST', valuesAt(this.#made++)),
      'PATCH item': () =>
        withBody(one(), 'PATCH', { age: Math.floor(random() * 10) }, 'application/merge-patch+json'),
      'PUT item': () => this.put(),
      'DELETE item': () => {
        const id = this.#created.shift();
        return id === undefined ? one() : { ...item(id), method: 'DELETE' };
      },
    } satisfies Readonly<Record<keyof typeof READS | keyof typeof WRITES, () => SentRequest>>;
    const reads: Readonly<Record<string, number>> = READS;
    const writes: Readonly<Record<string, number>> = WRITES;
    const others = (1 - lists) / (1 - READS[LISTS]);
    const shareOf = (name: string): number => {
      if (name === LISTS) return READ_SHARE * lists;
      return READ_SHARE * others * (reads[name] ?? 0) + (1 - READ_SHARE) * (writes[name] ?? 0);
    };
    this.#kinds = Object.entries(make).map(([name, of]) => [shareOf(name), of]);
  }

  next(): SentRequest {
    const place = this.#random();
    let end = 0;
    for (const [share, make] of this.#kinds) {
      end += share;
      if (place < end) return make();
    }
    return LIST;
  }

  /** Replaces an item. */
  put(): SentRequest {
    return withBody(this.#one(), 'PUT', valuesAt(this.#made++));
  }

  #one(): SentRequest {
    return item(idAt(Math.floor(this.#random() * ITEMS)));
  }

  /** Notes a created item, which a DELETE removes later. */
  note(id: number): void {
    this.#created.push(id);
  }
}
