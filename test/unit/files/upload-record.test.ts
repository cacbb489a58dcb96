import { expect, test } from '@jest/globals';
import type { ObjectCondition } from '../../../shared/files/objects.ts';
import {
  fromStoredCondition,
  isMadeOf,
  metadataOf,
  sentTo,
  stagedAt,
  toStoredCondition,
} from '../../../shared/files/uploads/record.ts';
import { parseEntityTag } from '../../../shared/http/conditional/entity-tag.ts';

const etag = parseEntityTag('"a"')!;

test.each<[string, ObjectCondition, object | undefined]>([
  ['an entity tag', { kind: 'etag', etag }, { etag }],
  ['absence', { kind: 'absent' }, { absent: true }],
  ['nothing', undefined, undefined],
])('a condition on %s has the stored shape of earlier releases', (_what, condition, stored) => {
  expect(toStoredCondition(condition)).toEqual(stored);
  expect(
    fromStoredCondition(JSON.parse(JSON.stringify({ stored: toStoredCondition(condition) })).stored),
  ).toEqual(condition);
});

test('the key of an upload leads back to its operation and its index', () => {
  expect(sentTo(stagedAt(12, 3))).toEqual({ operation: 12, at: 3 });
  for (const other of ['12/x', '12/3x', 'x12/3', '12/3/4', '12', '/3'])
    expect([other, sentTo(other)]).toEqual([other, undefined]);
});

test('the metadata of a file name the upload that it was made of', () => {
  const facts = { etag, size: 1, lastModified: 0, mediaType: 'a/b', metadata: metadataOf(12, 3) };
  expect(isMadeOf(facts, 12, 3)).toBe(true);
  expect(isMadeOf(facts, 12, 4)).toBe(false);
  expect(isMadeOf(facts, 13, 3)).toBe(false);
  expect(isMadeOf(undefined, 12, 3)).toBe(false);
});
