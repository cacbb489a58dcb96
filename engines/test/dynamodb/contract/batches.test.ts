import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { onAws } from '../../../../test/support/differences.ts';
import { unique } from '../../clients.ts';
import { db, N, put, S, TableName, withTable } from './table.ts';

withTable();

describe('batches of keys', () => {
  const batch = (pk: string, keys: readonly number[]) =>
    db.send(
      new BatchGetItemCommand({
        RequestItems: { [TableName]: { Keys: keys.map((sk) => ({ pk: S(pk), sk: N(sk) })) } },
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );

  test('return the items that exist', async () => {
    const pk = unique('batch');
    for (const sk of [1, 2]) await put({ pk: S(pk), sk: N(sk) });
    const { Responses, UnprocessedKeys } = await batch(pk, [2, 1, 999]);
    const found = Responses?.[TableName]?.map(({ sk }) => sk?.N);
    expect(found?.sort()).toEqual(['1', '2']);
    expect(UnprocessedKeys).toEqual({});
  });

  onAws('a read of a missing item takes units')('take units for each key', async () => {
    const pk = unique('batch');
    await put({ pk: S(pk), sk: N(1) });
    const { ConsumedCapacity } = await batch(pk, [1, 998, 999]);
    expect(ConsumedCapacity?.[0]?.CapacityUnits).toBe(1.5);
  });

  test('are refused with a repeated key, without keys, and with more than 100', async () => {
    const refused = { name: 'ValidationException' };
    const pk = unique('batch');
    await expect(batch(pk, [1, 1])).rejects.toMatchObject(refused);
    await expect(batch(pk, [])).rejects.toMatchObject(refused);
    await expect(
      batch(
        pk,
        Array.from({ length: 101 }, (_, at) => at),
      ),
    ).rejects.toMatchObject(refused);
  });
});
