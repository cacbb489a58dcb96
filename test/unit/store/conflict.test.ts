import { describe, expect, test } from '@jest/globals';
import {
  conflictReason,
  failedPart,
  failureOf,
  ownRetry,
  wasRetried,
} from '../../../shared/store/write/conflict.ts';

const named = (name: string, members: object) => Object.assign(new Error(name), { name }, members);
const item = { _version: { N: '3' }, _write: { S: 'mine' } };

test('a failed condition shows the stored item', () => {
  expect(failureOf(named('ConditionalCheckFailedException', { Item: item }))).toMatchObject({ Item: item });
  expect(failureOf(named('ThrottlingException', {}))).toBeUndefined();
});

describe('the failed part of a transaction', () => {
  const canceled = (...codes: string[]) =>
    named('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

  test('is the first one with a failed condition, and lists the others', () => {
    const failed = failedPart(canceled('None', 'ConditionalCheckFailed', 'None', 'ConditionalCheckFailed'));
    expect(failed?.index).toBe(1);
    expect(failed?.all.map(({ index }) => index)).toEqual([1, 3]);
  });

  test('is undefined if DynamoDB canceled the transaction for another reason', () => {
    expect(failedPart(canceled('None', 'TransactionConflict'))).toBeUndefined();
    expect(failedPart(named('ConditionalCheckFailedException', {}))).toBeUndefined();
  });
});

describe('the reason of a conflict', () => {
  test.each([
    ['missing', undefined],
    ['stale', item],
  ])('is %s for the item %j', (kind, Item) => {
    expect(conflictReason({ Item })).toEqual({ kind });
  });
});

test('a retry of the SDK finds the write of its own first attempt', () => {
  expect(ownRetry({ Item: item }, 'mine')).toBe(item);
  expect(ownRetry({ Item: item }, 'another')).toBeUndefined();
  expect(ownRetry({}, 'mine')).toBeUndefined();
});

test('the SDK counts its attempts in the metadata of an error', () => {
  expect(wasRetried(named('Error', { $metadata: { attempts: 2 } }))).toBe(true);
  expect(wasRetried(named('Error', { $metadata: { attempts: 1 } }))).toBe(false);
  expect(wasRetried(named('Error', {}))).toBe(false);
});
