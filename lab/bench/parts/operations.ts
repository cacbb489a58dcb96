import { table } from '../table.ts';
import { metered, type Seen, type Sent, send, worked } from './metered.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LATER = { Prefer: 'respond-async' };
const CUSTOMERS = { resource: 'customers', template: '/customers' };
const round = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

interface Cost {
  readonly queue: number;
  readonly objects: number;
  readonly read: number;
  readonly write: number;
}

const costOf = (...all: readonly Seen[]): Cost => ({
  queue: all.reduce((sum, one) => sum + one.queue, 0),
  objects: all.reduce((sum, one) => sum + one.calls.filter((call) => call.startsWith('S3 ')).length, 0),
  read: all.reduce((sum, one) => sum + one.read, 0),
  write: all.reduce((sum, one) => sum + one.write, 0),
});

/** The cost of a request with its background work. @throws if the request fails */
async function cost(
  sent: Sent,
): Promise<{ readonly cost: Cost; readonly status: number; readonly body: string }> {
  const { statusCode, body, seen } = await send(sent);
  if (statusCode >= 300) throw new Error(`${statusCode} to ${sent.method} ${sent.template}: ${body}`);
  return { cost: statusCode === 202 ? costOf(seen, await worked()) : costOf(seen), status: statusCode, body };
}

const ofAll = async (): Promise<number[]> => {
  const ids: number[] = [];
  for (let query: Record<string, string[]> | undefined = { limit: ['1000'] }; query; ) {
    const { body } = await send({ ...CUSTOMERS, query });
    const page = JSON.parse(body) as { items: { id: number }[]; links: { rel: string; href: string }[] };
    ids.push(...page.items.map(({ id }) => id));
    const next = page.links.find(({ rel }) => rel === 'next')?.href;
    query = next === undefined ? undefined : queryOf(next);
  }
  return ids;
};

const queryOf = (href: string): Record<string, string[]> =>
  Object.fromEntries([...new URL(href, 'http://local').searchParams].map(([name, value]) => [name, [value]]));

/** The cost of requests for one item, and their cost as operations. */
async function single(): Promise<Record<'create' | 'replace' | 'remove', readonly [Cost, Cost]>> {
  const both = async (sent: Sent, other = sent): Promise<readonly [Cost, Cost]> => [
    (await cost(sent)).cost,
    (await cost({ ...other, headers: { ...other.headers, ...LATER } })).cost,
  ];
  const create = { ...CUSTOMERS, method: 'POST', headers: JSON_TYPE, body: '{"name":"Acme"}' };
  const created = await both(create);
  const [one = 0, two = 0] = await ofAll();
  const item = (id: number) => ({
    resource: 'customers',
    template: '/customers/{id}',
    parameters: { id: String(id) },
  });
  const replace = { ...item(one), method: 'PUT', headers: JSON_TYPE, body: '{"name":"Acme & Co"}' };
  return {
    create: created,
    replace: await both(replace),
    remove: await both({ ...item(one), method: 'DELETE' }, { ...item(two), method: 'DELETE' }),
  };
}

/** The cost of operations and bulk work by request and by item, compared with one request for each item. */
export const costs = (sizes: readonly number[]): Promise<string> =>
  metered(async () => {
    const alone = await single();
    const rows: string[][] = [];
    const add = (what: string, count: number, status: number | string, one: Cost, apart: Cost) =>
      rows.push([
        what,
        String(count),
        String(status),
        String(one.queue),
        String(one.objects),
        round(one.read / count),
        round(one.write / count),
        round(apart.read),
        round(apart.write),
      ]);
    for (const [what, [now, later]] of Object.entries(alone))
      add(`${what}, respond-async`, 1, 202, later, now);
    for (const size of sizes) {
      const names = Array.from({ length: size }, (_, at) => ({ name: `Customer ${at}` }));
      const created = await cost({
        ...CUSTOMERS,
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify(names),
      });
      add('create', size, created.status, created.cost, alone.create[0]);
      const ids = await ofAll();
      const body = JSON.stringify(ids.map((id) => ({ id, name: 'Another' })));
      const replaced = await cost({ ...CUSTOMERS, method: 'PUT', headers: JSON_TYPE, body });
      add('replace', size, replaced.status, replaced.cost, alone.replace[0]);
      const removed = await cost({ ...CUSTOMERS, method: 'DELETE' });
      add('remove', size, removed.status, removed.cost, alone.remove[0]);
    }
    const heads = [
      'customers',
      'items',
      'status',
      'SQS requests',
      'S3 requests',
      'read units per item',
      'write units per item',
      'read units of one request',
      'write units of one request',
    ];
    return `${table(heads, rows)}\n\nThe table compares a bulk request with one request for each item. SQS requests are sends, receives and deletes. Lambda also polls an empty queue.`;
  });
