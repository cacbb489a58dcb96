import { Client as Agent, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Answer, Client, SentRequest } from '../../test/support/client/client.ts';
import { clientAs, closedAlone } from '../../test/support/service/closed.ts';
import { differencesOf, exported } from './export.ts';

const RESOURCES = ['members', 'customers', 'products', 'orders', 'files'];
const SCOPES = RESOURCES.flatMap((name) => [`${name}:read`, `${name}:write`]).join(' ');
const JSON_ONLY = { Accept: 'application/json' };
const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What an agent did to a service, and what one undo brought back. */
interface Harmed {
  /** The items and files before the harm, and how many of them are equal after the undo. */
  readonly items: number;
  readonly back: number;
  /** How many of them the agent had changed or removed. */
  readonly changed: number;
  /** The calls that the service has done, by what they are. */
  readonly done: ReadonlyMap<string, number>;
  readonly differences: readonly string[];
}

/** Fills a service as one caller, harms it as another one, and undoes the harm. `calls`: those of the harm. */
export async function harm(seed: number, calls: number): Promise<Harmed> {
  const service = await closedAlone();
  try {
    const shop = await clientAs(service, 'bob', `${SCOPES} audit:read`);
    await fill(shop, randomOf(seed));
    const before = await exported(shop);
    const agent = await clientAs(service, 'ada', `${SCOPES} changes:undo operations:read`);
    const token = await service.issue('ada', `${SCOPES} changes:undo`);
    const tools = new Agent({ name: 'harm', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await tools.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    await later(5);
    const since = new Date().toISOString();
    const acting = new Harm(agent, tools, randomOf(1000 + seed), before.keys());
    await acting.act(calls);
    const harmed = await exported(shop);
    const changed = [...before].filter(([path, state]) => harmed.get(path) !== state).length;
    const operation = await ended(
      agent,
      await (seed % 2 === 0 ? undoneBy(tools, since) : undone(agent, since)),
    );
    const after = await exported(shop);
    const back = [...before].filter(([path, state]) => after.get(path) === state).length;
    const differences = differencesOf(before, after);
    return {
      items: before.size,
      back,
      changed,
      done: acting.done,
      differences: differences.length > 0 ? [operation.text, ...differences] : [],
    };
  } finally {
    await service.stop();
  }
}

const later = (ms: number) => new Promise((passed) => setTimeout(passed, ms));

/** Begins an undo by HTTP. Returns the path of its operation. */
async function undone(send: Client, since: string): Promise<string> {
  const { status, headers, text } = await send('POST', '/changes/undo', { json: { since } });
  if (status !== 202) throw new Error(`The undo got ${status}: ${text}`);
  return String(headers.location);
}

/** Begins an undo by the tool, which shows the plan first. Returns the path of its operation. */
async function undoneBy(tools: Agent, since: string): Promise<string> {
  const call = async (given: Record<string, unknown>) =>
    (await tools.callTool({ name: 'undo', arguments: given })).structuredContent as {
      readonly confirm?: string;
      readonly location?: string;
    };
  const { confirm } = await call({ since });
  const { location } = await call({ since, confirm });
  if (location === undefined) throw new Error('The tool began no undo');
  return location;
}

/** Waits for the end of an operation. */
async function ended(send: Client, path: string): Promise<Answer> {
  for (;;) {
    const answer = await send('GET', path, { headers: { Prefer: 'wait=10' } });
    if (
      answer.status === 200 &&
      !['NotStarted', 'Running', 'Canceling'].includes(String(answer.json().status))
    )
      return answer;
    await later(50);
  }
}

type Random = (below: number) => number;

/** Returns whole numbers below another one: the same ones for each seed. Source: Mulberry32 by Tommy Ettinger. */
function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Makes items in several states, with bytes and references. @throws Error if the service refuses one */
async function fill(send: Client, random: Random): Promise<void> {
  const done = async (method: string, path: string, sent: SentRequest = {}) => {
    const { status, headers, text } = await send(method, path, sent);
    if (status >= 300) throw new Error(`${method} ${path} got ${status}: ${text}`);
    return String(headers.location);
  };
  const made = (path: string, json: object) => done('POST', path, { json });
  for (let at = 0; at < 12; at += 1) {
    const person = { username: `user${at}`, name: `Name ${at}`, age: random(90), more: [at] };
    const member = await made('/members', person);
    if (at % 3 > 0) await done('PUT', `${member}/photo`, picture(at));
    const named = { name: `Product ${at}`, sku: `SKU-${at}`, price: 1 + random(50) };
    const product = await made('/products', named);
    if (at % 3 > 0) await done('PUT', `${product}/productImage`, picture(at));
    const customer = await made('/customers', { name: `Customer ${at}`, email: `c${at}@example.org` });
    const productId = Number(product.split('/').at(-1));
    for (let order = 0; order < 3; order += 1) {
      const path = await made(`${customer}/orders`, { productId, quantity: 1 + random(9) });
      for (const step of ['pay', 'place', 'complete'].slice(0, (at + order) % 4))
        await done('POST', `${path}/${step}`);
      if ((at + order) % 5 === 4 && (at + order) % 4 < 3) await done('POST', `${path}/cancel`);
    }
    const headers = { 'Content-Type': 'text/plain' };
    await done('PUT', `/files/file-${at}.txt`, { body: `File ${at}`, headers });
  }
}

const picture = (at: number): SentRequest => ({
  body: Buffer.concat([PNG, Buffer.from([at])]),
  headers: { 'Content-Type': 'image/png' },
});

/** A call that can be repeated: the same target, the same key and the same entity tag each time. */
type Call = () => Promise<Answer | undefined>;

/** An agent that acts at random. It loses a third of its answers, and sends these calls again. */
class Harm {
  /** The calls that the service has done, by what they are. */
  readonly done = new Map<string, number>();
  readonly #send: Client;
  readonly #tools: Agent;
  readonly #random: Random;
  /** The items and files that exist, as far as the agent knows, and those that it has removed. */
  readonly #paths: Set<string>;
  readonly #removed: string[] = [];

  constructor(send: Client, tools: Agent, random: Random, paths: Iterable<string>) {
    this.#send = send;
    this.#tools = tools;
    this.#random = random;
    this.#paths = new Set(paths);
  }

  /** Acts so many times. Two collections go as a whole, and in the end products exchange their unique values. */
  async act(calls: number): Promise<void> {
    for (let at = 0; at < calls; at += 1) {
      const call =
        at === Math.floor(calls * 0.4)
          ? this.#http('DELETE', `/customers/${await this.#customerWithOrders()}/orders`)
          : at === Math.floor(calls * 0.8)
            ? this.#http('DELETE', '/customers')
            : at === Math.floor(calls * 0.95)
              ? await this.#exchange(at)
              : await this.#chosen(at);
      // A lost answer: the caller knows nothing of it, and repeats the call, sometimes before the first one has ended.
      const lost = this.#random(3) === 0 ? call() : undefined;
      if (this.#random(2) === 0) await lost;
      const made = await call();
      await lost;
      if (made?.status === 202) await ended(this.#send, String(made.headers.location));
    }
  }

  /** @throws Error if no customer has an order */
  async #customerWithOrders() {
    const { items } = (await this.#send('GET', '/orders?limit=1000', { headers: JSON_ONLY })).json();
    const all = items.flatMap(({ customerId }) => customerId ?? []);
    if (all.length === 0) throw new Error('No customer has an order');
    return all[this.#random(all.length)];
  }

  /** Returns the path of an item at random. */
  #pick(...collections: readonly string[]): string {
    const some = [...this.#paths].filter(
      (path) => collections.length === 0 || collections.some((one) => path.startsWith(`/${one}/`)),
    );
    return some[this.#random(some.length)] ?? `/${collections[0]}/1`;
  }

  #one<Element>(...elements: readonly [Element, ...Element[]]): Element {
    return elements[this.#random(elements.length)] ?? elements[0];
  }

  /** Chooses a call and its target. */
  async #chosen(at: number): Promise<Call> {
    const text = { body: `Other ${at}`, headers: { 'Content-Type': 'text/plain' } };
    const order = { productId: Number(this.#pick('products').split('/').at(-1)), quantity: 1 + (at % 3) };
    const sku = `SKU-${this.#random(12)}`;
    const calls: readonly [() => Call | Promise<Call>, ...(() => Call | Promise<Call>)[]] = [
      () =>
        this.#http('POST', '/customers', { json: { name: `New ${at}`, email: `n${at}@example.org` } }, at),
      () => this.#http('POST', '/customers', { json: [{ name: `One ${at}` }, { name: `Two ${at}` }] }, at),
      () => this.#bulk(at),
      () => this.#http('POST', `${this.#pick('customers')}/orders`, { json: order }, at),
      () => this.#http('POST', '/products', { json: { name: `New ${at}`, sku, price: 2 } }, at),
      () => this.#change(at),
      () => this.#change(at),
      () => this.#http('PATCH', this.#pick('products'), merged({ sku })),
      () => this.#exchange(at),
      () => this.#http('DELETE', this.#pick()),
      () => this.#http('POST', `${this.#pick('orders')}/${this.#one('pay', 'place', 'complete', 'cancel')}`),
      () => this.#http('PUT', `${this.#pick('members')}/photo`, picture(at)),
      () => this.#http('PUT', `${this.#pick('products')}/productImage`, picture(at)),
      () => this.#http('DELETE', `${this.#pick('products')}/productImage`),
      () => this.#http('PUT', this.#one(this.#pick('files'), `/files/new-${at}.txt`), text),
      () => this.#http('DELETE', this.#pick('files')),
      () => this.#http('PUT', this.#pick('products'), { json: { name: `Put ${at}` } }),
      () => this.#restore(),
      () => this.#tool('create', { resource: 'members', item: { username: `agent${at}` }, once: `k${at}` }),
      () => this.#tool('create', { resource: 'orders', item: order, once: `k${at}` }),
      () => this.#changeByTool(at),
      () => this.#changeByTool(at),
      () => this.#actByTool(),
      () => this.#removeByTool(),
    ];
    return this.#one(...calls)();
  }

  /** Notes what the service has done. */
  #note(kind: string, isDone: boolean): void {
    if (isDone) this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
  }

  #http(method: string, path: string, sent: SentRequest = {}, key?: number): Call {
    const once = key === undefined ? {} : { 'Idempotency-Key': `"${key}"` };
    return async () => {
      const answer = await this.#send(method, path, { ...sent, headers: { ...sent.headers, ...once } });
      const { status, headers } = answer;
      // A lost call has often had its effect, so the repeated one may be refused, but never fail.
      if (status >= 500) throw new Error(`${method} ${path} got ${status}: ${answer.text}`);
      this.#note(`${method} ${path.replace(/[^/]*\d[^/]*/g, '…')}`, status < 300);
      if (method === 'DELETE' && status === 204) this.#forget(path);
      if (status === 201 && ITEM.test(String(headers.location))) this.#paths.add(String(headers.location));
      if (status === 201 && Array.isArray(sent.json))
        for (const { id } of answer.json().items) this.#paths.add(`${path}/${id}`);
      return answer;
    };
  }

  #forget(path: string): void {
    for (const one of [path, ...(path === '/customers' ? this.#paths : [])])
      if (one.startsWith(path) && this.#paths.delete(one)) this.#removed.push(one);
  }

  #change(at: number): Call {
    const path = this.#pick(this.#one('members', 'customers', 'products', 'orders'));
    const own = {
      members: { age: at % 90, email: null, note: at },
      customers: { email: null, note: at % 2 ? at : null },
      products: { price: 1 + (at % 7), color: null, note: { at } },
      orders: { quantity: 1 + (at % 9) },
    };
    const values = Object.entries(own).find(([name]) => path.startsWith(`/${name}/`))?.[1] ?? {};
    const name = path.startsWith('/orders/') ? {} : { name: `Changed ${at}` };
    return this.#http('PATCH', path, merged({ ...name, ...values }));
  }

  /** Replaces several customers, and creates one. */
  #bulk(at: number): Call {
    const paths = [this.#pick('customers'), this.#pick('customers')];
    const ids = [...new Set(paths)].map((path) => Number(path.split('/').at(-1)));
    return this.#http('PUT', '/customers', { json: ids.map((id) => ({ id, name: `Bulk ${at}` })) });
  }

  /** Exchanges the unique values of three products. */
  async #exchange(at: number): Promise<Call> {
    const { items } = (await this.#send('GET', '/products?limit=1000', { headers: JSON_ONLY })).json();
    const all = items.flatMap(({ id, sku }) => (sku === undefined ? [] : [{ path: `/products/${id}`, sku }]));
    const from = this.#random(all.length + 1);
    const chosen = [...all.slice(from), ...all.slice(0, from)].slice(0, 3);
    const [first, last] = [chosen[0], chosen.at(-1)];
    if (!first || !last) return async () => undefined;
    const given = chosen.map(({ path }, place) => ({ path, sku: chosen[place - 1]?.sku ?? `FREE-${at}` }));
    const steps = [...given, { path: first.path, sku: last.sku }].map(({ path, sku }) =>
      this.#http('PATCH', path, merged({ sku })),
    );
    return async () => {
      for (const step of steps) await step();
      return undefined;
    };
  }

  /** Restores a version, also of an item that is removed. */
  #restore(): Call {
    const items = this.#removed.filter((path) => !path.startsWith('/files/'));
    const path = this.#one(items[this.#random(items.length)], undefined) ?? this.#pick('products', 'members');
    return this.#http('POST', `${path}/versions/${1 + this.#random(2)}/restore`);
  }

  #tool(name: string, given: Record<string, unknown>): Call {
    return async () => {
      const { isError, structuredContent } = await this.#tools.callTool({ name, arguments: given });
      const { status } = (structuredContent ?? {}) as { readonly status?: number };
      if (Number(status) >= 500) throw new Error(`${name} got ${JSON.stringify(structuredContent)}`);
      this.#note(`tool ${name}`, isError !== true);
      return undefined;
    };
  }

  /** Reads an item by a tool: its entity tag, and what names it. */
  async #read(...resources: readonly string[]) {
    const [, resource = '', id] = this.#pick(...resources).split('/');
    const given = { resource, id: Number(id) };
    const { structuredContent } = await this.#tools.callTool({ name: 'read', arguments: given });
    const { etag } = (structuredContent ?? {}) as { readonly etag?: string };
    return { ...given, etag: etag ?? '"0"' };
  }

  async #changeByTool(at: number): Promise<Call> {
    const one = await this.#read('members', 'customers', 'products');
    return this.#tool('change', { ...one, patch: { name: `By a tool ${at}`, age: null, price: 3 } });
  }

  async #actByTool(): Promise<Call> {
    return this.#tool('act', { ...(await this.#read('orders')), action: this.#one('pay', 'cancel') });
  }

  async #removeByTool(): Promise<Call> {
    const { etag: _, ...one } = await this.#read('members', 'products', 'orders');
    const { structuredContent } = await this.#tools.callTool({ name: 'remove', arguments: one });
    const { confirm } = (structuredContent ?? {}) as { readonly confirm?: string };
    return this.#tool('remove', confirm === undefined ? one : { ...one, confirm });
  }
}

const ITEM = /^\/(?:members|customers|products|orders|files)\/[^/?]+$/;

const merged = (values: object): SentRequest => ({ body: JSON.stringify(values), headers: MERGE_PATCH });
