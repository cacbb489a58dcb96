import { DeleteItemCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { names } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { CHANGES_TABLE } from '../../shared/store/form/log-table.ts';
import { type Event, serviceWithEvents } from '../delivery/received.ts';
import { clientOf } from '../support/client/client.ts';
import { data } from './tool.ts';

let started: Awaited<ReturnType<typeof serviceWithEvents>>;

beforeAll(async () => {
  started = await serviceWithEvents(['--empty']);
}, 40_000);

afterAll(() => started.stop());

async function created(path: string, json: object): Promise<string> {
  const { status, headers } = await clientOf(started.service.url as string)('POST', path, { json });
  expect(status).toBe(201);
  return headers.location as string;
}

/** The events of a subject and of a type, after at least so many arrived. */
async function eventsOf(path: string, type: string, count: number): Promise<readonly Event[]> {
  const fits = (one: Event) => one.subject === path && one.type === type;
  await started.stream.until(() => started.stream.events.filter(fits).length >= count);
  return started.stream.events.filter(fits);
}

/** Removes every row of the log, as if the stream had brought nothing. */
async function emptyLog(): Promise<void> {
  const engines = runningEngines({ DATA_DIR: started.directory });
  const dynamoDb = new DynamoDBClient({
    endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB || (engines?.url ?? ''),
    region: 'us-east-1',
    ...(engines ? { credentials: engines.credentials } : {}),
  });
  const TableName = names.table(CHANGES_TABLE.name);
  const { Items = [] } = await dynamoDb.send(new ScanCommand({ TableName }));
  for (const { partition = { S: '' }, position = { N: '0' } } of Items)
    await dynamoDb.send(new DeleteItemCommand({ TableName, Key: { partition, position } }));
  dynamoDb.destroy();
}

// docs/operations.md, "late-events"
test('publishes the event of the present version again, with the same id, type and data', async () => {
  const send = clientOf(started.service.url as string);
  const customer = await created('/customers', { name: 'Acme' });
  const productId = Number((await created('/products', { name: 'Mug', price: 3 })).split('/').at(-1));
  const order = await created(`${customer}/orders`, { productId, quantity: 2 });
  expect((await send('POST', `${order}/pay`)).status).toBe(200);
  await eventsOf(order, 'order.paid', 1);
  const { code, output } = await data(started.directory, ['republish', 'orders']);
  expect({ code, output }).toEqual({ code: 0, output: 'orders: 1 events\n' });
  const [first, again] = await eventsOf(order, 'order.paid', 2);
  expect(again).toEqual(first);
  await data(started.directory, ['republish', 'customers', String(customer.split('/').at(-1))]);
  const [creation, repeated] = await eventsOf(customer, 'customer.created', 2);
  expect(repeated).toEqual(creation);
}, 60_000);

// docs/operations.md, "dead-events"
test('adds what the log lacks, also a removal, and nothing twice', async () => {
  const send = clientOf(started.service.url as string);
  const [kept, removed] = [
    await created('/customers', { name: 'Kept' }),
    await created('/customers', { name: 'Removed' }),
  ];
  expect((await send('DELETE', removed)).status).toBe(204);
  await eventsOf(removed, 'customer.removed', 1);
  const changesOf = async (path: string) =>
    (await send('GET', '/changes?limit=1000'))
      .json()
      .items.filter(({ subject }) => subject === path)
      .map(({ type, data: shown }) => [type, (shown as { name?: string }).name]);
  const whole = [await changesOf(kept), await changesOf(removed)];
  expect(whole).toEqual([
    [['customer.created', 'Kept']],
    [
      ['customer.created', 'Removed'],
      ['customer.removed', 'Removed'],
    ],
  ]);
  expect((await data(started.directory, ['republish', 'customers'])).code).toBe(0);
  expect([await changesOf(kept), await changesOf(removed)]).toEqual(whole);
  await emptyLog();
  expect([await changesOf(kept), await changesOf(removed)]).toEqual([[], []]);
  expect((await data(started.directory, ['republish', 'customers'])).code).toBe(0);
  expect([await changesOf(kept), await changesOf(removed)]).toEqual([whole[0], whole[1]?.slice(1)]);
}, 60_000);

// Specification 11.14
test('of a deployment needs the key of the hashes of callers', async () => {
  expect(await data(started.directory, ['republish', 'orders', '--environment', 'worker.json'])).toEqual({
    code: 2,
    output: expect.stringContaining('republish needs AUDIT_KEY'),
  });
});

test('names an item that does not exist, whose removal has no event any more', async () => {
  expect(await data(started.directory, ['republish', 'members', '404404'])).toEqual({
    code: 1,
    output: expect.stringContaining('members 404404 does not exist'),
  });
  expect((await data(started.directory, ['republish', 'operations'])).code).toBe(2);
});
