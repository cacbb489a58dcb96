/** Sends each kind of request once and counts its calls. */

import { PutObjectCommand } from '@aws-sdk/client-s3';
import { handler as publish } from '../../../functions/events/handler.ts';
import { handler as sweep } from '../../../functions/sweeper/handler.ts';
import { memoryOf } from '../../../infra/memory.ts';
import { names } from '../../../local/provision/names.ts';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { FILES } from '../../../shared/files/uploads/record.ts';
import { Changes } from '../../../test/faults/webhooks/changes.ts';
import type { Counted } from '../../../tools/cost/bill.ts';
import { additional, afterHistory, afterwards, Counter, type Kind, times, together } from './count.ts';
import { countDelivery } from './delivery.ts';
import { countExpansions } from './expansions.ts';
import { countFeed, countUndo } from './feed.ts';
import { collectLogLines } from './log-lines.ts';
import { type MeteredRequest, measureCalls, seenWhile } from './metered.ts';
import { countMostExpensive, type Expensive } from './most-expensive.ts';
import { orderValues, seed } from './seed.ts';

/** All counts, and the bytes that the events function logs for an invocation. */
export interface Counts {
  /** The most expensive requests. */
  readonly mostExpensive: readonly Expensive[];
  readonly kinds: readonly Kind[];
  readonly eventsLine: number;
  /** Bytes of the log line of GET of an item, with and without metrics. */
  readonly lines: { readonly withMetrics: number; readonly without: number };
  readonly sweep: Counted;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const KEY = { 'Idempotency-Key': 'cost' };
const MEMBER = '{"name":"Ada Lovelace","username":"ada","age":36}';
/** Bytes of a file that the function returns, and of one that it redirects to. */
const SMALL = 64 * 1024;
const LARGE = 5 * 1024 * 1024;
const ORDERS = 1000;
const TOGETHER = 50;

const MEMBERS = { resource: 'members', template: '/members' };
const CUSTOMERS = { resource: 'customers', template: '/customers' };
const FILE = { resource: 'files', template: '/files/{filename}' };
const posted = (
  where: Pick<MeteredRequest, 'resource' | 'template'>,
  body: string,
  headers = {},
): MeteredRequest => ({
  ...where,
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body,
});
const orders = (query: Record<string, string[]>, headers = {}): MeteredRequest => ({
  resource: 'orders',
  template: '/orders',
  query: { limit: ['25'], ...query },
  headers,
});
const idOf = (body: string, name = 'id'): string => String(JSON.parse(body)[name]);

/** A kind of request, and the status of its response. Rows change data in their order. */
type Row = readonly [name: string, status: number, sent: MeteredRequest];

const reads = (item: MeteredRequest): readonly Row[] => [
  ['GET item', 200, item],
  ['GET item, `If-None-Match` (304)', 304, { ...item, headers: { 'If-None-Match': '"1.2-json"' } }],
  ['GET list, 25 of 1,000', 200, orders({})],
  ['GET list, 25 of 1,000, `Accept-Encoding: gzip`', 200, orders({}, { 'Accept-Encoding': 'gzip' })],
  ['GET list, `offset` of 900', 200, orders({ offset: ['900'] })],
  ['GET list, `count=exact`', 200, orders({}, { Prefer: 'count=exact' })],
  ['GET list, filter with an index', 200, orders({ quantity: ['3'] })],
  ['GET list, filter by reading', 200, orders({ status: ['paid'] })],
  ['GET list, sorted by reading', 200, orders({ sort: ['-updatedAt'] })],
  ['GET home page', 200, { resource: 'root', template: '/', headers: { Accept: 'text/html' } }],
];

function writes(item: MeteredRequest): readonly Row[] {
  const put = (age: number, headers = {}): MeteredRequest => ({
    ...item,
    method: 'PUT',
    body: MEMBER.replace('36', String(age)),
    headers: { ...JSON_TYPE, ...headers },
  });
  const patch = (age: number, headers = {}): MeteredRequest => ({
    ...item,
    method: 'PATCH',
    body: JSON.stringify({ age }),
    headers: { ...MERGE, ...headers },
  });
  const photo: MeteredRequest = { ...item, query: { fields: ['photo'] } };
  const picture = { headers: { 'Content-Type': 'image/png' }, body: 'x'.repeat(SMALL) };
  return [
    ['POST item', 201, posted(MEMBERS, MEMBER)],
    ['POST item, `Idempotency-Key`', 201, posted(MEMBERS, MEMBER, KEY)],
    ['POST item, repeated', 201, posted(MEMBERS, MEMBER, KEY)],
    ['PUT item', 200, put(37)],
    ['PUT item, `If-Match`', 200, put(36, { 'If-Match': '*' })],
    ['PATCH item', 200, patch(38)],
    ['PATCH item, `Idempotency-Key`', 200, patch(39, KEY)],
    ['412, `If-Match` of an older version', 412, put(37, { 'If-Match': '"1.2-json"' })],
    ['PUT photo of 64 KB', 201, { ...photo, ...picture, method: 'PUT' }],
    ['GET photo of 64 KB', 200, photo],
    ['DELETE photo', 204, { ...photo, method: 'DELETE' }],
    ['DELETE item', 204, { ...item, method: 'DELETE' }],
    ['404', 404, item],
    ['405, 415, malformed 400', 415, posted(MEMBERS, 'x', { 'Content-Type': 'text/calendar' })],
  ];
}

function bulk(): readonly Row[] {
  const many = Array.from({ length: TOGETHER }, (_, at) => ({ name: `Customer ${at}` }));
  return [
    [`DELETE of ${TOGETHER} items`, 204, { ...CUSTOMERS, method: 'DELETE' }],
    [`POST of ${TOGETHER} items`, 201, posted(CUSTOMERS, JSON.stringify(many))],
  ];
}

function files(): readonly Row[] {
  const file: MeteredRequest = { ...FILE, parameters: { filename: 'cost.bin' } };
  return [
    ['PUT file of 64 KB', 201, { ...file, method: 'PUT', body: 'x'.repeat(SMALL) }],
    ['GET file of 64 KB', 200, file],
    ['GET file, `Range` of 1 KB', 206, { ...file, headers: { Range: 'bytes=0-1023' } }],
    ['DELETE file', 204, { ...file, method: 'DELETE' }],
    ['GET versions of a file', 200, { ...file, template: '/files/{filename}/versions' }],
  ];
}

/** Counts every kind of request on new engines. `polls`: reads of an operation's status by its client. */
export const countAll = (polls: number): Promise<Counts> =>
  measureCalls(async (engines) => {
    // With a service name, the log lines equal those of a deployed service.
    process.env.SERVICE = 'resource-api';
    // The log has each change at once, so an undo need not wait for it.
    process.env.LOG_SECONDS = '0';
    const changes = new Changes(engines);
    const counter = new Counter(changes);
    const kinds: Kind[] = [];
    const add = (name: string, status: number, counted: Counted) => kinds.push({ name, status, counted });
    const count = async (...rows: readonly Row[]) => {
      for (const [name, status, sent] of rows) add(name, status, (await counter.made(status, sent)).counted);
    };

    const member = await counter.begun(201, posted(MEMBERS, MEMBER));
    const eventsLine = await lineOf(() => publish({ Records: changes.taken().records }));
    const undone = await countUndo(counter);
    const item: MeteredRequest = {
      ...MEMBERS,
      template: '/members/{id}',
      parameters: { id: idOf(member.body) },
    };
    await seed('orders', ORDERS, orderValues);
    await counter.finished();
    await count(...reads(item));
    const listed = (await counter.begun(200, orders({}))).body;
    const { items }: { items: { orderId: number }[] } = JSON.parse(listed);
    const ids = items.map(({ orderId }) => orderId);
    await counter.finished();
    await count(['GET list, `id=` of 25 items', 200, { ...orders({}), query: { id: [ids.join()] } }]);
    await count(...writes(item));
    await seed('customers', TOGETHER, (at) => ({ name: `Customer ${at}` }));
    await counter.finished();
    await count(...bulk());
    await countExpansions(counter, (name, status, sent) => count([name, status, sent]), orders);

    const customer = await counter.made(201, posted(CUSTOMERS, '{"name":"Acme"}'));
    const order: MeteredRequest = {
      ...posted(
        { resource: 'orders', template: '/customers/{id}/orders' },
        '{"productId":1,"orderValue":9.9}',
      ),
      parameters: { id: idOf(customer.body) },
    };
    await count(['POST order of a customer', 201, order]);
    const id = idOf((await counter.made(201, order)).body, 'orderId');
    const pay = { resource: 'orders', method: 'POST', template: '/orders/{id}/pay', parameters: { id } };
    await count(['POST transition of an order', 200, pay]);
    const parameters = { id: idOf((await counter.made(201, posted(CUSTOMERS, '{"name":"Acme"}'))).body) };
    await counter.made(201, { ...order, parameters });
    // The customers of the rows above are gone for good first.
    await afterHistory(counter);
    const removal = { ...CUSTOMERS, method: 'DELETE', template: '/customers/{id}', parameters };
    await count(['DELETE customer of an order', 204, removal]);
    add('… its references, after its history', 204, await afterHistory(counter));

    await count(...files());
    const Key = `${FILES}large.bin`;
    await s3().send(new PutObjectCommand({ Bucket: names.bucket, Key, Body: Buffer.alloc(LARGE) }));
    await counter.finished();
    const led = (await counter.made(307, { ...FILE, parameters: { filename: 'large.bin' } })).counted;
    add('GET file of 5 MB: 307', 307, led);
    const bytes = additional({ objectReads: 1, bytesOut: LARGE });
    add('… with its bytes from S3', 200, together(led, bytes));

    add(...(await operation(counter, polls)));
    const line = () => requestLine(counter, { resource: 'orders', template: '/orders', query: {} });
    const sweeper = { memoryMb: memoryOf('sweeper'), sent: 0, fair: false };
    const counted = {
      kinds,
      eventsLine,
      lines: { withMetrics: await line(), without: await withoutMetrics(line) },
      sweep: await afterwards(() => seenWhile(sweep), sweeper),
    };
    // These come last, because their items would be in the lists of the others.
    const mostExpensive = await countMostExpensive(counter);
    const { body } = await counter.made(201, posted(MEMBERS, MEMBER));
    const changed = {
      ...item,
      ...posted(MEMBERS, MEMBER.replace('36', '37')),
      method: 'PUT',
      template: item.template,
    };
    const plain = await counter.made(200, { ...changed, parameters: { id: idOf(body) } }, false);
    add('PUT item, without `history`', 200, plain.counted);
    await countFeed(counter, add);
    add(...undone);
    add('delivery of an event to a subscription', 204, await countDelivery(counter, changes));
    return { ...counted, mostExpensive };
  });

/** A deferred creation, with its worker and the client's reads of its status. */
async function operation(counter: Counter, polls: number): Promise<[string, number, Counted]> {
  const begun = await counter.begun(202, posted(MEMBERS, MEMBER, { Prefer: 'respond-async' }));
  const id = begun.headers.Location?.split('/').at(-1) ?? '';
  const poll = await counter.begun(200, {
    resource: 'operations',
    template: '/operations/{id}',
    parameters: { id },
  });
  const counted = together(begun.counted, await counter.finished(), times(polls, poll.counted));
  return [`POST item, \`respond-async\`: 202, worker, ${polls} polls`, 202, counted];
}

/** Bytes of the log lines that the work writes. */
async function lineOf(work: () => Promise<unknown>): Promise<number> {
  const { lines } = await collectLogLines(work);
  return lines.reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes of the log line of a request. */
async function requestLine(counter: Counter, sent: MeteredRequest): Promise<number> {
  const { counted } = await counter.begun(200, sent);
  return counted.invocations.reduce((sum, { logBytes }) => sum + logBytes, 0);
}

async function withoutMetrics(work: () => Promise<number>): Promise<number> {
  process.env.METRICS = 'false';
  try {
    return await work();
  } finally {
    delete process.env.METRICS;
  }
}
