import { members } from '../../../functions/members.ts';
import { variables } from '../../../local/provision/provision.ts';
import { registry } from '../../../service/registry.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { DEFAULT_SHARDS } from '../../../shared/aws/config.ts';
import { configureLog } from '../../../shared/aws/log.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { idAt } from '../../cost/measured/seed.ts';
import { eventOf, type SentRequest } from '../../events.ts';
import { handlerOf } from '../../handler.ts';
import { CREDENTIALS, REGION } from '../../real-engines/place.ts';
import { meterUnits } from '../../units.ts';
import { fill } from './fill.ts';
import { type Store, type StoreName, withStores } from './store.ts';

/** A value at the small number of items, and at the large one. */
export type Pair = readonly [small: number, large: number];

/** What one kind of request takes. */
export interface Taken {
  readonly name: string;
  /** Read and write units of one request. */
  readonly units: Pair;
  /** Processor time of a request in µs: the shortest round. */
  readonly microseconds: Pair;
}

/** Two stores of a kind, and the number of items in each. */
export interface Measured {
  readonly store: StoreName;
  readonly items: Pair;
}

export interface Items extends Measured {
  /** Seconds to fill the large store. */
  readonly fillSeconds: number;
  readonly taken: readonly Taken[];
}

/** Rounds, and requests of a round. The kernel counts the time of another process in steps of 10 ms. */
const ROUNDS = { embedded: 14, 'DynamoDB Local': 5 } as const satisfies Record<StoreName, number>;
const REQUESTS = { embedded: 100, 'DynamoDB Local': 200 } as const satisfies Record<StoreName, number>;
/** Items of a page on the way to the middle. */
const STEP = 1000;
const SIZES = ['small', 'large'] as const;

const handler = handlerOf(members);

async function send(sent: SentRequest): Promise<string> {
  const { statusCode, body } = await handler(eventOf(sent));
  if (statusCode >= 300)
    throw new Error(`${statusCode} to ${sent.method ?? 'GET'} ${sent.template}: ${body}`);
  return body;
}

const list = (query: Record<string, string>): SentRequest => ({
  template: `/${members.name}`,
  query: Object.fromEntries(
    Object.entries({ limit: '25', ...query }).map(([name, value]) => [name, [value]]),
  ),
});
const item = (id: number, below = ''): SentRequest => ({
  template: `/${members.name}/{id}${below}`,
  parameters: { id: String(id), version: '1' },
});

/** The query of the page after half of the items. */
async function middle(count: number): Promise<Record<string, string>> {
  let query: Record<string, string> = {};
  const step = Math.min(STEP, count / 4);
  for (let passed = 0; passed < count / 2; passed += step) {
    const { links } = JSON.parse(await send(list({ ...query, limit: String(step) })));
    const next = links.find(({ rel }: { rel: string }) => rel === 'next').href;
    query = Object.fromEntries(new URL(next, 'http://localhost').searchParams);
  }
  return { ...query, limit: '25' };
}

/** Makes requests of each kind. */
type Kinds = Readonly<Record<string, () => SentRequest>>;

/** The kinds of requests for a store with so many items. Each call makes another request of the kind. */
async function kindsOf(count: number): Promise<Kinds> {
  const random = randomNumbers(1);
  const known = () => idAt(Math.floor(random() * count));
  const further = await middle(count);
  const json = { 'Content-Type': 'application/json' };
  let made = 0;
  // Each PUT changes the entry in three indexes, also of an item that an earlier PUT has changed.
  const body = () => JSON.stringify({ username: `ada-${made}`, name: `Ada ${made}`, age: 1000 + made++ });
  return {
    'GET of an item': () => item(known()),
    'GET of the first page of 25': () => list({}),
    'GET of a page in the middle': () => list(further),
    'GET of a page with a filter': () => list({ age: String(Math.floor(random() * 10)) }),
    'GET of an earlier version': () => item(known(), '/versions/{version}'),
    POST: () => ({ ...list({}), query: {}, method: 'POST', headers: json, body: body() }),
    PUT: () => ({ ...item(known()), method: 'PUT', headers: json, body: body() }),
  };
}

/** Fills two stores and measures requests to both, one round after the other. */
export function measure({ store, items }: Measured): Promise<Items> {
  return withStores(store, async ({ requestHandler, use }) => {
    configureClients({ requestHandler, credentials: CREDENTIALS, region: REGION });
    configureLog(() => undefined);
    // Each store has inventories of its own. After the set-up they are the same.
    Object.assign(process.env, { SHARDS: String(DEFAULT_SHARDS), INVENTORY_SECONDS: '0' });
    Object.assign(process.env, variables(registry));
    let units = 0;
    meterUnits(
      () => undefined,
      (_, more) => (units += more),
    );
    let fillSeconds = 0;
    const kinds: Kinds[] = [];
    for (const [at, which] of SIZES.entries()) {
      use(which);
      const start = performance.now();
      await fill(store, items[at] ?? 0);
      fillSeconds = (performance.now() - start) / 1000;
      kinds.push(await kindsOf(items[at] ?? 0));
    }
    process.env.INVENTORY_SECONDS = '86400';
    const taken: Taken[] = [];
    for (const name of Object.keys(kinds[0] ?? {})) {
      const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const each: [number, number] = [0, 0];
      for (let round = 0; round < ROUNDS[store]; round += 1)
        for (const at of [0, 1] as const) {
          units = 0;
          const { time, bodies } = await sendAll(use(SIZES[at]), kinds[at]?.[name], REQUESTS[store]);
          each[at] = units / REQUESTS[store];
          least[at] = Math.min(least[at], time);
          if (name === 'POST') await removeAll(bodies);
        }
      taken.push({ name, units: each, microseconds: least });
    }
    return { store, items, fillSeconds, taken };
  });
}

/** Sends requests of a kind. `time`: µs of processor time of a request. `bodies`: those of the responses. */
async function sendAll(store: Store, make: Kinds[string] | undefined, count: number) {
  const requests = make ? Array.from({ length: count }, make) : [];
  const bodies: string[] = [];
  const before = store.processorTime();
  for (const one of requests) bodies.push(await send(one));
  return { time: (store.processorTime() - before) / count, bodies };
}

async function removeAll(bodies: readonly string[]): Promise<void> {
  for (const body of bodies) await send({ ...item(JSON.parse(body).id), method: 'DELETE' });
}
