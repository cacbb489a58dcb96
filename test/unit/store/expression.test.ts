import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import {
  and,
  attributeExists,
  attributeNotExists,
  type Condition,
  compare,
  conditionExpression,
  or,
  readExpression,
  updateExpression,
} from '../../../shared/store/write/expression.ts';

const N = (value: number) => ({ N: String(value) });
const S = (value: string) => ({ S: value });

interface Written {
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
}

/** An expression with names and values in the places of their placeholders. */
const resolved = (expression: string | undefined, written: Written): string | undefined =>
  expression
    ?.replace(/#\d+/g, (placeholder) => written.ExpressionAttributeNames[placeholder] ?? placeholder)
    .replace(/:\d+/g, (placeholder) => JSON.stringify(written.ExpressionAttributeValues?.[placeholder]));

/** Source: Amazon DynamoDB Developer Guide, "Update expressions", with values in the places of placeholders. */
describe('an update has the form of the documentation', () => {
  test.each<[string, Parameters<typeof updateExpression>[0]]>([
    [
      'SET ProductCategory = {"S":"Hardware"}, Price = {"N":"60"}',
      { set: { ProductCategory: S('Hardware'), Price: N(60) } },
    ],
    ['SET Price = if_not_exists(Price, {"N":"100"})', { set: { Price: N(100) }, initial: ['Price'] }],
    ['REMOVE Brand, InStock, QuantityOnHand', { remove: ['Brand', 'InStock', 'QuantityOnHand'] }],
    ['ADD QuantityOnHand {"N":"5"}', { add: { QuantityOnHand: N(5) } }],
    [
      'SET Price = {"N":"60"} REMOVE InStock ADD QuantityOnHand {"N":"5"}',
      { set: { Price: N(60) }, remove: ['InStock'], add: { QuantityOnHand: N(5) } },
    ],
  ])('%s', (expected, changes) => {
    const written = updateExpression(changes);
    expect(resolved(written.UpdateExpression, written)).toBe(expected);
    expect(written.ConditionExpression).toBeUndefined();
  });
});

/** Source: Amazon DynamoDB Developer Guide, "Condition expression CLI example" and "Comparison operator reference". */
describe('a condition has the form of the documentation', () => {
  const status = (value: string) => compare('status', '=', S(value));
  test.each<[string, Condition]>([
    ['attribute_exists(Price)', attributeExists('Price')],
    ['attribute_not_exists(Id)', attributeNotExists('Id')],
    ['Price > {"N":"500"}', compare('Price', '>', N(500))],
    ['Price <> {"N":"500"}', compare('Price', '<>', N(500))],
    [
      'attribute_exists(Id) AND Price <= {"N":"500"}',
      and(attributeExists('Id'), compare('Price', '<=', N(500))),
    ],
    [
      '(status = {"S":"a"} OR status = {"S":"b"}) AND attribute_exists(Id)',
      and(or(status('a'), status('b')), attributeExists('Id')),
    ],
  ])('%s', (expected, condition) => {
    const written = conditionExpression(condition);
    expect(resolved(written.ConditionExpression, written)).toBe(expected);
  });
});

describe('placeholders', () => {
  test('stand for every name, so that a reserved word is not an error', () => {
    const written = conditionExpression(attributeExists('name'));
    expect(written).toEqual({
      ConditionExpression: 'attribute_exists(#0)',
      ExpressionAttributeNames: { '#0': 'name' },
    });
  });

  test('leave out the map of values if a condition has no value, because DynamoDB refuses an empty map', () => {
    expect(conditionExpression(attributeNotExists('id'))).not.toHaveProperty('ExpressionAttributeValues');
  });

  test('are shared by an update and its condition', () => {
    const token = S('write');
    const written = updateExpression(
      { set: { _write: token } },
      or(attributeNotExists('_write'), compare('_write', '<>', token)),
    );
    expect(written).toEqual({
      UpdateExpression: 'SET #0 = :1',
      ConditionExpression: '(attribute_not_exists(#0) OR #0 <> :1)',
      ExpressionAttributeNames: { '#0': '_write' },
      ExpressionAttributeValues: { ':1': token },
    });
  });

  test('keep names of the prototype of objects apart', () => {
    const written = updateExpression({ remove: ['__proto__', 'constructor'] });
    expect(written.ExpressionAttributeNames).toEqual({ '#0': '__proto__', '#1': 'constructor' });
  });
});

describe('a read', () => {
  test('has the conditions of key and filter, and the attributes that it returns', () => {
    const written = readExpression({
      key: and(compare('_shard', '=', N(1)), compare('price', '>=', N(5))),
      filter: compare('status', '=', S('paid')),
      only: ['price', 'id'],
    });
    expect(resolved(written.KeyConditionExpression, written)).toBe(
      '_shard = {"N":"1"} AND price >= {"N":"5"}',
    );
    expect(resolved(written.FilterExpression, written)).toBe('status = {"S":"paid"}');
    expect(resolved(written.ProjectionExpression, written)).toBe('price, id');
  });

  test('returns an attribute once, even if the caller names it twice', () => {
    expect(readExpression({ only: ['id', 'id'] })).toEqual({
      ProjectionExpression: '#0',
      ExpressionAttributeNames: { '#0': 'id' },
    });
  });
});
