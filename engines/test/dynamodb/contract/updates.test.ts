import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { onAws } from '../../../../test/support/differences.ts';
import { unique } from '../../clients.ts';
import { get, N, put, S, update, withTable } from './table.ts';

withTable();

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

  // "Update expressions", ADD and DELETE
  test.each<[expression: string, before: string[] | undefined, after: string[] | undefined]>([
    ['ADD tags :t', undefined, ['a', 'b']],
    ['ADD tags :t', ['b', 'c'], ['a', 'b', 'c']],
    ['DELETE tags :t', ['a', 'b', 'c'], ['c']],
    ['DELETE tags :t', ['b', 'a'], undefined],
    ['DELETE tags :t', undefined, undefined],
  ])('%s changes the members of the set %j', async (expression, before, after) => {
    const result = await changed(before ? { tags: { SS: before } } : {}, {
      UpdateExpression: expression,
      ExpressionAttributeValues: { ':t': { SS: ['a', 'b'] } },
    });
    expect(result.tags?.SS?.toSorted()).toEqual(after);
  });
  test('make a set that equals the same members in another order', async () => {
    const pk = unique('update');
    await put({ pk: S(pk), sk: N(0), tags: { SS: ['c'] } });
    const add = { UpdateExpression: 'ADD tags :t', ExpressionAttributeValues: { ':t': { SS: ['a', 'b'] } } };
    await update(pk, add);
    const { Attributes } = await update(pk, {
      UpdateExpression: 'SET n = :n',
      ConditionExpression: 'tags = :t',
      ExpressionAttributeValues: { ':n': N(1), ':t': { SS: ['b', 'c', 'a'] } },
    });
    expect(Attributes?.n).toEqual(N(1));
  });
  test.each(['ADD', 'DELETE'])('refuse to %s texts of a number', async (clause) => {
    const input = { UpdateExpression: `${clause} n :t`, ExpressionAttributeValues: { ':t': { SS: ['a'] } } };
    await expect(changed({ n: N(1) }, input)).rejects.toMatchObject({ name: 'ValidationException' });
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
