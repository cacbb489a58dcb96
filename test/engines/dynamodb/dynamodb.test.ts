import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type QueryCommandInput,
  type UpdateItemCommandInput,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '#dynamodb';
import { onAws } from '../../support/differences.ts';
import { openClients, REAL, unique } from '../clients.ts';

const clients = openClients();
/** The client of the service. The client of the SDK has the operations on tables. */
const db = clients.items;
const tables = clients.dynamodb;
const TableName = unique('contract');
const S = (text: string): AttributeValue => ({ S: text });
const N = (text: string | number): AttributeValue => ({ N: String(text) });

beforeAll(async () => {
  await tables.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
        { AttributeName: 'kind', AttributeType: 'S' },
        { AttributeName: 'rank', AttributeType: 'N' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byKind',
          KeySchema: [
            { AttributeName: 'kind', KeyType: 'HASH' },
            { AttributeName: 'rank', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
  await waitUntilTableExists({ client: tables, maxWaitTime: 60 }, { TableName });
});

afterAll(async () => {
  if (REAL.dynamodb) await tables.send(new DeleteTableCommand({ TableName }));
  await clients.close();
});

const put = (Item: Record<string, AttributeValue>) => db.send(new PutItemCommand({ TableName, Item }));
const get = async (pk: string, sk: number | string = 0) =>
  (await db.send(new GetItemCommand({ TableName, Key: { pk: S(pk), sk: N(sk) }, ConsistentRead: true })))
    .Item;
const query = (input: Partial<QueryCommandInput>) => db.send(new QueryCommand({ TableName, ...input }));
const update = (pk: string, input: Partial<UpdateItemCommandInput>) =>
  db.send(
    new UpdateItemCommand({ TableName, Key: { pk: S(pk), sk: N(0) }, ReturnValues: 'ALL_NEW', ...input }),
  );

describe('items', () => {
  test('of every type come back as they were put', async () => {
    const pk = unique('types');
    const item = {
      pk: S(pk),
      sk: N(0),
      empty: S(''),
      unicode: S('é \u{1F600} \u0000 "<&'),
      binary: { B: new Uint8Array([0, 255, 128]) },
      yes: { BOOL: true },
      nothing: { NULL: true },
      list: { L: [S('a'), N(1), { L: [] }, { M: {} }] },
      map: { M: { constructor: S('own'), toString: S('own') } },
      numbers: { NS: ['1', '2'] },
    };
    await put(item as Record<string, AttributeValue>);
    expect(await get(pk)).toEqual(item);
  });

  test.each([
    ['1.0', '1'],
    ['1e0', '1'],
    ['-0', '0'],
    ['0.00120', '0.0012'],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ])('store the number %s as %s', async (given, stored) => {
    const pk = unique('canonical');
    await put({ pk: S(pk), sk: N(given), value: N(given) });
    expect((await get(pk, stored))?.value).toEqual(N(stored));
  });

  test.each(['abc', '1e126', '1e-131', '1'.repeat(39), ''])('refuse the number %p', async (value) => {
    await expect(put({ pk: S('x'), sk: N(0), value: N(value) })).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  test.each<[string, Record<string, AttributeValue>]>([
    ['a missing key', { pk: S('a') }],
    ['a key of the wrong type', { pk: S('a'), sk: S('0') }],
    ['an empty key', { pk: S(''), sk: N(0) }],
    ['a key of more than 2048 bytes', { pk: S('é'.repeat(1025)), sk: N(0) }],
    ['an index key of the wrong type', { pk: S('a'), sk: N(0), kind: N(1) }],
    ['an empty index key', { pk: S('a'), sk: N(0), kind: S(''), rank: N(1) }],
    ['more than 400 KB', { pk: S('a'), sk: N(0), text: S('é'.repeat(205_000)) }],
    ['an empty set', { pk: S('a'), sk: N(0), set: { SS: [] } }],
    ['a set with duplicates', { pk: S('a'), sk: N(0), set: { SS: ['a', 'a'] } }],
  ])('refuse %s', async (_case, item) => {
    await expect(put(item)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('can be in the error of a failed condition', async () => {
    const pk = unique('condition');
    await put({ pk: S(pk), sk: N(0), a: N(1) });
    const again = db.send(
      new PutItemCommand({
        TableName,
        Item: { pk: S(pk), sk: N(0) },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    await expect(again).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'The conditional request failed',
      Item: { pk: S(pk), sk: N(0), a: N(1) },
    });
  });

  test('have one winner among many conditional puts', async () => {
    const pk = unique('race');
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) =>
        db.send(
          new PutItemCommand({
            TableName,
            Item: { pk: S(pk), sk: N(0), at: N(at) },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('are gone after a delete, which returns the old item', async () => {
    const pk = unique('delete');
    await put({ pk: S(pk), sk: N(0), a: N(1) });
    const Key = { pk: S(pk), sk: N(0) };
    const deleted = await db.send(new DeleteItemCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }));
    expect(deleted.Attributes).toEqual({ pk: S(pk), sk: N(0), a: N(1) });
    expect(await get(pk)).toBeUndefined();
  });
});

describe('number keys', () => {
  const edge = fc.constantFrom(
    ...[
      '0',
      '1e-130',
      '-1e-130',
      '9.9e125',
      '-9.9e125',
      '1e125',
      '-1e125',
      '1',
      '-1',
      '10',
      '-10',
      '1.01',
      '-1.01',
    ],
  );
  const any = fc
    .tuple(fc.boolean(), fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: -130, max: 112 }))
    .map(([negative, digits, exponent]) => `${negative ? '-' : ''}${digits}e${exponent}`);

  test('are in numeric order over the full range', async () => {
    // Integers on a common scale are the oracle.
    const scaled = (text: string): bigint => {
      const [mantissa = '0', exponent = '0'] = text.split('e');
      const [whole = '', fraction = ''] = mantissa.split('.');
      return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) + 150 - fraction.length);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.oneof(edge, any), { minLength: 2, maxLength: 20, selector: scaled }),
        async (numbers) => {
          const pk = unique('order');
          await Promise.all(numbers.map((number, at) => put({ pk: S(pk), sk: N(number), at: N(at) })));
          const page = await query({
            KeyConditionExpression: 'pk = :p',
            ExpressionAttributeValues: { ':p': S(pk) },
          });
          const order = (page.Items ?? []).map(({ at }) => scaled(numbers[Number(at?.N)] as string));
          expect(order).toEqual(numbers.map(scaled).sort((a, b) => (a < b ? -1 : 1)));
        },
      ),
      { numRuns: REAL.dynamodb ? 3 : 40 },
    );
  });
});

describe('conditions', () => {
  const pk = unique('conditions');
  beforeAll(() =>
    put({
      pk: S(pk),
      sk: N(0),
      text: S('\u{1F600}'),
      num: N(5),
      blank: S(''),
      bytes: { B: new Uint8Array([0xff, 1]) },
      tags: { SS: ['b', 'a'] },
      list: { L: [S('x'), { M: { y: N(1) } }] },
      map: { M: { a: N(1), b: { L: [N(2)] } } },
    }),
  );

  test.each<[string, Record<string, AttributeValue> | undefined, boolean]>([
    ['NOT num = :a AND num = :a OR num = :b', { ':a': N(1), ':b': N(5) }, true],
    ['(num = :a OR num = :b) AND num > :b', { ':a': N(1), ':b': N(5) }, false],
    ['nope <> :a', { ':a': N(1) }, true],
    ['nope = :a', { ':a': N(1) }, false],
    ['num < :a', { ':a': S('9') }, false],
    ['blank >= :a AND num <= :b', { ':a': S(''), ':b': N('5.0') }, true],
    ['#map = :m', { ':m': { M: { b: { L: [N(2)] }, a: N(1) } } }, true],
    ['tags = :t', { ':t': { SS: ['a', 'b'] } }, true],
    // UTF-16 units would order these in reverse.
    ['#text > :t', { ':t': S('\uFFFD') }, true],
    ['begins_with(#bytes, :b)', { ':b': { B: new Uint8Array([0xff]) } }, true],
    ['begins_with(#bytes, :b)', { ':b': { B: new Uint8Array([0xfe]) } }, false],
    ['contains(#bytes, :b)', { ':b': { B: new Uint8Array([0xff]) } }, true],
    ['contains(#text, :t)', { ':t': S('no such text') }, false],
    ['contains(zzz, :t)', { ':t': S('') }, false],
    ['attribute_exists(zzz)', undefined, false],
    ['attribute_not_exists(zzz) AND attribute_exists(#list)', undefined, true],
  ])('%s with %j', async (FilterExpression, values, holds) => {
    const names = { '#map': 'map', '#text': 'text', '#bytes': 'bytes', '#list': 'list' };
    const used = Object.entries(names).filter(([name]) => FilterExpression.includes(name));
    const page = await query({
      KeyConditionExpression: 'pk = :pk',
      FilterExpression,
      ...(used.length > 0 && { ExpressionAttributeNames: Object.fromEntries(used) }),
      ExpressionAttributeValues: { ':pk': S(pk), ...values },
    });
    expect(page).toMatchObject({ Count: holds ? 1 : 0, ScannedCount: 1 });
  });

  test.each<[string, Partial<UpdateItemCommandInput>]>([
    ['a reserved word', { ConditionExpression: 'attribute_exists(name)' }],
    ['an undefined name', { ConditionExpression: 'attribute_exists(#a)' }],
    ['an undefined value', { ConditionExpression: 'a = :a' }],
    [
      'an unused value',
      { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeValues: { ':a': N(1) } },
    ],
    [
      'an unused name',
      { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeNames: { '#a': 'a' } },
    ],
    ['names without an expression', { ExpressionAttributeNames: { '#a': 'a' } }],
    ['a syntax error', { ConditionExpression: 'attribute_exists(a) AND' }],
    ['overlapping paths', { UpdateExpression: 'SET a = b REMOVE a' }],
    ['a clause twice', { UpdateExpression: 'REMOVE a REMOVE b' }],
    ['a key attribute', { UpdateExpression: 'REMOVE sk' }],
  ])('%s is refused', async (_case, input) => {
    await expect(update(pk, input)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('updates', () => {
  const changed = async (item: Record<string, AttributeValue>, input: Partial<UpdateItemCommandInput>) => {
    const pk = unique('update');
    await put({ pk: S(pk), sk: N(0), ...item });
    const { pk: _pk, sk: _sk, ...rest } = (await update(pk, input)).Attributes ?? {};
    return rest;
  };

  test('read the item before the update on the right-hand sides', async () => {
    const swapped = await changed({ a: N(1), b: N(2) }, { UpdateExpression: 'SET a = b, b = a' });
    expect(swapped).toEqual({ a: N(2), b: N(1) });
  });

  test('support functions, arithmetic and removal', async () => {
    const result = await changed(
      { n: N(1), o: N('0.1'), gone: { L: [S('a')] } },
      {
        UpdateExpression:
          'SET n = n - :two, m = if_not_exists(m, :two) + :two REMOVE gone, never ADD o :tenths, p :two',
        ExpressionAttributeValues: { ':two': N(2), ':tenths': N('0.2') },
      },
    );
    expect(result).toEqual({ n: N(-1), m: N(4), o: N('0.3'), p: N(2) });
  });

  test('refuse a sum of more than 38 digits', async () => {
    const sum = changed(
      { n: N('9'.repeat(38)) },
      { UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': N('0.5') } },
    );
    await expect(sum).rejects.toMatchObject({ name: 'ValidationException' });
  });

  // "Supported data types and naming rules", Number
  const addExactly = async (n: string, addend: string, sum: string) => {
    const input = { UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': N(addend) } };
    expect(await changed({ n: N(n) }, input)).toEqual({ n: N(sum) });
  };
  test.each([
    ['9'.repeat(38), '1', `1${'0'.repeat(38)}`],
    ['1e37', '-1', '9'.repeat(37)],
  ])('add %s and %s exactly', addExactly);
  onAws('a sum has no zeros at its end').each([
    ['99.9', '0.1', '100'],
    ['1e-130', '-1e-130', '0'],
  ])('add %s and %s without zeros at the end', addExactly);

  test.each(['9.99e125', '1e125'])('refuse a sum that is too large, of 9.99e125 and %s', async (addend) => {
    const input = { UpdateExpression: 'SET n = n + :n', ExpressionAttributeValues: { ':n': N(addend) } };
    await expect(changed({ n: N('9.99e125') }, input)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('return the old item for ALL_OLD', async () => {
    const pk = unique('before');
    await put({ pk: S(pk), sk: N(0), a: N(1) });
    const values = { ':two': N(2) };
    const input = { UpdateExpression: 'SET a = :two', ExpressionAttributeValues: values };
    expect((await update(pk, { ...input, ReturnValues: 'ALL_OLD' })).Attributes).toMatchObject({ a: N(1) });
    expect((await update(pk, { ...input, ReturnValues: 'NONE' })).Attributes).toBeUndefined();
  });

  test('create the item if it is missing', async () => {
    const pk = unique('upsert');
    await update(pk, { UpdateExpression: 'ADD n :n', ExpressionAttributeValues: { ':n': N(1) } });
    expect(await get(pk)).toEqual({ pk: S(pk), sk: N(0), n: N(1) });
  });
});

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
    await tables.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: definitions,
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    await waitUntilTableExists({ client: tables, maxWaitTime: 60 }, { TableName: name });
    await db.send(new PutItemCommand({ TableName: name, Item: { id: S('a'), tag: S('t') } }));
    await tables.send(
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
      (await tables.send(new DescribeTableCommand({ TableName: name }))).Table?.GlobalSecondaryIndexes?.[0]
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
    if (REAL.dynamodb) await tables.send(new DeleteTableCommand({ TableName: name }));
  });
});

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
      await expect(tables.send(new DescribeTableCommand({ TableName: name }))).rejects.toMatchObject(refused);
      const Key = { pk: S('x'), sk: N(0) };
      await expect(db.send(new GetItemCommand({ TableName: name, Key }))).rejects.toMatchObject(refused);
    },
  );

  test('describes the billing, the name and the item count of a table', async () => {
    const name = unique('described');
    const made = await tables.send(
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
    await waitUntilTableExists({ client: tables, maxWaitTime: 60 }, { TableName: name });
    await db.send(new PutItemCommand({ TableName: name, Item: { id: S('a') } }));
    const { Table } = await tables.send(new DescribeTableCommand({ TableName: name }));
    expect(Table).toMatchObject({ ...facts, ItemCount: 1 });
  });

  onAws('a table has an identifier')('describes the identifier of a table', async () => {
    const { Table } = await tables.send(new DescribeTableCommand({ TableName }));
    expect(Table?.TableId).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test.each(['', 'x'.repeat(256)])(
    'needs the name of an attribute for the time to live, not %j',
    async (AttributeName) => {
      const TimeToLiveSpecification = { AttributeName, Enabled: true };
      await expect(
        tables.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })),
      ).rejects.toMatchObject({ name: 'ValidationException' });
    },
  );
});
