import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { type Answer, clientOf, type SentRequest } from '../../../test/support/client/client.ts';
import type { Adapter, Kind, Values } from './adapter.ts';
import { must, NotOffered, ok, present } from './verdict.ts';

/** An item that the suite has created. */
export interface Item {
  readonly kind: Kind;
  readonly path: string;
  readonly sent: Values;
  /** The response to its creation. */
  readonly created: Answer;
}

export type Operation = { readonly op: string; readonly [name: string]: unknown };

/** A text that no other item has. */
export const unique = (): string => `u${randomBytes(6).toString('hex')}`;

/** Valid values of a new item. */
export function sample(kind: Kind): Values {
  switch (kind) {
    case 'members':
      return { username: unique(), name: 'Ada Byron', email: 'ada@example.org', age: 36 };
    case 'customers':
      return {
        name: `Acme ${unique()}`,
        email: 'a@example.org',
        address: { street: 'Main 1', city: 'Cork' },
      };
    case 'orders':
      return { productId: 7, quantity: 2, orderValue: 19.5 };
    case 'products':
      return { name: 'Anchor bell', category: 'tools', price: 9.5, sku: unique(), tags: ['a', 'b'] };
  }
}

/** The requests of the suite, in the words of one API. A request without `Accept` of its own accepts JSON. */
export class Api {
  readonly url: string;
  /** The path of `url` without a slash at its end: empty, or such as `/v1`. */
  readonly base: string;
  readonly adapter: Adapter;
  readonly #client;
  readonly #crash: (() => Promise<void>) | undefined;

  /** `crash` ends the process of the API by SIGKILL and starts it again at the same address. */
  constructor(url: string, adapter: Adapter, crash?: () => Promise<void>) {
    this.url = url.replace(/\/$/, '');
    this.base = new URL(this.url).pathname.replace(/\/$/, '');
    this.adapter = adapter;
    this.#client = clientOf(this.url);
    this.#crash = crash;
  }

  crash(): Promise<void> {
    return present(this.#crash, 'process that the suite can end')();
  }

  /** Sends a request. A path of the response, such as `Location`, can be a whole URL, and begins with the base path. */
  ask(method: string, target: string, { headers, ...rest }: SentRequest = {}): Promise<Answer> {
    const [whole = '', query] = target.replace(/^https?:\/\/[^/]+/, '').split(/\?(.*)/s);
    const path = whole.startsWith(`${this.base}/`) ? whole.slice(this.base.length) : whole;
    const joined = query === undefined ? '' : `?${this.adapter.joined?.(query) ?? query}`;
    return this.#client(method, path + joined, {
      ...rest,
      headers: { Accept: 'application/json', ...this.adapter.headers, ...headers },
    });
  }

  /** Sends a request that must succeed. @throws NotOffered, Unmet */
  async send(method: string, path: string, sent?: SentRequest): Promise<Answer> {
    return ok(await this.ask(method, path, sent));
  }

  get(path: string, headers?: OutgoingHttpHeaders): Promise<Answer> {
    return this.ask('GET', path, { headers: headers ?? {} });
  }

  collection(kind: Kind): string {
    return this.adapter.collection(kind);
  }

  /** What a client sends to give an item these values. */
  body(values: unknown): unknown {
    const { wrap } = this.adapter;
    return wrap === undefined ? values : { [wrap]: values };
  }

  /** Sends a new item, with any outcome. */
  post(kind: Kind, values: unknown = sample(kind), headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.ask('POST', this.collection(kind), { json: this.body(values), headers });
  }

  /** Creates an item. @throws NotOffered, Unmet */
  async make(kind: Kind, more: Values = {}, headers: OutgoingHttpHeaders = {}): Promise<Item> {
    const sent = { ...sample(kind), ...more };
    const created = ok(await this.post(kind, sent, headers), 200, 201);
    return { kind, sent, created, path: this.pathOf(kind, created) };
  }

  pathOf(kind: Kind, created: Answer): string {
    const { location } = created.headers;
    if (location) return location;
    return this.itemPath(kind, this.idIn(kind, this.unwrap(created)));
  }

  itemPath(kind: Kind, id: string): string {
    return this.adapter.item?.(kind, id) ?? `${this.collection(kind)}/${id}`;
  }

  idIn(kind: Kind, values: Values): string {
    return String(values[this.adapter.id?.(kind) ?? 'id']);
  }

  /** The values in a response with one item. */
  unwrap(answer: Answer): Values {
    const { wrap } = this.adapter;
    const document: Values = JSON.parse(answer.text);
    const inside = wrap === undefined ? document : document[wrap];
    return { ...(typeof inside === 'object' ? inside : {}) };
  }

  /** The present values of an item. @throws Unmet if it is gone */
  async values({ path }: { readonly path: string }): Promise<Values> {
    return this.unwrap(ok(await this.get(path), 200));
  }

  /** @throws NotOffered if an item that exists gets 404 */
  async put({ path }: Item, values: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const answer = await this.ask('PUT', path, { json: this.body(values), headers });
    if (answer.status === 404 && (await this.get(path)).status === 200) throw new NotOffered('no PUT');
    return answer;
  }

  /** A PATCH with the changed properties. */
  merge({ path }: Item, values: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const type = this.adapter.partial ?? 'application/merge-patch+json';
    return this.ask('PATCH', path, {
      json: this.body(values),
      headers: { 'Content-Type': type, ...headers },
    });
  }

  /** A PATCH with these operations. Pointers begin at the values of the item. */
  patch(
    { path }: Item,
    operations: readonly Operation[],
    headers: OutgoingHttpHeaders = {},
  ): Promise<Answer> {
    const { wrap } = this.adapter;
    const inside = (pointer: unknown) =>
      wrap && typeof pointer === 'string' && /^(?:\/|$)/.test(pointer) ? `/${wrap}${pointer}` : pointer;
    const json = operations.map((one) => ({
      ...one,
      ...('path' in one ? { path: inside(one.path) } : {}),
      ...('from' in one ? { from: inside(one.from) } : {}),
    }));
    const type = { 'Content-Type': 'application/json-patch+json' };
    return this.ask('PATCH', path, { json, headers: { ...type, ...headers } });
  }

  remove({ path }: Item, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.ask('DELETE', path, { headers });
  }

  /** The present entity tag. @throws NotOffered if the response has no ETag */
  async tag({ path }: { readonly path: string }): Promise<string> {
    return present(ok(await this.get(path), 200).headers.etag, 'ETag');
  }

  itemsIn(answer: Answer, kind: Kind): readonly Values[] {
    const found = this.adapter.items(JSON.parse(answer.text), kind);
    must(Array.isArray(found), 'the response is not a list');
    return found;
  }

  async list(kind: Kind, query = ''): Promise<readonly Values[]> {
    return this.itemsIn(ok(await this.get(`${this.collection(kind)}?${query}`), 200), kind);
  }

  /** Stores a file, and returns its path. @throws NotOffered */
  async file(bytes: Buffer | string, type = 'application/octet-stream', name = unique()): Promise<string> {
    return present(this.adapter.files, 'files').store(this, name, Buffer.from(bytes), type);
  }
}
