import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { members } from '../../../functions/members.ts';
import { orders } from '../../../functions/orders.ts';
import { wrongTable } from '../../../service/wrong-facts/tables.ts';
import { ANYONE, lacksTenant, ownerOf, SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { fromAttributes, toAttributes } from '../../../shared/store/form/attributes.ts';
import { visibleFailure } from '../../../shared/store/form/owner.ts';
import { tableOf } from '../../../shared/store/form/table.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { readItems } from '../../../shared/store/items/read-items.ts';
import { Pages } from '../../../shared/store/lists/pages.ts';
import { newItem } from '../../../shared/store/write/new-item.ts';
import { insertion, removal, replacement } from '../../../shared/store/write/write-requests.ts';

const owned: Resource = { ...members, owner: 'subject' };
const ADA = { subject: 'ada' };
const ada = ownerOf(owned, ADA) as string;
const bob = ownerOf(owned, { subject: 'bob' }) as string;
const item = { id: 7, version: 1, createdAt: 5, updatedAt: 5, values: { name: 'a' }, internal: {} };
const page = { limit: 1, offset: 0, sortOrder: [{ field: 'id', descending: false }], filters: [] };

beforeAll(() => {
  process.env.TABLES = 'members=members';
});

describe('the owner of items', () => {
  test('is unknown if the items have none', () => {
    expect(ownerOf(members, ADA)).toBeUndefined();
  });

  test('is unknown to the service itself, which sees the items of all owners', () => {
    expect(ownerOf(owned, SERVICE)).toBeUndefined();
  });

  test('differs for different subjects and tenants', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (subject, tenant) => {
        const caller = { subject, tenant };
        const others = { subject: `${subject}x`, tenant: `${tenant}x` };
        const owners = (['subject', 'tenant'] as const).flatMap((owner) => [
          ownerOf({ owner }, caller),
          ownerOf({ owner }, others),
        ]);
        expect(new Set(owners).size).toBe(4);
        for (const one of owners) expect(one).toHaveLength(43);
      }),
    );
  });

  test('is an error for a caller without a tenant, whom the flow refuses', () => {
    const caller = ADA;
    expect(lacksTenant({ owner: 'tenant' }, caller)).toBe(true);
    expect(() => ownerOf({ owner: 'tenant' }, caller)).toThrow('without a tenant');
    expect(lacksTenant({ owner: 'tenant' }, { ...caller, tenant: 'acme' })).toBe(false);
    expect(lacksTenant({ owner: 'subject' }, caller)).toBe(false);
    expect(lacksTenant({ owner: 'tenant' }, ANYONE)).toBe(false);
  });
});

describe('the store', () => {
  test('refuses a new item without an owner, and the list of all owners', async () => {
    const missing = 'Items of members have owners';
    expect(() => insertion({ resource: owned, shards: 4 }, item)).toThrow(missing);
    await expect(new Pages(owned).list(SERVICE, page)).rejects.toThrow(missing);
    await expect(new Pages(owned).list(SERVICE, page, { field: 'customerId', value: 1 })).rejects.toThrow(
      missing,
    );
    await expect(new Pages(owned).size(SERVICE, 1)).rejects.toThrow(missing);
  });

  test('names the caller as the owner and the author of a new item', () => {
    const made = { owner: ada, createdBy: 'ada', updatedBy: 'ada', version: 1, createdAt: 9, id: 7 };
    expect(newItem(owned, ADA, 9, {}, 7)).toMatchObject(made);
    expect(newItem(members, ADA, 9, {}, 7)).toMatchObject({ ...made, owner: undefined });
  });

  test('stores the owner with a new item, and reads it', () => {
    const attributes = toAttributes(owned, { ...item, owner: ada }, 4);
    expect(attributes._owner).toEqual({ S: ada });
    expect(members.description && fromAttributes(members.description, attributes).owner).toBe(ada);
  });

  test('stores no owner if the items have none', () => {
    expect(toAttributes(members, item, 4)).not.toHaveProperty('_owner');
  });

  test('writes only to items of the owner', () => {
    for (const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } of [
      replacement({ resource: owned, shards: 4 }, 7, {}, { caller: ADA, now: 9 }),
      removal(owned, 7, ADA),
    ]) {
      const [name] = Object.entries(ExpressionAttributeNames).find(([, one]) => one === '_owner') ?? [];
      const [value] = Object.entries(ExpressionAttributeValues ?? {}).find(([, { S }]) => S === ada) ?? [];
      expect(ConditionExpression).toContain(`${name} = ${value}`);
    }
  });

  test('hides the item of another owner from a failed write', () => {
    const failure = { Item: { _owner: { S: ada } } };
    expect(visibleFailure(failure, ada)).toBe(failure);
    expect(visibleFailure(failure, bob)).toEqual({});
    expect(visibleFailure({ Item: {} }, bob)).toEqual({});
    expect(visibleFailure(failure, undefined)).toBe(failure);
  });
});

describe('the table', () => {
  test('has the lists of owners in the place of the list of all items', () => {
    const indexes = (resource: Resource) => tableOf(resource).indexes;
    expect(indexes(owned)).toHaveLength(indexes(members).length);
    for (const { name, partition, partitionType } of indexes(owned))
      expect([name, partition, partitionType]).toEqual([expect.stringMatching(/^_owner_by_/), '_owner', 'S']);
  });

  test('refuses owners where another caller could notice an item', () => {
    const file: Resource = {
      ...members,
      owner: 'subject',
      description: members.description && {
        ...members.description,
        identifier: { ...members.description.identifier, kind: 'text' },
      },
    };
    for (const one of [file, { ...orders, owner: 'subject' } as const])
      expect(wrongTable(one)).toEqual([
        `${one.name} has owners, so it needs integer identifiers and no other lists`,
      ]);
  });
});

// The compiler checks this test: each directive marks a line that must not compile.

test('work on items for no caller does not compile', () => {
  const pages = new Pages(members);
  const wrong = [
    // @ts-expect-error the caller is missing
    () => itemsOf(members),
    // @ts-expect-error the page is not a caller
    () => pages.list(page),
    // @ts-expect-error the caller is missing
    () => readItems({ name: 'members', description: members.description }, [7]),
    // @ts-expect-error the caller is missing
    () => removal(members, 7),
    // @ts-expect-error the caller is missing
    () => replacement(members, 7, {}, { now: 9 }),
  ];
  expect(wrong).toHaveLength(5);
});
