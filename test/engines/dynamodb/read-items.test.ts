import type { BatchGetItemCommand, BatchGetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config } from '../../../shared/aws/config.ts';
import { Unavailable } from '../../../shared/http/problem.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { descriptionOf } from '../../../shared/resource/resource.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { readItems } from '../../../shared/store/items/read-items.ts';
import { attached, resourceOf } from '../attached.ts';

const members = resourceOf('members');
const source = { name: 'members', description: descriptionOf(members) };
const table = () => config.tableName('members');

attached((call, pass) => pass(...call));

beforeAll(async () => {
  const items = itemsOf(members, SERVICE);
  for (let id = 1; id <= 230; id += 1) {
    await items.insert({ id, version: 1, createdAt: 1, updatedAt: 1, values: { age: id }, internal: {} });
  }
});

/** Makes DynamoDB leave keys unprocessed in some batches. Returns the number of keys in each call. */
async function whileLeaving(leaves: (call: number, count: number) => number, work: () => Promise<unknown>) {
  const counts: number[] = [];
  // The client keeps the middlewares of a command until then.
  dynamoDb().destroy();
  dynamoDb().middlewareStack.add(
    (next) => async (call) => {
      const input = call.input as BatchGetItemCommand['input'];
      const { Keys = [], ...rest } = input.RequestItems?.[table()] ?? {};
      const left = Keys.slice(0, leaves(counts.push(Keys.length), Keys.length));
      const read = Keys.slice(left.length);
      if (read.length === 0) return { response: {}, output: unread(left) as never };
      const answer = await next({
        ...call,
        input: { ...call.input, RequestItems: { [table()]: { ...rest, Keys: read } } },
      });
      return { ...answer, output: { ...answer.output, ...(left.length > 0 ? unread(left) : {}) } };
    },
    { step: 'initialize', name: 'leaving' },
  );
  try {
    await work();
  } finally {
    dynamoDb().middlewareStack.remove('leaving');
    dynamoDb().destroy();
  }
  return counts;
}

const unread = (keys: object[]): Partial<BatchGetItemCommandOutput> => ({
  UnprocessedKeys: { [table()]: { Keys: keys as never, ConsistentRead: true } },
});

describe('items that are read by their identifiers', () => {
  test('have their values, and missing ones are left out', async () => {
    const { items, unread } = await readItems(source, [3, 999, 1, 3], SERVICE);
    expect([...items.keys()].sort()).toEqual([1, 3]);
    expect(items.get(3)).toMatchObject({ id: 3, values: { age: 3 } });
    expect(unread).toEqual(new Set());
    expect(await readItems(source, [], SERVICE)).toEqual({ items: new Map(), unread: new Set() });
  });

  test('take one BatchGetItem for each hundred', async () => {
    const ids = Array.from({ length: 230 }, (_, at) => at + 1);
    const counts = await whileLeaving(
      () => 0,
      async () =>
        expect(
          [...(await readItems(source, ids, SERVICE)).items.keys()].map(Number).sort((a, b) => a - b),
        ).toEqual(ids),
    );
    expect(counts.sort()).toEqual([100, 100, 30]);
  });

  test('are asked for again if DynamoDB did not process them', async () => {
    const counts = await whileLeaving(
      (call) => (call < 3 ? 4 : 0),
      async () => expect((await readItems(source, [1, 2, 3, 4, 5, 6], SERVICE)).items.size).toBe(6),
    );
    expect(counts).toEqual([6, 4, 4]);
  });

  test('are unavailable if DynamoDB never processes all of them', async () => {
    await whileLeaving(
      (_, count) => count,
      async () => expect(readItems(source, [1, 2], SERVICE)).rejects.toBeInstanceOf(Unavailable),
    );
  });
});
