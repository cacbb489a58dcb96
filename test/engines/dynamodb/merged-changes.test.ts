import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { integer, money, resource, text } from 'resource-api';
import { attached } from '../attached.ts';
import { request } from '../request.ts';

attached((call, pass) => pass(...call));

const members = resource('members', {
  about: 'Members',
  open: true,
  change: true,
  fields: {
    name: text({ required: true, maximum: 3 }),
    size: text({ choices: ['small', 'large'], default: 'small' }),
    count: integer({ maximum: 2 }),
    note: text({ keptByPut: true, default: 'none' }),
    fee: money(),
  },
});

const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

/** Properties that an item or a change has, some of them wrong. */
const properties = {
  name: fc.constantFrom('a', 'b', 'abcd'),
  size: fc.constantFrom('small', 'large', 'huge'),
  count: fc.constantFrom(0, 1, 3, 'x'),
  note: fc.constantFrom('n', 'none'),
  fee: fc.constantFrom(1, 1.5, -1),
  color: fc.constantFrom('red', ['a', 1], { deep: 1 }),
};
const stored = fc.record(
  {
    ...properties,
    name: fc.constant('a'),
    size: fc.constant('large'),
    count: fc.constant(1),
    fee: fc.constant(2),
  },
  { requiredKeys: ['name'] },
);
const change = fc.record(properties, { requiredKeys: [] }).filter((one) => Object.keys(one).length > 0);

async function changed(item: object, method: string, json: object, more = {}) {
  const { body } = await request(members, 'POST', '/members', item);
  const path = `/members/${body.id}`;
  const before = await request(members, 'GET', path);
  const { status, body: problem } = await request(members, method, path, json, more);
  const after = await request(members, 'GET', path);
  const { id: _id, links: _links, createdAt: _created, updatedAt: _updated, ...values } = after.body;
  return { status, errors: problem?.errors, values, isWritten: after.headers.ETag !== before.headers.ETag };
}

test('a merge patch and a POST of the same change have one result', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(stored, change, async (item, json) => {
      const patched = await changed(item, 'PATCH', json, MERGE_PATCH);
      expect(await changed(item, 'POST', json)).toEqual(patched);
      ends.add(`${patched.status} ${patched.isWritten}`);
    }),
    {
      numRuns: 60,
      examples: [
        [{ name: 'a' }, { name: 'a' }],
        [{ name: 'a' }, { name: 'b' }],
        [{ name: 'a' }, { count: 3 }],
      ],
    },
  );
  expect([...ends].sort()).toEqual(['200 false', '200 true', '400 false']);
});
