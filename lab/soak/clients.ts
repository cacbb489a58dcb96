import { createHash, randomUUID } from 'node:crypto';
import type { Answer, Client } from '../../test/support/client/client.ts';
import { FINAL } from './audit.ts';
import type { Ledger } from './ledger.ts';

/** One client: how it sends requests, and where it records acknowledged writes. */
export interface Worker {
  readonly send: Client;
  readonly ledger: Ledger;
  /** A number from 0 to 1. */
  readonly next: () => number;
}

/** Makes a turn of a client: a few requests one after the other. */
export type Kind = (worker: Worker) => () => Promise<void>;

const MERGE = 'application/merge-patch+json';
/** The header with which a repeated request has its effect once. */
export const once = () => ({ 'Idempotency-Key': `"${randomUUID()}"` });

/** Returns an answer. @throws Error if it has another status */
export function demand(answer: Answer, ...statuses: readonly number[]): Answer {
  if (!statuses.includes(answer.status)) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}

/** Returns the path of a new item. A redirect to its page has a query. */
export const locationOf = (answer: Answer): string =>
  String(demand(answer, 201, 303).headers.location).replace(/\?.*/, '');

/** Creates a member, changes it under its version, and removes some of them. */
const items: Kind = (worker) => async () => {
  const { send, ledger, next } = worker;
  const name = `soak ${randomUUID()}`;
  const path = locationOf(await send('POST', '/members', { json: { name, age: 1 }, headers: once() }));
  ledger.record(path, { name, age: 1 });
  const { headers } = demand(await send('GET', path), 200);
  const patch = { 'Content-Type': MERGE, 'If-Match': headers.etag, ...once() };
  demand(await send('PATCH', path, { json: { age: 2 }, headers: patch }), 200);
  ledger.record(path, { name, age: 2 });
  if (next() < 0.3) {
    demand(await send('DELETE', path), 204, 404);
    ledger.record(path, 'removed');
  } else if (next() < 0.5) {
    demand(await send('PUT', path, { json: { name } }), 200);
    ledger.record(path, { name, age: null });
  }
};

/** Removes a member, and restores it by its first version. */
const restorations: Kind =
  ({ send, ledger }) =>
  async () => {
    const name = `soak ${randomUUID()}`;
    const path = locationOf(await send('POST', '/members', { json: { name, age: 1 }, headers: once() }));
    ledger.record(path, { name, age: 1 });
    demand(await send('DELETE', path), 204, 404);
    ledger.record(path, 'removed');
    demand(await send('POST', `${path}/versions/1/restore`, { headers: once() }), 201);
    ledger.record(path, { name, age: 1 });
  };

/** Creates several customers by one request. */
const bulk: Kind =
  ({ send, ledger }) =>
  async () => {
    const json = Array.from({ length: 10 }, () => ({ name: `soak ${randomUUID()}` }));
    const answer = demand(await send('POST', '/customers', { json, headers: once() }), 201);
    for (const { id, name } of answer.json().items) ledger.record(`/customers/${id}`, { name: String(name) });
  };

/** Orders a product, and pays by an operation that a worker runs. */
const orders: Kind = ({ send, ledger }) => {
  let customer: string | undefined;
  let productId: number | undefined;
  return async () => {
    if (customer === undefined || productId === undefined) {
      const name = `soak ${randomUUID()}`;
      customer = locationOf(await send('POST', '/customers', { json: { name }, headers: once() }));
      ledger.record(customer, { name });
      const product = await send('POST', '/products', { json: { name, price: 2 }, headers: once() });
      productId = demand(product, 201).json().id;
      ledger.record(locationOf(product), { name });
    }
    const json = { productId, quantity: 2 };
    const path = locationOf(await send('POST', `${customer}/orders`, { json, headers: once() }));
    ledger.record(path, { status: 'created' });
    const headers = { Prefer: 'respond-async', ...once() };
    const paid = demand(await send('POST', `${path}/pay`, { json: {}, headers }), 202);
    const operation = String(paid.headers.location);
    for (let state = ''; state !== 'Succeeded'; ) {
      const answer = demand(await send('GET', operation, { headers: { Prefer: 'wait=10' } }), 200);
      state = String(answer.json().status);
      if (state !== 'Succeeded' && FINAL.includes(state)) throw new Error(`${operation}: ${answer.text}`);
    }
    ledger.record(path, { status: 'paid' });
  };
};

/** Stores a file, replaces it, and removes some of them. */
const files: Kind =
  ({ send, ledger, next }) =>
  async () => {
    const path = `/files/soak-${randomUUID()}.bin`;
    for (let turn = 0; turn < 2; turn += 1) {
      const body = Buffer.from(`${randomUUID()} `.repeat(1 + Math.floor(next() * 2000)));
      const digest = createHash('sha256').update(body).digest('base64');
      const headers = { 'Content-Type': 'application/octet-stream' };
      demand(await send('PUT', path, { body, headers }), 200, 201, 204);
      ledger.record(path, { digest: `sha-256=:${digest}:` });
    }
    if (next() < 0.3) {
      demand(await send('DELETE', path), 204, 404);
      ledger.record(path, 'removed');
    }
  };

/** Opens pages and sends a form, as a browser without script does. */
const pages: Kind =
  ({ send, ledger }) =>
  async () => {
    const headers = { Accept: 'text/html' };
    demand(await send('GET', '/members', { headers }), 200);
    const { text } = demand(await send('GET', '/members/new', { headers }), 200);
    const name = `soak ${randomUUID()}`;
    const form = new URLSearchParams({ name });
    for (const [, key = '', value = ''] of text.matchAll(
      /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
    ))
      form.set(key, value);
    const typed = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
    ledger.record(locationOf(await send('POST', '/members', { body: form.toString(), headers: typed })), {
      name,
    });
  };

/** Reads some pages of a list in an order. */
const readers: Kind =
  ({ send, next }) =>
  async () => {
    const sort = next() < 0.5 ? 'name' : '-id';
    let path: string | undefined = `/members?limit=50&sort=${sort}`;
    for (let page = 0; path !== undefined && page < 3; page += 1) {
      const { links } = demand(await send('GET', path), 200).json();
      path = links.find(({ rel }) => rel === 'next')?.href;
    }
  };

/** Follows the changes of members. @throws Error for a change of an item that comes twice, or out of order */
const followers: Kind = ({ send }) => {
  const versions = new Map<string, number>();
  let path = '/changes?resource=members';
  return async () => {
    const { items: changes, links } = demand(
      await send('GET', path, { headers: { Prefer: 'wait=2' } }),
      200,
    ).json();
    for (const { subject, sequence } of changes) {
      const version = Number(sequence);
      const before = versions.get(String(subject)) ?? 0;
      if (version !== before + 1) throw new Error(`${subject}: version ${version} follows version ${before}`);
      versions.set(String(subject), version);
    }
    path = String(links.find(({ rel }) => rel === 'next')?.href);
  };
};

/** The kinds of clients, and how many clients of each kind work at the same time: 21 together. */
export const CLIENTS: readonly (readonly [name: string, kind: Kind, count: number])[] = [
  ['items', items, 5],
  ['restorations', restorations, 1],
  ['bulk', bulk, 2],
  ['orders', orders, 3],
  ['files', files, 3],
  ['pages', pages, 2],
  ['readers', readers, 3],
  ['followers', followers, 2],
];
