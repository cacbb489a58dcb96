import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { keepSuperseded } from '../../functions/events/superseded-versions.ts';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { bytesAndItems } from '../../shared/files/comparison/bytes.ts';
import { compareWhole } from '../../shared/files/comparison/compare.ts';
import { Objects } from '../../shared/files/objects.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import type { Item } from '../../shared/resource/item.ts';
import { toAttributes } from '../../shared/store/form/attributes.ts';
import { IMPORTED } from '../../shared/store/form/table.ts';
import { Versions } from '../../shared/store/history/versions.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { withTimePassed } from '../support/clock.ts';
import { attached, resourceOf } from './attached.ts';

const DAY = 86_400_000;

/** The calls for rows of versions fail while it is true. */
let isDown = false;
attached((call, pass) => {
  const { body } = call[0];
  const isOfVersions = body instanceof Uint8Array && new TextDecoder().decode(body).includes('removedAt');
  if (isDown && isOfVersions) throw Object.assign(new Error('gone'), { name: 'TimeoutError' });
  return pass(...call);
});

const members = resourceOf('members');
const sweepBytes = () => compareWhole(bytesAndItems([members], Number.POSITIVE_INFINITY));
const items = itemsOf(members, SERVICE);
let last = 0;

async function created(name: string, photo?: string): Promise<Item> {
  last += 1;
  const now = Date.now();
  const item = { id: last, version: 1, createdAt: now, updatedAt: now, values: { name }, internal: {} };
  const sent =
    photo === undefined
      ? []
      : [{ name: 'photo', sent: { bytes: Buffer.from(photo), mediaType: 'image/png' } }];
  const result = await items.insert(item, { binaries: sent });
  if (result.kind !== 'written') throw new Error(result.kind);
  return result.item;
}

/** The record of a change in the stream. */
const record = (before: Item | undefined, after: Item | undefined, more: object = {}): DynamoDBRecord => {
  const image = (item: Item | undefined) => item && { ...toAttributes(members, item, 4), ...more };
  return {
    eventSourceARN: `arn:aws:dynamodb:us-east-1:1:table/${config.tableName('members')}/stream/1`,
    dynamodb: { OldImage: before && toAttributes(members, before, 4), NewImage: image(after) },
  } as DynamoDBRecord;
};

const next = (item: Item, name: string): Item => ({
  ...item,
  version: item.version + 1,
  updatedAt: Date.now(),
  values: { name },
});

async function kept(id: Item['id']): Promise<readonly [version: number, name: unknown][]> {
  const all: [number, unknown][] = [];
  for await (const { item } of new Versions(members, SERVICE, Number(id)).newestFirst())
    all.push([item.version, item.values.name]);
  return all;
}

// Specification 16.2
describe('a record of the stream', () => {
  test('keeps the version before it once, also if it repeats and comes late', async () => {
    const one = await created('a');
    const two = next(one, 'b');
    await keepSuperseded(registry, [record(undefined, one), record(one, two), record(two, next(two, 'c'))]);
    await keepSuperseded(registry, [record(one, two)]);
    // The records are ahead of the item, so its present version hides them until it is gone.
    expect(await kept(one.id)).toEqual([[1, 'a']]);
    const key = { TableName: config.tableName('members'), Key: { id: { N: String(one.id) } } };
    await dynamoDb().send(new DeleteItemCommand(key));
    expect(await kept(one.id)).toEqual([
      [2, 'b'],
      [1, 'a'],
    ]);
  });

  test('of a count, a sort key or an erasure keeps nothing', async () => {
    const one = await created('a');
    const blank = next(one, '');
    const erasure = { [IMPORTED]: { N: String(blank.version) } };
    await keepSuperseded(registry, [record(one, one), record(one, blank, erasure), record(one, undefined)]);
    expect(await kept(one.id)).toEqual([[1, 'a']]);
  });
});

// Specification 16.1, 16.8
test('a version is missing when its days are over, and then its bytes go too', async () => {
  const one = await created('a', 'bytes');
  const key = one.binaries?.photo?.key as string;
  const { binaries: _, ...bare } = next(one, 'b');
  await keepSuperseded(registry, [record(one, bare)]);
  const removed = await items.remove(one.id);
  expect(removed.kind).toBe('removed');
  const objects = new Objects('');
  await withTimePassed(29 * DAY, () => sweepBytes());
  expect(await objects.head(key)).toBeDefined();
  await withTimePassed(31 * DAY, async () => {
    expect(await kept(one.id)).toEqual([]);
    await sweepBytes();
  });
  expect(await objects.head(key)).toBeUndefined();
});

// Specification 16.2
test('an item that a removal cannot keep a version of stays', async () => {
  const one = await created('a');
  isDown = true;
  try {
    await expect(items.remove(one.id)).rejects.toThrow();
  } finally {
    isDown = false;
  }
  expect((await items.get(one.id))?.version).toBe(1);
}, 60_000);
