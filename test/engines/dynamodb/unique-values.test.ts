import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { changeOf } from '../../../shared/events/cloud-event.ts';
import type { JsonObject } from '../../../shared/json/value.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Fields } from '../../../shared/resource/description/description.ts';
import { text } from '../../../shared/resource/description/fields.ts';
import { describe as describeItems } from '../../../shared/resource/description/plan.ts';
import type { Item } from '../../../shared/resource/item.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { type Items, itemsOf } from '../../../shared/store/items/items.ts';
import { newIdentifier } from '../../../shared/store/write/new-item.ts';
import { transact } from '../../../shared/store/write/transaction.ts';
import { unique } from '../../support/service/under-test.ts';
import { attached, resourceOf } from '../attached.ts';

attached((call, pass) => pass(...call));

/** Members as a release without the fact knows them, and as a release with it does. */
const before = resourceOf('members');
const description = descriptionOf(before);
const fields: Fields = { ...description.fields, username: text('Username', { unique: true }) };
const after: Resource = {
  ...before,
  description: describeItems({ ...description, fields }),
};
const [earlier, later] = [itemsOf(before, SERVICE), itemsOf(after, { subject: 'ada' })];

function item(values: JsonObject): Item {
  const now = Date.now();
  return { id: newIdentifier(now), version: 1, createdAt: now, updatedAt: now, values, internal: {} };
}

/** Stores an item. Returns its identifier, or the kind of the refusal. */
async function stored(items: Items, values: JsonObject): Promise<number | string> {
  const result = await items.insert(item(values));
  return result.kind === 'written' ? result.item.id : result.kind;
}
const put = async (items: Items, id: number | string, values: JsonObject) =>
  (await items.replace(id, values, { now: Date.now() })).kind;

async function constraintRows(): Promise<Attributes[]> {
  const TableName = config.tableName('members');
  const { Items: rows = [] } = await dynamoDb().send(new ScanCommand({ TableName, ConsistentRead: true }));
  return rows.filter((row) => row._constraint);
}

describe('values of a release that did not know them as unique', () => {
  test('stay with both items, and later writes of these items succeed', async () => {
    const username = unique('ada');
    const [one, two] = [await stored(earlier, { username }), await stored(earlier, { username })];
    expect(await put(later, one, { username, name: 'a' })).toBe('written');
    expect(await put(later, two, { username, name: 'b' })).toBe('written');
    expect(await stored(later, { username })).toBe('refused');
    // The second item does not hold the value, so its removal frees nothing.
    expect((await later.remove(two)).kind).toBe('removed');
    expect(await stored(later, { username })).toBe('refused');
    expect((await later.remove(one)).kind).toBe('removed');
    expect(typeof (await stored(later, { username }))).toBe('number');
  });

  test('get their rows by a backfill, which refuses the second of two items', async () => {
    const username = unique('ada');
    const ids = [await stored(earlier, { username }), await stored(earlier, { username })];
    const refused: boolean[] = [];
    for (const id of ids) {
      const { parts, refusals } = await checkConstraints(after, [{ after: (await later.get(id)) as Item }]);
      if (parts.length > 0) expect(await transact(parts)).toBeUndefined();
      refused.push(refusals.size > 0);
    }
    expect(refused).toEqual([false, true]);
    expect(
      (await checkConstraints(after, [{ after: (await later.get(ids[0] as number)) as Item }])).parts,
    ).toEqual([]);
  });
});

describe('after a write of a release without the fact, a unique value', () => {
  test('is free if the write removed its item', async () => {
    const username = unique('ada');
    const id = await stored(later, { username });
    await earlier.remove(id);
    expect(typeof (await stored(later, { username }))).toBe('number');
    expect(await stored(later, { username })).toBe('refused');
  });

  test('is free if the write changed it, and its item does not get it back while another one has it', async () => {
    const username = unique('ada');
    const id = await stored(later, { username });
    await put(earlier, id, { username: unique('bob') });
    expect(typeof (await stored(later, { username }))).toBe('number');
    expect(await put(later, id, { username })).toBe('refused');
  });

  test('changed goes to one of two items that want it at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const username = unique('ada');
      const id = await stored(later, { username });
      await put(earlier, id, { username: unique('bob') });
      const kinds = await Promise.all([stored(later, { username }), put(later, id, { username })]);
      const taken = kinds.filter((kind) => typeof kind === 'number' || kind === 'written');
      expect(taken).toHaveLength(1);
    }
  });
});

test('the row of a value causes no event, and goes with the item', async () => {
  const count = (await constraintRows()).length;
  const id = await stored(later, { username: unique('ada') });
  const rows = await constraintRows();
  expect(rows).toHaveLength(count + 1);
  for (const image of rows) {
    const record = { eventID: '1', dynamodb: { NewImage: image } } as unknown as DynamoDBRecord;
    expect(changeOf(after, record)).toBeUndefined();
    expect(changeOf(before, { dynamodb: { OldImage: image } } as unknown as DynamoDBRecord)).toBeUndefined();
  }
  await later.remove(id);
  expect(await constraintRows()).toHaveLength(count);
});
