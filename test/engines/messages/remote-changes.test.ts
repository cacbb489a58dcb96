import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openClients, REAL, unique } from '../../../engines/test/clients.ts';
import { RemoteChanges, StreamPositions } from '../../../local/triggers/remote-changes.ts';

const { dynamodb: db, streams, close } = openClients();
const TableName = unique('changes');
const directory = mkdtempSync(join(tmpdir(), 'changes-'));
const { signal } = new AbortController();
let stream = '';

beforeAll(async () => {
  await db.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  await waitUntilTableExists({ client: db, maxWaitTime: 60 }, { TableName });
  const { Table } = await db.send(new DescribeTableCommand({ TableName }));
  stream = Table?.LatestStreamArn as string;
});

afterAll(async () => {
  if (REAL.dynamodb) await db.send(new DeleteTableCommand({ TableName }));
  await close();
  rmSync(directory, { recursive: true, force: true });
});

const put = (n: number) =>
  db.send(
    new PutItemCommand({
      TableName,
      Item: { pk: { S: 'one' }, n: { N: String(n) }, bytes: { B: Buffer.from([0, 255]) } },
    }),
  );
/** A reader in a service that has just started. */
const opened = () => new RemoteChanges(streams, stream, new StreamPositions(join(directory, 'positions')));
const numbersOf = (records: Awaited<ReturnType<RemoteChanges['next']>>) =>
  records.map(({ dynamodb }) => dynamodb.NewImage?.n?.N);
/** At most this number of changes comes in one batch. */
async function read(source: RemoteChanges, count: number) {
  const all: Awaited<ReturnType<RemoteChanges['next']>>[number][] = [];
  while (all.length < count) {
    const records = await source.next(2, signal);
    expect(records.length).toBeLessThanOrEqual(2);
    all.push(...records);
    source.moveTo(records.at(-1) as (typeof records)[number]);
  }
  return all;
}

test('the reader returns changes in order, as Lambda does', async () => {
  const source = opened();
  const waiting = read(source, 3);
  for (const n of [1, 2, 3]) await put(n);
  const records = await waiting;
  expect(numbersOf(records)).toEqual(['1', '2', '3']);
  expect(records[1]).toMatchObject({
    eventName: 'MODIFY',
    dynamodb: {
      // Seconds, of about now.
      ApproximateCreationDateTime: expect.closeTo(Date.now() / 1000, -3),
      OldImage: { n: { N: '1' }, bytes: { B: 'AP8=' } },
      NewImage: { n: { N: '2' }, bytes: { B: 'AP8=' } },
    },
  });
});

test('the reader returns unconfirmed changes again, also after a restart, and confirmed ones never', async () => {
  for (const n of [4, 5]) await put(n);
  const source = opened();
  const [first] = await source.next(1, signal);
  expect(numbersOf(await source.next(1, signal))).toEqual(['4']);
  source.moveTo(first as NonNullable<typeof first>);
  expect(numbersOf(await source.next(1, signal))).toEqual(['5']);
  expect(numbersOf(await opened().next(1, signal))).toEqual(['5']);
});

test('a wait ends at its abort', async () => {
  const source = opened();
  await read(source, 1);
  const stopping = new AbortController();
  const waiting = source.next(1, stopping.signal);
  stopping.abort();
  expect(await waiting).toEqual([]);
});
