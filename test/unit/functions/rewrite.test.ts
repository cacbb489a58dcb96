import { beforeAll, expect, test } from '@jest/globals';
import { rewriteOf } from '../../../functions/worker/backfill/rewrite.ts';
import { boolean } from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { toAttributes } from '../../../shared/store/form/attributes.ts';

const defined = (version: number, isOpposite: boolean) =>
  resource({
    name: 'members',
    title: 'Members',
    about: 'Members',
    description: described({
      singular: 'member',
      version,
      fields: {
        active: boolean('Active', isOpposite ? { earlier: { before: 2, read: (active) => !active } } : {}),
      },
    }),
    table: {},
    routes: () => [],
  });

const item = { id: 7, version: 1, createdAt: 5, updatedAt: 5, values: { active: true }, internal: {} };
const stored = toAttributes(defined(1, false), item, 1);

beforeAll(() => {
  process.env.TABLES = 'members=members';
});

// Specification 13.3
test('writes a boolean again whose meaning an earlier version had reversed', () => {
  const rewrite = rewriteOf(defined(2, true), stored);
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } =
    rewrite.kind === 'outdated' ? rewrite.update : {};
  expect(Object.values(names ?? {})).toContain('active');
  expect(Object.values(values ?? {})).toContainEqual({ BOOL: false });
});

test('leaves an item of the present version as it is', () => {
  expect(rewriteOf(defined(1, false), stored)).toEqual({ kind: 'current' });
});
