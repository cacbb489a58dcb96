import {
  CreateTableCommand,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { onAws } from '../../../../test/support/differences.ts';
import { unique } from '../../clients.ts';
import { db, get, N, put, S, TableName, withTable } from './table.ts';

withTable();

describe('the engine as a client expects DynamoDB', () => {
  test.each([
    ['00042', '42'],
    ['-007', '-7'],
    ['000', '0'],
    ['00.50', '0.5'],
    ['-00', '0'],
  ])('keeps the number %s as %s', async (sent, kept) => {
    const pk = unique('zeros');
    await put({ pk: S(pk), sk: N(0), n: N(sent) });
    expect((await get(pk))?.n).toEqual(N(kept));
    expect((await get(pk, '00'))?.n).toEqual(N(kept));
  });

  test.each(['--1', '0x10', '', '0-1', '1 2'])('refuses the number %j', async (text) => {
    const item = { pk: S(unique('zeros')), sk: N(0), n: N(text) };
    await expect(put(item)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test.each(['ab', 'a/b', 'a b', 'ü'.repeat(3), 'x'.repeat(256)])(
    'reports the table name %j as invalid and not as missing',
    async (name) => {
      const refused = { name: 'ValidationException' };
      await expect(db.send(new DescribeTableCommand({ TableName: name }))).rejects.toMatchObject(refused);
      const Key = { pk: S('x'), sk: N(0) };
      await expect(db.send(new GetItemCommand({ TableName: name, Key }))).rejects.toMatchObject(refused);
    },
  );

  test('describes the billing, the name and the item count of a table', async () => {
    const name = unique('described');
    const made = await db.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'again',
            KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    );
    const facts = {
      TableName: name,
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
      DeletionProtectionEnabled: false,
      TableArn: expect.stringMatching(`^arn:.*:table/${name}$`),
      GlobalSecondaryIndexes: [{ IndexArn: expect.stringMatching(`/${name}/index/again$`) }],
    };
    expect(made.TableDescription).toMatchObject({ ...facts, ItemCount: 0 });
    await waitUntilTableExists({ client: db, maxWaitTime: 60 }, { TableName: name });
    await db.send(new PutItemCommand({ TableName: name, Item: { id: S('a') } }));
    const { Table } = await db.send(new DescribeTableCommand({ TableName: name }));
    expect(Table).toMatchObject({ ...facts, ItemCount: 1 });
  });

  onAws('a table has an identifier')('describes the identifier of a table', async () => {
    const { Table } = await db.send(new DescribeTableCommand({ TableName }));
    expect(Table?.TableId).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test.each(['', 'x'.repeat(256)])(
    'needs the name of an attribute for the time to live, not %j',
    async (AttributeName) => {
      const TimeToLiveSpecification = { AttributeName, Enabled: true };
      await expect(
        db.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })),
      ).rejects.toMatchObject({ name: 'ValidationException' });
    },
  );
});
