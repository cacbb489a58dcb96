import { beforeAll, describe, expect, test } from '@jest/globals';
import { members } from '../../../functions/members.ts';
import { orders } from '../../../functions/orders.ts';
import { ANYONE } from '../../../shared/resource/access/owner.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { insertion, removal, replacement } from '../../../shared/store/write/write-requests.ts';

beforeAll(() => {
  process.env.TABLES = 'members=members orders=orders';
});

const agreed = (resource: Resource) => ({ resource, shards: 4 });

interface Written {
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
}

/** An expression with names in the places of their placeholders. */
const named = (written: Written, expression: string | undefined): string | undefined =>
  expression?.replace(/#\d+/g, (placeholder) => written.ExpressionAttributeNames[placeholder] ?? '?');
const condition = (written: Written) => named(written, written.ConditionExpression);

const item = { id: 7, version: 1, createdAt: 5, updatedAt: 5, values: { name: 'a' }, internal: {} };

describe('the condition of a write', () => {
  test('is a free identifier for a new item', () => {
    expect(condition(insertion(agreed(members), item))).toBe('attribute_not_exists(id)');
  });

  test('is the expected version for a replacement', () => {
    expect(condition(replacement(agreed(members), 7, {}, { caller: ANYONE, now: 9, version: 3 }))).toMatch(
      /^attribute_exists\(id\) AND _version = :\d+$/,
    );
  });

  test('is a new token for a replacement of any version, so that a retry of the SDK has no second effect', () => {
    expect(condition(replacement(agreed(members), 7, {}, { caller: ANYONE, now: 9 }))).toMatch(
      /^attribute_exists\(id\) AND \(attribute_not_exists\(_write\) OR _write <> :\d+\)$/,
    );
  });

  test('is existence for a removal, and the version if the caller gives it', () => {
    expect(condition(removal(members, 7, ANYONE))).toBe('attribute_exists(id)');
    expect(condition(removal(members, 7, ANYONE, 3))).toBe('attribute_exists(id) AND _version = :2');
  });
});

describe('a replacement', () => {
  const removed = (written: Written) =>
    /REMOVE (.*) ADD/.exec(named(written, written.UpdateExpression) ?? '')?.[1];

  test('removes the properties that the new values lack, also undeclared ones', () => {
    expect(removed(replacement(agreed(members), 7, { name: 'b' }, { caller: ANYONE, now: 9 }))).toBe(
      'username, email, age, _open',
    );
  });

  test('keeps the fields that a PUT keeps', () => {
    expect(removed(replacement(agreed(orders), 7, { productId: 1 }, { caller: ANYONE, now: 9 }))).toBe(
      'orderValue, quantity, _open',
    );
  });

  test('removes a field that a PUT keeps for null', () => {
    expect(
      removed(replacement(agreed(orders), 7, { productId: 1, customerId: null }, { caller: ANYONE, now: 9 })),
    ).toBe('customerId, orderValue, quantity, _open');
  });

  test('does not write the creation time or its sort key', () => {
    const { ExpressionAttributeNames: names } = replacement(
      agreed(members),
      7,
      { name: 'b' },
      { caller: ANYONE, now: 9 },
    );
    expect(Object.values(names)).not.toEqual(expect.arrayContaining(['_created']));
    expect(Object.values(names)).toEqual(expect.arrayContaining(['_by_name', '_by_age', '_by_username']));
  });
});

test('a replacement names bytes, and removes those of a property that gets a value', () => {
  const binaries = {
    set: { photo: { key: 'k', contentType: 'image/png', size: 1, sha256: 'YQ==', storedAt: 1 } },
    remove: ['scan'],
  };
  const written = replacement(
    agreed(members),
    7,
    { name: 'a', note: 'x' },
    { caller: ANYONE, now: 9, binaries },
  );
  const expression = named(written, written.UpdateExpression);
  expect(expression).toMatch(/^SET .*_bytes_photo = :\d+/);
  expect(expression).toMatch(/ REMOVE .*_bytes_scan, _bytes_note ADD _version :\d+$/);
});
