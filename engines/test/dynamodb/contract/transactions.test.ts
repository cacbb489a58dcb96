import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { onAws } from '../../../../test/support/differences.ts';
import { unique } from '../../clients.ts';
import { db, get, N, put, query, S, TableName, withTable } from './table.ts';

withTable();

describe('transactions', () => {
  test('have no effect after one failed condition and report the reasons in order', async () => {
    const pk = unique('transact');
    await put({ pk: S(pk), sk: N(0), a: N(1) });
    const attempt = db.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: { pk: S(pk), sk: N(1) } } },
          {
            ConditionCheck: {
              TableName,
              Key: { pk: S(pk), sk: N(0) },
              ConditionExpression: 'a = :two',
              ExpressionAttributeValues: { ':two': N(2) },
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ],
      }),
    );
    await expect(attempt).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message: expect.stringContaining('[None, ConditionalCheckFailed]'),
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { a: N(1) } }],
    });
    expect(await get(pk, 1)).toBeUndefined();
  });

  test('refuse the same item twice', async () => {
    const Key = { pk: S(unique('twice')), sk: N(0) };
    const items = [
      { Delete: { TableName, Key } },
      { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_not_exists(pk)' } },
    ];
    await expect(db.send(new TransactWriteItemsCommand({ TransactItems: items }))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  test('have their effect once per token', async () => {
    const pk = unique('token');
    const Key = { pk: S(pk), sk: N(0) };
    const added = (n: number) =>
      new TransactWriteItemsCommand({
        ClientRequestToken: pk.slice(-36),
        TransactItems: [
          {
            Update: {
              TableName,
              Key,
              UpdateExpression: 'ADD n :n',
              ExpressionAttributeValues: { ':n': N(n) },
            },
          },
        ],
      });
    await db.send(added(1));
    await db.send(added(1));
    await expect(db.send(added(2))).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
    expect(await get(pk, 0)).toMatchObject({ n: N(1) });
  });

  const together = async (pk: string) => {
    for (const sk of [1, 2]) await put({ pk: S(pk), sk: N(sk), n: N(1) });
    return db.send(
      new TransactWriteItemsCommand({
        ReturnConsumedCapacity: 'TOTAL',
        TransactItems: [
          { Put: { TableName, Item: { pk: S(pk), sk: N(0) } } },
          {
            Update: {
              TableName,
              Key: { pk: S(pk), sk: N(1) },
              UpdateExpression: 'ADD n :n',
              ExpressionAttributeValues: { ':n': N(1) },
            },
          },
          { Delete: { TableName, Key: { pk: S(pk), sk: N(2) } } },
        ],
      }),
    );
  };

  onAws('a transaction takes twice the units')('take two units for each write', async () => {
    const { ConsumedCapacity } = await together(unique('capacity'));
    expect(ConsumedCapacity).toMatchObject([{ TableName, CapacityUnits: 6 }]);
  });

  test('put, update and delete together', async () => {
    const pk = unique('together');
    await together(pk);
    const page = await query({
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': S(pk) },
    });
    expect(page.Items).toEqual([
      { pk: S(pk), sk: N(0) },
      { pk: S(pk), sk: N(1), n: N(2) },
    ]);
  });
});
