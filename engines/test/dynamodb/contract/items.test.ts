import { type AttributeValue, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { REAL, unique } from '../../clients.ts';
import { db, get, N, put, query, S, TableName, withTable } from './table.ts';

withTable();

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
