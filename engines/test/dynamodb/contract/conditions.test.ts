import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { unique } from '../../clients.ts';
import { N, put, query, S, update, withTable } from './table.ts';

withTable();

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
    ['size(tags) <= :a AND size(tags) > :b', { ':a': N(2), ':b': N(1) }, true],
    ['size(tags) <= :a', { ':a': N(1) }, false],
    ['size(zzz) <= :a', { ':a': N(1) }, false],
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
