import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { configureLog } from '../../../shared/aws/log.ts';
import { reacting } from '../../../shared/events/changes.ts';
import { integer, text } from '../../../shared/resource/description/fields.ts';
import { describe } from '../../../shared/resource/description/plan.ts';
import { type Change, resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { toAttributes } from '../../../shared/store/form/attributes.ts';

const AT = Date.UTC(2026, 10, 21, 10);

/** The lines of the log. */
let logged: unknown[] = [];
beforeEach(() => {
  logged = [];
  configureLog((_level, line) => logged.push(JSON.parse(line)));
});
afterAll(() => configureLog());

/** Reviews, and the changes that `onChange` got. It fails for the names in `failing`. */
function reviews(failing: readonly string[] = []) {
  const got: Change[] = [];
  const made = resource({
    name: 'reviews',
    title: 'Reviews',
    about: 'Opinions.',
    routes: () => [],
    description: describe({
      singular: 'review',
      fields: { name: text('Name'), score: integer('Score', { readableBy: 'reviews:scores' }) },
    }),
    table: {},
    onChange: async ({ items: _items, ...change }) => {
      if (failing.includes(String(change.after?.name))) throw new Error('onChange fails');
      got.push(change);
    },
  });
  return { made, got };
}

/** A record of the stream about a new version of an item. */
function record(name: string, { version = 1, before = 0, hidden = {} as Attributes } = {}): DynamoDBRecord {
  const image = (at: number) => ({
    ...toAttributes(
      reviews().made,
      { id: 5, version: at, createdAt: AT, updatedAt: AT, values: { name, score: 3 }, internal: {} },
      4,
    ),
    ...hidden,
  });
  const SequenceNumber = `10000000000000000000${version}`;
  const Keys = { id: { N: '5' } };
  return {
    eventID: `e${version}`,
    dynamodb: { SequenceNumber, Keys, NewImage: image(version), ...(before && { OldImage: image(before) }) },
  } as DynamoDBRecord;
}

test('onChange sees every field, and the event only those that every caller sees', async () => {
  const { made, got } = reviews();
  await reacting(made)({ Records: [record('a')] });
  const time = new Date(AT).toISOString();
  expect(got).toEqual([
    {
      id: 5,
      after: { version: 1, id: 5, name: 'a', score: 3, createdAt: time, updatedAt: time },
      event: expect.objectContaining({
        type: 'review.created',
        data: { id: 5, name: 'a', createdAt: time, updatedAt: time },
      }),
    },
  ]);
});

test('a record without a new version does not call onChange', async () => {
  const { made, got } = reviews();
  const result = await reacting(made)({ Records: [record('a', { version: 2, before: 2 })] });
  expect([result, got]).toEqual([{ batchItemFailures: [] }, []]);
});

test('a failure ends the batch at its change, and the first of several changes fails all of them', async () => {
  const { made, got } = reviews(['b']);
  const [a, b, c] = [record('a'), record('b', { version: 2 }), record('c', { version: 3 })];
  const failed = b.dynamodb?.SequenceNumber;
  expect(await reacting(made)({ Records: [a, b, c] })).toEqual({
    batchItemFailures: [{ itemIdentifier: failed }],
  });
  await expect(reacting(made)({ Records: [b, c] })).rejects.toThrow('onChange fails');
  expect(await reacting(made)({ Records: [b] })).toEqual({ batchItemFailures: [{ itemIdentifier: failed }] });
  expect(got.map(({ after }) => after?.name)).toEqual(['a']);
  expect(logged).toHaveLength(3);
  for (const line of logged)
    expect(line).toMatchObject({ level: 'error', resource: 'reviews', id: '5', sequenceNumber: failed });
});

test('an item of unknown stored form fails, and onChange does not get it', async () => {
  const { made, got } = reviews();
  const unknown = record('a', { hidden: { score: { S: 'x' } } });
  const { batchItemFailures } = await reacting(made)({ Records: [unknown] });
  expect([batchItemFailures.length, got]).toEqual([1, []]);
  expect(logged).toEqual([expect.objectContaining({ error: expect.stringContaining('stored form') })]);
});
