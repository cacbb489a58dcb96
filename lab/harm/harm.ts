import { Client as Agent, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Answer, Client, SentRequest } from '../../test/support/client/client.ts';
import { clientAs, closedAlone } from '../../test/support/service/closed.ts';
import { differencesOf, exported } from './export.ts';

const RESOURCES = ['members', 'customers', 'products', 'orders', 'files'];
const SCOPES = RESOURCES.flatMap((name) => [`${name}:read`, `${name}:write`]).join(' ');
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
    await new Harm(agent, tools, randomOf(1000 + seed)).act(calls, [...before.keys()]);
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

/** Makes items in several states, with bytes and references. */
async function fill(send: Client, random: Random): Promise<void> {
  const made = async (path: string, json: object) => {
    const { status, headers, text } = await send('POST', path, { json });
    if (status !== 201) throw new Error(`POST ${path} got ${status}: ${text}`);
    return String(headers.location);
  };
  for (let at = 0; at < 12; at += 1) {
    const member = await made('/members', {
      username: `user${at}`,
      name: `Name ${at}`,
      age: random(90),
      more: [at],
    });
    if (at % 3 === 0) await send('PUT', `${member}/photo`, picture(at));
    const product = await made('/products', {
      name: `Product ${at}`,
      sku: `SKU-${at}`,
      price: 1 + random(50),
    });
    if (at % 3 === 0) await send('PUT', `${product}/productImage`, picture(at));
    const customer = await made('/customers', { name: `Customer ${at}`, email: `c${at}@example.org` });
    const productId = Number(product.split('/').at(-1));
    for (let order = 0; order < 3; order += 1) {
      const path = await made(`${customer}/orders`, { productId, quantity: 1 + random(9) });
      for (const step of ['pay', 'place', 'complete'].slice(0, random(4)))
        await send('POST', `${path}/${step}`);
    }
    await send('PUT', `/files/file-${at}.txt`, {
      body: `File ${at}`,
      headers: { 'Content-Type': 'text/plain' },
    });
  }
}

const picture = (at: number): SentRequest => ({
  body: Buffer.concat([PNG, Buffer.from([at])]),
  headers: { 'Content-Type': 'image/png' },
});

/** An agent that acts at random. It loses a third of its answers, and sends these calls again. */
class Harm {
  readonly #send: Client;
  readonly #tools: Agent;
  readonly #random: Random;
  #paths: string[] = [];

  constructor(send: Client, tools: Agent, random: Random) {
    this.#send = send;
    this.#tools = tools;
    this.#random = random;
  }

  /** Acts so many times. `paths`: the items that exist. Two collections go as a whole. */
  async act(calls: number, paths: readonly string[]): Promise<void> {
    this.#paths = [...paths];
    const whole = new Map([
      [Math.floor(calls * 0.5), `${this.#pick('/customers')}/orders`],
      [Math.floor(calls * 0.8), '/customers'],
    ]);
    for (let at = 0; at < calls; at += 1) {
      const collection = whole.get(at);
      const call = collection === undefined ? this.#call(at) : () => this.#send('DELETE', collection);
      // A lost answer: the caller knows nothing of it, and repeats the call.
      if (this.#random(3) === 0) await call();
      const made = await call();
      if (made?.status === 202) await ended(this.#send, String(made.headers.location));
      if (made?.status === 201) this.#paths.push(String(made.headers.location));
    }
  }

  /** Returns a path at random, below a collection if one is given. */
  #pick(collection?: string): string {
    const some =
      collection === undefined ? this.#paths : this.#paths.filter((one) => one.startsWith(`${collection}/`));
    return some[this.#random(some.length)] ?? `${collection}/1`;
  }

  /** Returns a call that can be repeated: it has the same key and the same entity tag each time. */
  #call(at: number): () => Promise<Answer | undefined> {
    const calls = [
      () =>
        this.#http('POST', '/customers', { json: { name: `New ${at}`, email: `n${at}@example.org` } }, at),
      () => this.#http('POST', '/customers', { json: [{ name: `One ${at}` }, { name: `Two ${at}` }] }, at),
      () =>
        this.#http(
          'POST',
          `${this.#pick('/customers')}/orders`,
          { json: { orderValue: at + 1, productId: 7 } },
          at,
        ),
      () => this.#change(at),
      () => this.#change(at),
      () => this.#http('DELETE', this.#pick()),
      () =>
        this.#http(
          'POST',
          `${this.#pick('/orders')}/${['pay', 'place', 'complete', 'cancel'][this.#random(4)]}`,
        ),
      () => this.#http('PUT', `${this.#pick('/members')}/photo`, picture(at)),
      () => this.#http('DELETE', `${this.#pick('/products')}/productImage`),
      () =>
        this.#http('PUT', this.#random(2) ? this.#pick('/files') : `/files/new-${at}.txt`, {
          body: `Other ${at}`,
          headers: { 'Content-Type': 'text/plain' },
        }),
      () => this.#http('PUT', this.#pick('/products'), { json: { name: `Put ${at}` } }),
      () => this.#tool('create', { resource: 'members', item: { username: `agent${at}` }, once: `k${at}` }),
      () => this.#changeByTool(at),
      () => this.#changeByTool(at),
      () => this.#actByTool(),
      () => this.#removeByTool(),
    ];
    return calls[this.#random(calls.length)] ?? (() => Promise.resolve(undefined));
  }

  #http(method: string, path: string, sent: SentRequest = {}, key?: number): Promise<Answer> {
    const once = key === undefined ? {} : { 'Idempotency-Key': `"${key}"` };
    return this.#send(method, path, { ...sent, headers: { ...sent.headers, ...once } });
  }

  #change(at: number): Promise<Answer> {
    const path = this.#pick(['/members', '/customers', '/products', '/orders'][this.#random(4)]);
    const values = { name: `Changed ${at}`, note: at % 2 ? at : null, email: null, quantity: 1 + (at % 9) };
    return this.#http('PATCH', path, { body: JSON.stringify(values), headers: MERGE_PATCH });
  }

  async #tool(name: string, given: Record<string, unknown>): Promise<undefined> {
    await this.#tools.callTool({ name, arguments: given });
  }

  /** Reads an item by a tool: its entity tag, and what names it. */
  async #read(resource: string) {
    const id = Number(this.#pick(`/${resource}`).split('/').at(-1));
    const { structuredContent } = await this.#tools.callTool({ name: 'read', arguments: { resource, id } });
    const { etag } = (structuredContent ?? {}) as { etag?: string };
    return { resource, id, etag: etag ?? '"0"' };
  }

  async #changeByTool(at: number): Promise<undefined> {
    const one = await this.#read(['members', 'customers', 'products'][this.#random(3)] ?? 'members');
    await this.#tool('change', { ...one, patch: { name: `By a tool ${at}`, age: null, price: 3 } });
  }

  async #actByTool(): Promise<undefined> {
    await this.#tool('act', { ...(await this.#read('orders')), action: ['pay', 'cancel'][this.#random(2)] });
  }

  async #removeByTool(): Promise<undefined> {
    const { etag: _, ...one } = await this.#read(
      ['members', 'products', 'orders'][this.#random(3)] ?? 'members',
    );
    const { structuredContent } = await this.#tools.callTool({ name: 'remove', arguments: one });
    const { confirm } = (structuredContent ?? {}) as { confirm?: string };
    if (confirm !== undefined) await this.#tool('remove', { ...one, confirm });
  }
}
