import type { Api, Collection, Item, Link, Operation, Shape, Undo, ViewShape } from './items.ts';
import { Conflict, Problem } from './problem.ts';
import { type Body, type Plan, Planned, type Received, type Send, type Settings, sender } from './send.ts';

export type { Api, Collection, Item, Operation, Plan, Settings, Shape, Undo, ViewShape };
export { Conflict, Problem };

interface AnyShape extends Shape {
  readonly properties: Readonly<Record<string, never>>;
  readonly sent: unknown;
  readonly steps: never;
  readonly actions: Readonly<Record<string, unknown>>;
}
type AnyItem = Item<AnyShape>;

const FINAL = ['Succeeded', 'Failed', 'Canceled'];

/**
 * Makes a typed client of a service. `Shapes`: the types of its resources by their names. `url`: the address of the
 * service.
 */
export function client<Shapes>(url: string, settings: Settings = {}): Api<Shapes> {
  return apiOf(url, settings);
}

/**
 * Returns what the first write of some work would do. The work ends with it: reads happen, and no write does.
 * @throws Problem that the write would get, or with status 0 if the work writes nothing
 */
export async function dryRun<Shapes>(
  work: (api: Api<Shapes>) => Promise<unknown>,
  url: string,
  settings: Settings = {},
): Promise<Plan> {
  try {
    await work(apiOf(url, settings, true));
  } catch (error) {
    if (error instanceof Planned) return error.plan;
    throw error;
  }
  throw new Problem(0, { title: 'The work writes nothing' });
}

function apiOf<Shapes>(url: string, settings: Settings, isDryRun = false): Api<Shapes> {
  // Links are paths from the host on, and begin with the stage.
  const [, host = '', base = ''] = /^(https?:\/\/[^/]*)?(.*?)\/?$/i.exec(url) ?? [];
  const send = sender(host, settings, isDryRun);
  const known = new Map<string, unknown>();
  const collection = (name: string) =>
    known.get(name) ?? known.set(name, collectionOf(send, `${base}/${name}`)).get(name);
  return new Proxy({} as Api<Shapes>, {
    // `await` looks for the property `then`.
    get: (_target, name) => (typeof name === 'string' && name !== 'then' ? collection(name) : undefined),
  });
}

/** Returns the address of a list or a view. An array is a list with commas. */
function addressOf(path: string, query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  return `${path}?${parameters}`;
}

/** The methods of a collection, and those of a view. */
type AnyCollection = Collection<AnyShape> & {
  rows(query?: object): AsyncIterable<Body>;
  one(query?: object): Promise<Body>;
  undo(changes: Undo): Promise<Operation>;
};

function collectionOf(send: Send, path: string): AnyCollection {
  const created = (values: unknown, prefer?: string) =>
    send('POST', path, { json: values, key: crypto.randomUUID(), ...(prefer ? { prefer } : {}) });
  async function* rows(query?: object) {
    let next: string | undefined = addressOf(path, query);
    while (next) {
      const { body }: Received = await send('GET', next);
      yield* body.items ?? [];
      next = body.links?.find(({ rel }) => rel === 'next')?.href;
    }
  }
  return {
    get: async (id) => itemOf(send, await send('GET', `${path}/${encodeURIComponent(id)}`)),
    create: async (values) => itemOf(send, await created(values)),
    act: acting(send, path),
    async *list({ fields, ...query } = {}) {
      // The methods of an item need its links.
      const selected = fields && { fields: [...fields, 'links'] };
      for await (const body of rows({ ...query, ...selected })) yield itemOf(send, { body });
    },
    rows,
    one: async (query) => (await send('GET', addressOf(path, query))).body,
    totals: async (query) => (await send('GET', addressOf(`${path}/totals`, query))).body.items ?? [],
    undo: async (json) =>
      operationOf(send, await send('POST', `${path}/undo`, { json, key: crypto.randomUUID() })),
    import: async (items) => operationOf(send, await created(items, 'respond-async')),
  };
}

/**
 * Returns the object of an item. Its methods are not enumerable, so JSON and copies have the properties alone. A
 * property with the name of a method gives way to it, and `__proto__` is a property like others.
 */
function itemOf(send: Send, { body, etag: given }: Pick<Received, 'body'> & Partial<Received>): AnyItem {
  const { links = [] } = body;
  const self: Partial<Link> = links.find(({ rel }) => rel === 'self') ?? {};
  const { href = '', etag = given } = self;
  const write = async (method: string, json?: unknown, type?: string) => {
    try {
      const match = etag ?? (await tagOf(send, href, body));
      // A repeated PUT or DELETE would meet its own effect. PATCH has a key, so the service replays its answer.
      const key = method === 'PATCH' ? { key: crypto.randomUUID() } : {};
      return await send(method, href, { json, type, match, ...key });
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      const theirs = await send('GET', href);
      throw new Conflict(error, json, itemOf(send, theirs), body);
    }
  };
  const steps = links.filter(
    ({ rel, method, href: to }) => method === 'POST' && to.startsWith(`${href}/${rel}`),
  );
  const act = acting(send, href);
  const methods = {
    id: Number(href.split('/').pop()),
    etag,
    href,
    patch: async (json: unknown) => itemOf(send, await write('PATCH', json, 'application/merge-patch+json')),
    replace: async (json: unknown) => itemOf(send, await write('PUT', json)),
    remove: async () => void (await write('DELETE')),
    actions: Object.fromEntries(steps.map(({ rel }) => [rel, (json?: unknown) => act(rel, json)])),
  };
  const hidden = Object.entries(methods).map(([name, value]) => [
    name,
    { value, enumerable: Object.hasOwn(body, name) },
  ]);
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(body),
    ...Object.fromEntries(hidden),
  });
}

/** Returns what calls the actions below a path. It waits for the end of a long one, which shows no item. */
const acting =
  (send: Send, path: string) =>
  async (name: string, json?: unknown): Promise<AnyItem> => {
    const received = await send('POST', `${path}/${name}`, { json, key: crypto.randomUUID() });
    if (!received.isAccepted) return itemOf(send, received);
    await operationOf(send, received).done();
    return itemOf(send, { body: {} });
  };

/** Returns the entity tag of an item of a list, if nothing has changed it since. @throws Problem with status 412 */
async function tagOf(send: Send, href: string, { updatedAt }: Body): Promise<string | undefined> {
  const { body, etag } = await send('GET', href);
  if (body.updatedAt !== updatedAt) throw new Problem(412, { title: 'The item has changed' });
  return etag;
}

function operationOf(
  send: Send,
  { location: href = '' }: { readonly location?: string | undefined },
): Operation {
  return {
    href,
    async done() {
      for (;;) {
        const { body: now, isRedirected, retryAfter } = await send('GET', href, { prefer: 'wait=10' });
        // The end of an operation that created something redirects to it.
        if (isRedirected) return now;
        if (now.status === 'Succeeded') return now.result;
        if (FINAL.includes(String(now.status)))
          throw new Problem(500, now.error ?? { title: `The operation is ${now.status}` });
        await new Promise((done) => setTimeout(done, 1000 * (retryAfter ?? 1)));
      }
    },
  };
}
