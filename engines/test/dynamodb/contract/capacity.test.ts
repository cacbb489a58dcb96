import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { unique } from '../../clients.ts';
import { db, N, put, S, TableName, withTable } from './table.ts';

withTable();

describe('consumed capacity', () => {
  test('of writes counts the table and each touched index', async () => {
    const pk = unique('capacity');
    const item = { pk: S(pk), sk: N(0), kind: S(pk), rank: N(1), text: S('x'.repeat(1500)) };
    const units = async (Item: Record<string, AttributeValue>) =>
      (await db.send(new PutItemCommand({ TableName, Item, ReturnConsumedCapacity: 'INDEXES' })))
        .ConsumedCapacity;
    expect(await units(item)).toMatchObject({
      CapacityUnits: 4,
      Table: { CapacityUnits: 2 },
      GlobalSecondaryIndexes: { byKind: { CapacityUnits: 2 } },
    });
    expect(await units({ ...item, rank: N(2) })).toMatchObject({
      GlobalSecondaryIndexes: { byKind: { CapacityUnits: 4 } },
    });
  });

  test('of reads counts 4 KB blocks, half for eventual consistency', async () => {
    const pk = unique('reads');
    await put({ pk: S(pk), sk: N(0), text: S('x'.repeat(5000)) });
    const read = async (ConsistentRead: boolean) =>
      (
        await db.send(
          new GetItemCommand({
            TableName,
            Key: { pk: S(pk), sk: N(0) },
            ConsistentRead,
            ReturnConsumedCapacity: 'TOTAL',
          }),
        )
      ).ConsumedCapacity?.CapacityUnits;
    expect([await read(true), await read(false)]).toEqual([2, 1]);
  });
});
