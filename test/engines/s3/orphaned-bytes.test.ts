import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { orphanedKeys } from '../../../functions/events/orphaned-bytes.ts';
import { removeUnnamed } from '../../../shared/files/binaries/leftovers.ts';
import { storedBinaries } from '../../../shared/files/binaries/storage.ts';
import { bytesAndItems } from '../../../shared/files/comparison/bytes.ts';
import { compareWhole } from '../../../shared/files/comparison/compare.ts';
import { Objects } from '../../../shared/files/objects.ts';
import { ANYONE, SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { binaryActions } from '../../../shared/store/actions/binary-actions.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { toAttributes } from '../../../shared/store/form/attributes.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { withTimePassed } from '../../support/clock.ts';
import { attached, resourceOf } from '../attached.ts';

const QUARTER_HOUR = 15 * 60_000;
const PNG = { bytes: Buffer.from('png'), mediaType: 'image/png' };

/** Makes DynamoDB fail while it is true. */
let isDown = false;
attached((call, pass) => {
  if (isDown && call[0].headers['x-amz-target']?.includes('DynamoDB'))
    throw Object.assign(new Error('gone'), { name: 'TimeoutError' });
  return pass(...call);
});
beforeEach(() => {
  isDown = false;
});

const members = resourceOf('members');
const sweepBytes = () => compareWhole(bytesAndItems([members], Number.POSITIVE_INFINITY));
const items = itemsOf(members, SERVICE);
const objects = new Objects('');
let last = 0;

/** A new member with a photo. */
async function withPhoto(): Promise<Item> {
  last += 1;
  const item = { id: last, version: 1, createdAt: 0, updatedAt: 0, values: { name: 'a' }, internal: {} };
  const result = await items.insert(item, { binaries: [{ name: 'photo', sent: PNG }] });
  if (result.kind !== 'written') throw new Error(result.kind);
  return result.item;
}
const keyOf = (item: Item | undefined) => item?.binaries?.photo?.key as string;
const stored = async () => {
  const keys: string[] = [];
  for await (const { key } of new Objects('binaries/').list()) keys.push(`binaries/${key}`);
  return keys;
};
/** Bytes that a writer stored before it crashed. */
const crashed = async () => {
  last += 1;
  return (await storedBinaries.store({ resource: 'members', id: last }, PNG, Date.now())).key;
};

// Specification 2.29
describe('a notification of S3 about bytes', () => {
  test('leaves bytes that an item names', async () => {
    const key = keyOf(await withPhoto());
    await removeUnnamed([members], key);
    await withTimePassed(2 * QUARTER_HOUR, () => removeUnnamed([members], key));
    expect(await objects.head(key)).toBeDefined();
  });

  test('is too early while a writer can run, and removes the bytes later', async () => {
    const key = await crashed();
    await expect(withTimePassed(60_000, () => removeUnnamed([members], key))).rejects.toThrow();
    expect(await objects.head(key)).toBeDefined();
    await withTimePassed(2 * QUARTER_HOUR, () => removeUnnamed([members], key));
    expect(await objects.head(key)).toBeUndefined();
    await removeUnnamed([members], key);
  });
});

// Specification 2.29, 5.4
test('the start of the local service removes the bytes that no item names, and no others', async () => {
  const named = keyOf(await withPhoto());
  const unnamed = await crashed();
  await sweepBytes();
  expect(await stored()).toContain(named);
  expect(await stored()).not.toContain(unnamed);
});

// Specification 2.29
describe('a write', () => {
  test('that fails for good removes its bytes', async () => {
    const before = await stored();
    const binaries = [{ name: 'photo', sent: PNG }];
    const result = await items.replace(4_000_000_000_000, { name: 'a' }, { now: 1, binaries });
    expect(result.kind).toBe('missing');
    expect(await stored()).toEqual(before);
  });

  test('whose result is unknown leaves them to the reconciliation', async () => {
    const before = await stored();
    const write = binaryActions(members).write;
    const { id } = await withPhoto();
    const input = { id: Number(id), binary: 'scan', caller: ANYONE, now: 1 };
    const sent = {
      mediaType: 'image/png',
      get bytes() {
        isDown = true;
        return PNG.bytes;
      },
    };
    await expect(write({ ...input, sent })).rejects.toThrow();
    isDown = false;
    expect((await items.get(Number(id)))?.binaries).not.toHaveProperty('scan');
    expect(await stored()).toHaveLength(before.length + 2);
    await sweepBytes();
    expect(await stored()).toHaveLength(before.length + 1);
  }, 60_000);
});

// Specification 2.29
test('a change of an item leaves the bytes unnamed that only the item before names', async () => {
  const one = await withPhoto();
  const other = await withPhoto();
  const image = (item: Item | undefined) => item && (toAttributes(members, item, 4) as Attributes);
  const keys = (before: Item | undefined, after: Item | undefined) =>
    orphanedKeys({ dynamodb: { OldImage: image(before), NewImage: image(after) } } as DynamoDBRecord);
  expect(keys(undefined, one)).toEqual([]);
  expect(keys(one, { ...one, version: 2 })).toEqual([]);
  expect(keys(one, { ...one, binaries: other.binaries ?? {} })).toEqual([keyOf(one)]);
  expect(keys(one, undefined)).toEqual([keyOf(one)]);
});
