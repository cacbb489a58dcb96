import {
  type AttributeValue,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { REAL, unique } from '../../clients.ts';
import { db, N, put, query, S, TableName, update, withTable } from './table.ts';

withTable();

describe('indexes and pages', () => {
  const kind = unique('kind');
  const byKind = {
    IndexName: 'byKind',
    KeyConditionExpression: 'kind = :k',
    ExpressionAttributeValues: { ':k': S(kind) },
  };
  beforeAll(async () => {
    for (let at = 0; at < 7; at++) {
      // Three items share each rank: index keys are not unique.
      await put({
        pk: S(`${kind}-${at}`),
        sk: N(0),
        kind: S(kind),
        rank: N(Math.floor(at / 3)),
        extra: S('x'),
      });
    }
  });

  test.each([true, false])('return every item once in pages of 2, forward %p', async (ScanIndexForward) => {
    const seen: string[] = [];
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const page = await query({ ...byKind, Limit: 2, ScanIndexForward, ExclusiveStartKey });
      seen.push(...(page.Items ?? []).map(({ rank, pk }) => `${rank?.N} ${pk?.S}`));
      ExclusiveStartKey = page.LastEvaluatedKey;
      if (ExclusiveStartKey)
        expect(Object.keys(ExclusiveStartKey).sort()).toEqual(['kind', 'pk', 'rank', 'sk']);
    } while (ExclusiveStartKey);
    expect(new Set(seen).size).toBe(7);
    const ranks = seen.map((each) => each[0]);
    expect(ranks).toEqual(ScanIndexForward ? [...ranks].sort() : [...ranks].sort().reverse());
  });

  test('count Limit before the filter and return a key even at the end', async () => {
    const values = { ':k': S(kind), ':none': S('none') };
    const page = await query({
      ...byKind,
      Limit: 7,
      FilterExpression: 'extra = :none',
      ExpressionAttributeValues: values,
    });
    expect(page).toMatchObject({ Count: 0, ScannedCount: 7, Items: [] });
    expect(page.LastEvaluatedKey).toBeDefined();
  });

  test('follow an item whose key changes', async () => {
    const one = unique('one');
    const find = async (of: string) =>
      (await query({ ...byKind, ExpressionAttributeValues: { ':k': S(of) } })).Items ?? [];
    const pk = unique('moves');
    const item = { pk: S(pk), sk: N(0), kind: S(one), rank: N(1), extra: S('x') };
    await put(item);
    expect(await find(one)).toEqual([item]);
    await update(pk, {
      UpdateExpression: 'SET kind = :k',
      ExpressionAttributeValues: { ':k': S(`${one}-2`) },
    });
    expect(await find(one)).toEqual([]);
    expect(await find(`${one}-2`)).toHaveLength(1);
    await update(pk, { UpdateExpression: 'REMOVE kind' });
    expect(await find(`${one}-2`)).toEqual([]);
  });

  test.each<[string, Partial<QueryCommandInput>]>([
    ['a consistent read of an index', { ...byKind, ConsistentRead: true }],
    ['a starting key without the table key', { ...byKind, ExclusiveStartKey: { kind: S(kind), rank: N(0) } }],
    ['a filter on the key', { ...byKind, FilterExpression: 'kind = :k' }],
    ['an unknown index', { ...byKind, IndexName: 'missing' }],
    ['no hash condition', { KeyConditionExpression: 'sk = :k', ExpressionAttributeValues: { ':k': N(1) } }],
  ])('refuse %s', async (_case, input) => {
    await expect(query(input)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('of a scan return every item of the table, each in one page', async () => {
    const pks = Array.from({ length: 5 }, () => unique('scanned'));
    for (const pk of pks) await put({ pk: S(pk), sk: N(0) });
    const seen: string[] = [];
    let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
    do {
      const page = await db.send(
        new ScanCommand({ TableName, Limit: 3, ExclusiveStartKey, ConsistentRead: true }),
      );
      expect(page.Items?.length).toBeLessThanOrEqual(3);
      seen.push(...(page.Items ?? []).map(({ pk, sk }) => `${pk?.S} ${sk?.N}`));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(pks.map((pk) => `${pk} 0`)));
  });

  test('end a page at 1 MB', async () => {
    const pk = unique('megabyte');
    for (let sk = 0; sk < 4; sk++) await put({ pk: S(pk), sk: N(sk), text: S('x'.repeat(390_000)) });
    const page = await query({
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': S(pk) },
    });
    expect(page.Count).toBeLessThan(4);
    expect(page.LastEvaluatedKey).toBeDefined();
  });

  test.each([
    ['(pk = :p)', [0, 1, 2]],
    ['(pk = :p) AND (sk > :a)', [2]],
    ['(pk = :p AND sk > :a)', [2]],
    ['pk = :p AND (sk BETWEEN :a AND :a)', [1]],
    ['(sk = :a) and pk = :p', [1]],
  ])('allow parentheses in the key condition %s', async (condition, expected) => {
    const pk = unique('parentheses');
    for (const sk of [2, 0, 1]) await put({ pk: S(pk), sk: N(sk) });
    const page = await query({
      KeyConditionExpression: condition,
      ExpressionAttributeValues: { ':p': S(pk), ...(condition.includes(':a') && { ':a': N(1) }) },
      ProjectionExpression: 'sk',
    });
    expect(page.Items).toEqual(expected.map((sk) => ({ sk: N(sk) })));
  });

  test.each(['(pk = :p', 'pk = :p)', '()', '(pk = :p) (sk = :p)'])(
    'refuse the key condition %s',
    async (condition) => {
      await expect(
        query({ KeyConditionExpression: condition, ExpressionAttributeValues: { ':p': S('x') } }),
      ).rejects.toMatchObject({ name: 'ValidationException' });
    },
  );

  test.each<[string, Record<string, AttributeValue>, number[]]>([
    ['sk > :a', { ':a': N(1) }, [2, 3]],
    ['sk <= :a', { ':a': N(1) }, [-1, 0, 1]],
    ['sk BETWEEN :a AND :b', { ':a': N(0), ':b': N(2) }, [0, 1, 2]],
    ['sk = :a', { ':a': N(3) }, [3]],
    ['sk >= :a', { ':a': N(2) }, [2, 3]],
    ['sk < :a', { ':a': N(0) }, [-1]],
  ])('take the sort key condition %s', async (condition, values, expected) => {
    const pk = unique('range');
    for (const sk of [3, -1, 2, 0, 1]) await put({ pk: S(pk), sk: N(sk) });
    const page = await query({
      KeyConditionExpression: `pk = :p AND ${condition}`,
      ExpressionAttributeValues: { ':p': S(pk), ...values },
      ProjectionExpression: 'sk',
    });
    expect(page.Items).toEqual(expected.map((sk) => ({ sk: N(sk) })));
  });

  test('can be added later and are filled', async () => {
    const name = unique('later');
    const definitions = [{ AttributeName: 'id', AttributeType: 'S' as const }];
    await db.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: definitions,
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    await waitUntilTableExists({ client: db, maxWaitTime: 60 }, { TableName: name });
    await db.send(new PutItemCommand({ TableName: name, Item: { id: S('a'), tag: S('t') } }));
    await db.send(
      new UpdateTableCommand({
        TableName: name,
        AttributeDefinitions: [...definitions, { AttributeName: 'tag', AttributeType: 'S' }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: 'byTag',
              KeySchema: [{ AttributeName: 'tag', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
            },
          },
        ],
      }),
    );
    const status = async () =>
      (await db.send(new DescribeTableCommand({ TableName: name }))).Table?.GlobalSecondaryIndexes?.[0]
        ?.IndexStatus;
    while ((await status()) !== 'ACTIVE') await new Promise((resolve) => setTimeout(resolve, 500));
    const found = await db.send(
      new QueryCommand({
        TableName: name,
        IndexName: 'byTag',
        KeyConditionExpression: 'tag = :t',
        ExpressionAttributeValues: { ':t': S('t') },
      }),
    );
    expect(found.Items).toEqual([{ id: S('a'), tag: S('t') }]);
    if (REAL.dynamodb) await db.send(new DeleteTableCommand({ TableName: name }));
  });
});
