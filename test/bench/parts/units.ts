import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { registry } from '../../../functions/registry.ts';
import { openEngines } from '../../../infra/local/engines/engines.ts';
import { inProcess } from '../../../infra/local/engines/in-process.ts';
import { provision, variables } from '../../../infra/local/provision.ts';
import { dynamoDb } from '../../../shared/aws/clients.ts';
import { s3 } from '../../../shared/aws/s3.ts';
import { attach } from '../../../shared/aws/settings.ts';
import { Decimal } from '../../../shared/json/decimal.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { Items } from '../../../shared/store/items.ts';
import { table } from '../table.ts';
import { CONTEXT, EVENTS } from './events.ts';

type Handler = (
  event: APIGatewayProxyEvent,
  context: unknown,
) => Promise<{ statusCode: number; headers: Record<string, string>; body: string }>;

interface Seen {
  calls: string[];
  read: number;
  write: number;
}

let seen: Seen = { calls: [], read: 0, write: 0 };

/** Asks every DynamoDB call for what it consumed, and counts; counts S3 calls as well. */
function meter(): void {
  dynamoDb().middlewareStack.add(
    (next, context) => async (args) => {
      const input = args.input as { ReturnConsumedCapacity?: string };
      input.ReturnConsumedCapacity = 'TOTAL';
      const command = String(context.commandName).replace('Command', '');
      seen.calls.push(command);
      const result = await next(args).catch((error: unknown) => {
        throw error;
      });
      const output = result.output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
      const units = [output.ConsumedCapacity ?? []]
        .flat()
        .reduce((sum, one) => sum + (one.CapacityUnits ?? 0), 0);
      if (/^(Get|Query|BatchGet|TransactGet)/.test(command)) seen.read += units;
      else seen.write += units;
      return result;
    },
    { step: 'initialize' },
  );
  s3().middlewareStack.add(
    (next, context) => async (args) => {
      seen.calls.push(`S3 ${String(context.commandName).replace('Command', '')}`);
      return next(args);
    },
    { step: 'initialize' },
  );
}

const resourceOf = (name: string) => registry.find((one) => one.name === name) as Resource;
const handlers = new Map<string, Handler>();

interface Sent {
  readonly resource: string;
  readonly method?: string;
  readonly template: string;
  readonly parameters?: Record<string, string>;
  readonly query?: Record<string, string[]>;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function send({ resource, method = 'GET', template, parameters, query, headers = {}, body }: Sent) {
  const path = Object.entries(parameters ?? {}).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    template,
  );
  const event = {
    ...EVENTS['GET item'],
    resource: template,
    path,
    httpMethod: method,
    pathParameters: parameters ?? null,
    multiValueQueryStringParameters: query ?? null,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
  } as unknown as APIGatewayProxyEvent;
  seen = { calls: [], read: 0, write: 0 };
  const answer = await (handlers.get(resource) as Handler)(event, CONTEXT);
  return { ...answer, seen };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const round = (value: number) => String(Math.round(value * 100) / 100);

function shown(calls: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
  return [...counts].map(([call, count]) => (count === 1 ? call : `${count} × ${call}`)).join(', ') || 'none';
}

/** Operations and capacity units of each kind of request, on the embedded engines. */
async function perRequest(): Promise<string> {
  const member = await send({
    resource: 'members',
    method: 'POST',
    template: '/members',
    headers: JSON_TYPE,
    body: '{"name":"Ada","age":36}',
  });
  const { id } = JSON.parse(member.body) as { id: number };
  const customer = await send({
    resource: 'customers',
    method: 'POST',
    template: '/customers',
    headers: JSON_TYPE,
    body: '{"name":"Acme"}',
  });
  const customerId = (JSON.parse(customer.body) as { id: number }).id;
  const item = { resource: 'members', template: '/members/{id}', parameters: { id: String(id) } };
  const file = { resource: 'files', template: '/files/{filename}', parameters: { filename: 'bench.bin' } };
  const keyed = {
    resource: 'members',
    method: 'POST',
    template: '/members',
    headers: { ...JSON_TYPE, 'Idempotency-Key': 'bench' },
    body: '{"name":"Ada","age":36}',
  };
  const requests: readonly (readonly [string, Sent])[] = [
    [
      'POST /members',
      {
        resource: 'members',
        method: 'POST',
        template: '/members',
        headers: JSON_TYPE,
        body: '{"name":"Ada","age":36}',
      },
    ],
    ['POST /members, Idempotency-Key', keyed],
    ['POST /members, repeated', keyed],
    ['GET /members/{id}', item],
    ['GET /members/{id}, If-None-Match (304)', { ...item, headers: { 'If-None-Match': '"1.1-json"' } }],
    ['PUT /members/{id}', { ...item, method: 'PUT', headers: JSON_TYPE, body: '{"name":"Ada","age":37}' }],
    [
      'PUT /members/{id}, If-Match',
      { ...item, method: 'PUT', headers: { ...JSON_TYPE, 'If-Match': '*' }, body: '{"name":"Ada","age":37}' },
    ],
    ['PATCH /members/{id}, one field', { ...item, method: 'PATCH', headers: MERGE, body: '{"age":38}' }],
    ['PATCH /members/{id}, nothing new', { ...item, method: 'PATCH', headers: MERGE, body: '{"age":38}' }],
    [
      'PATCH /members/{id}, Idempotency-Key',
      { ...item, method: 'PATCH', headers: { ...MERGE, 'Idempotency-Key': 'bench' }, body: '{"age":39}' },
    ],
    ['405', { resource: 'customers', method: 'POST', template: '/customers/{id}', parameters: { id: '1' } }],
    ['406', { ...item, headers: { Accept: 'image/png' } }],
    ['415', { ...item, method: 'PATCH', headers: JSON_TYPE, body: '{}' }],
    ['400, malformed', { ...item, method: 'PUT', headers: JSON_TYPE, body: '{' }],
    ['DELETE /members/{id}', { ...item, method: 'DELETE' }],
    [
      'POST /orders, own value',
      {
        resource: 'orders',
        method: 'POST',
        template: '/orders',
        headers: JSON_TYPE,
        body: '{"productId":1,"orderValue":9.9}',
      },
    ],
    [
      'POST /customers/{id}/orders',
      {
        resource: 'orders',
        method: 'POST',
        template: '/customers/{id}/orders',
        parameters: { id: String(customerId) },
        headers: JSON_TYPE,
        body: '{"productId":1,"orderValue":9.9}',
      },
    ],
    ['PUT /files/{filename}', { ...file, method: 'PUT', body: 'bytes' }],
    ['GET /files/{filename}', file],
    ['GET /files/{filename}, Range', { ...file, headers: { Range: 'bytes=0-1' } }],
    ['DELETE /files/{filename}', { ...file, method: 'DELETE' }],
  ];
  const rows: string[][] = [];
  for (const [name, sent] of requests) {
    const { statusCode, seen: used } = await send(sent);
    rows.push([name, String(statusCode), shown(used.calls), round(used.read), round(used.write)]);
  }
  return table(['request', 'status', 'operations', 'read units', 'write units'], rows);
}

/** Units of one page of 25 at several depths, in collections of several sizes. */
async function perPage(sizes: readonly number[]): Promise<string> {
  const orders = resourceOf('orders');
  const items = new Items(orders);
  const rows: string[][] = [];
  let size = 0;
  for (const wanted of sizes) {
    for (; size < wanted; size += 1) {
      const now = Date.UTC(2026, 5, 1) + size;
      const id = (now - Date.UTC(2026, 0, 1)) * 4096 + (size % 4096);
      const orderValue = Decimal.parse(`${(size * 7919) % 100_000}.${size % 100}`) as Decimal;
      const values = { productId: size % 50, quantity: 1 + (size % 9), orderValue, status: 'created' };
      await items.insert({ id, version: 1, createdAt: now, updatedAt: now, values, internal: {} });
    }
    const page = (query: Record<string, string[]>) =>
      send({ resource: 'orders', template: '/orders', query: { limit: ['25'], ...query } });
    const show = async (name: string, query: Record<string, string[]>) => {
      const { seen: used, body, statusCode } = await page(query);
      const shownItems = (JSON.parse(body) as { items?: unknown[] }).items?.length;
      rows.push([
        String(size),
        name,
        `${statusCode}, ${shownItems} items`,
        shown(used.calls),
        round(used.read),
      ]);
      return body;
    };
    await show('offset 0', {});
    await show('offset 0, sort=-orderValue', { sort: ['-orderValue'] });
    const deep = await show(`offset ${Math.min(size - 100, 1000)}`, {
      offset: [String(Math.min(size - 100, 1000))],
    });
    const { links } = JSON.parse(deep) as { links: { rel: string; href: string }[] };
    const next = new URL(links.find(({ rel }) => rel === 'next')?.href ?? '', 'http://local').searchParams;
    await show('the page after it, by cursor', {
      offset: [next.get('offset') ?? ''],
      after: [next.get('after') ?? ''],
    });
    await show('minCost=50000', { minCost: ['50000'] });
  }
  return table(['orders', 'page of 25', 'answer', 'operations', 'read units'], rows);
}

/** Everything about units, on engines of its own in a temporary folder. */
export async function units(sizes: readonly number[]): Promise<{ requests: string; pages: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-bench-'));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };
  const engines = openEngines({ directory, credentials });
  try {
    const settings = { requestHandler: inProcess(engines), credentials, region: 'us-east-1' };
    attach(settings);
    Object.assign(process.env, variables(registry));
    await provision(registry, new SQSClient(settings));
    meter();
    for (const { name } of registry) {
      handlers.set(
        name,
        ((await import(`../../../functions/${name}/handler.ts`)) as { handler: Handler }).handler,
      );
    }
    return { requests: await perRequest(), pages: await perPage(sizes) };
  } finally {
    await engines.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
