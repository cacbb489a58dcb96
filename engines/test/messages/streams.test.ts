import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  type StreamSpecification,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  GetRecordsCommand,
  type GetRecordsCommandOutput,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
} from '@aws-sdk/client-dynamodb-streams';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withTimePassed } from '../../../test/support/clock.ts';
import { describeUnless } from '../../../test/support/skips/describe-unless.ts';
import { openClients, REAL, unique } from '../clients.ts';

const { dynamodb: db, streams, close } = openClients();
const TableName = unique('streamed');
const BOTH: StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
let StreamArn = '';
let keys = 0;

const createTable = async (TableName: string, StreamSpecification?: StreamSpecification) => {
  await db.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      StreamSpecification,
    }),
  );
  await waitUntilTableExists({ client: db, maxWaitTime: 60 }, { TableName });
};

beforeAll(async () => {
  await createTable(TableName, BOTH);
  const { Table } = await db.send(new DescribeTableCommand({ TableName }));
  StreamArn = Table?.LatestStreamArn as string;
});

afterAll(async () => {
  if (REAL.dynamodb) await db.send(new DeleteTableCommand({ TableName }));
  await close();
});

const S = (text: string): AttributeValue => ({ S: text });
const N = (number: number): AttributeValue => ({ N: String(number) });
const newKey = () => `${TableName} ${++keys}`;
const put = (pk: string, more: Record<string, AttributeValue> = {}) =>
  db.send(new PutItemCommand({ TableName, Item: { pk: S(pk), ...more } }));

const shards = async () => {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  return (StreamDescription?.Shards ?? []).map(({ ShardId }) => ShardId as string);
};

const iterator = async (input: Partial<GetShardIteratorCommandInput>) => {
  const ShardId = (await shards())[0];
  const ShardIteratorType = 'TRIM_HORIZON';
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType, ...input }),
  );
  return ShardIterator as string;
};

/**
 * DynamoDB rounds a record's time down to the second, and DynamoDB Local to the minute. Source: API Reference,
 * `StreamRecord`.
 */
const STEP_MS = REAL.dynamodb ? 60_000 : 1000;

/** All records of these keys. A real stream needs a moment. */
async function recordsOf(wanted: readonly string[], count: number): Promise<_Record[]> {
  for (let attempt = 0; ; attempt++) {
    const found: _Record[] = [];
    for (const ShardId of await shards()) {
      let ShardIterator: string | undefined = await iterator({ ShardId });
      for (let pages = 0; ShardIterator !== undefined && pages < 5; pages++) {
        const answer: GetRecordsCommandOutput = await streams.send(new GetRecordsCommand({ ShardIterator }));
        const { Records, NextShardIterator } = answer;
        found.push(...(Records ?? []));
        ShardIterator = Records?.length === 0 ? undefined : NextShardIterator;
      }
    }
    const records = found.filter(({ dynamodb }) => wanted.includes(dynamodb?.Keys?.pk?.S ?? ''));
    if (records.length >= count || !REAL.dynamodb || attempt > 20) return records;
    await new Promise((later) => setTimeout(later, 500));
  }
}

const shown = ({ eventName, dynamodb }: _Record) => [eventName, dynamodb?.OldImage, dynamodb?.NewImage];

test('a table describes its stream', async () => {
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  expect(StreamDescription).toMatchObject({
    TableName,
    StreamStatus: 'ENABLED',
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
  await expect(
    streams.send(new DescribeStreamCommand({ StreamArn: `${StreamArn.slice(0, -1)}x` })),
  ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('each write creates a record with both images, in order', async () => {
  const before = Date.now();
  const pk = newKey();
  await put(pk, { n: N(1), b: { B: Buffer.from([0, 255]) } });
  await db.send(
    new UpdateItemCommand({
      TableName,
      Key: { pk: S(pk) },
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': N(2) },
    }),
  );
  await put(pk);
  await db.send(new DeleteItemCommand({ TableName, Key: { pk: S(pk) } }));
  const records = await recordsOf([pk], 4);
  const one = { pk: S(pk), n: N(1), b: { B: new Uint8Array([0, 255]) } };
  const two = { ...one, n: N(2) };
  const bare = { pk: S(pk) };
  expect(records.map(shown)).toEqual([
    ['INSERT', undefined, one],
    ['MODIFY', one, two],
    ['MODIFY', two, bare],
    ['REMOVE', bare, undefined],
  ]);
  const numbers = records.map(({ dynamodb }) => BigInt(dynamodb?.SequenceNumber as string));
  expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : 1)));
  expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(4);
  expect(records[0]).toMatchObject({
    eventSource: 'aws:dynamodb',
    dynamodb: { Keys: bare, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  const at = records[0]?.dynamodb?.ApproximateCreationDateTime?.getTime() as number;
  expect(at).toBeGreaterThanOrEqual(before - (before % STEP_MS));
  expect(at).toBeLessThanOrEqual(Date.now());
});

test('a write without a change creates no record', async () => {
  const [pk, other] = [newKey(), newKey()];
  const missing = new DeleteItemCommand({ TableName, Key: { pk: S(other) } });
  await put(pk, { a: N(1), set: { SS: ['x', 'y'] } });
  await put(pk, { set: { SS: ['y', 'x'] }, a: { N: '1.0' } });
  await db.send(missing);
  await db.send(
    new UpdateItemCommand({
      TableName,
      Key: { pk: S(pk) },
      UpdateExpression: 'SET a = :one',
      ExpressionAttributeValues: { ':one': N(1) },
    }),
  );
  const refused = new PutItemCommand({
    TableName,
    Item: { pk: S(pk), a: N(5) },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  await expect(db.send(refused)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  await put(pk, { end: N(1) });
  expect((await recordsOf([pk, other], 2)).map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY']);
});

test('each write of a transaction creates a record; checks and canceled transactions create none', async () => {
  const [a, b, c] = [newKey(), newKey(), newKey()];
  await put(c);
  const check = (exists: boolean) => ({
    ConditionCheck: {
      TableName,
      Key: { pk: S(c) },
      ConditionExpression: exists ? 'attribute_exists(pk)' : 'attribute_not_exists(pk)',
    },
  });
  const puts = (n: number) => [a, b].map((pk) => ({ Put: { TableName, Item: { pk: S(pk), n: N(n) } } }));
  await db.send(new TransactWriteItemsCommand({ TransactItems: [check(true), ...puts(1)] }));
  const canceled = new TransactWriteItemsCommand({ TransactItems: [...puts(2), check(false)] });
  await expect(db.send(canceled)).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  await put(a, { n: N(3) });
  const records = await recordsOf([a, b, c], 4);
  expect(records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S)).toEqual([c, a, b, a]);
  expect(records.map(({ dynamodb }) => dynamodb?.NewImage?.n?.N)).toEqual([undefined, '1', '1', '3']);
});

test('a reader can start at every kind of place in a shard', async () => {
  const pk = newKey();
  const latest = await iterator({ ShardIteratorType: 'LATEST' });
  for (const n of [1, 2, 3]) await put(pk, { n: N(n) });
  const records = await recordsOf([pk], 3);
  const SequenceNumber = records[1]?.dynamodb?.SequenceNumber;
  const read = async (ShardIterator: string, Limit?: number) =>
    (await streams.send(new GetRecordsCommand({ ShardIterator, Limit }))).Records?.map(
      ({ dynamodb }) => dynamodb?.NewImage?.n?.N,
    );
  expect(await read(latest)).toEqual(['1', '2', '3']);
  expect(await read(latest, 2)).toEqual(['1', '2']);
  expect(await read(await iterator({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber }))).toEqual([
    '2',
    '3',
  ]);
  expect(await read(await iterator({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }))).toEqual([
    '3',
  ]);
});

test('an existing table can get a stream', async () => {
  const TableName = unique('streamless');
  await createTable(TableName);
  const { Table } = await db.send(new DescribeTableCommand({ TableName }));
  expect(Table?.LatestStreamArn).toBeUndefined();
  const enable = new UpdateTableCommand({ TableName, StreamSpecification: BOTH });
  const { TableDescription } = await db.send(enable);
  expect(TableDescription).toMatchObject({
    StreamSpecification: BOTH,
    LatestStreamArn: expect.stringMatching(`:table/${TableName}/stream/`),
  });
  if (REAL.dynamodb) await db.send(new DeleteTableCommand({ TableName }));
  else await expect(db.send(enable)).rejects.toMatchObject({ name: 'ValidationException' });
});

const real = REAL.dynamodb ? 'DynamoDB is of another process' : undefined;
describeUnless(real, 'the embedded stream', () => {
  test('a record expires after a day', async () => {
    const pk = newKey();
    await put(pk);
    const [record] = await recordsOf([pk], 1);
    const SequenceNumber = record?.dynamodb?.SequenceNumber;
    await withTimePassed(25 * 3600 * 1000, async () => {
      await put(pk, { n: N(1) });
      expect((await recordsOf([pk], 1)).map(({ eventName }) => eventName)).toEqual(['MODIFY']);
      await expect(
        iterator({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber }),
      ).rejects.toMatchObject({ name: 'TrimmedDataAccessException' });
    });
  });

  test('an iterator is valid for fifteen minutes', async () => {
    const ShardIterator = await iterator({});
    const read = () => streams.send(new GetRecordsCommand({ ShardIterator }));
    await expect(withTimePassed(16 * 60 * 1000, read)).rejects.toMatchObject({
      name: 'ExpiredIteratorException',
    });
  });

  test('another view and the end of a stream get "not implemented"', async () => {
    await expect(
      createTable(unique('keys'), { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }),
    ).rejects.toMatchObject({ name: 'NotImplemented', message: expect.stringContaining('KEYS_ONLY') });
    const disable = new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } });
    await expect(db.send(disable)).rejects.toMatchObject({ name: 'NotImplemented' });
  });
});
