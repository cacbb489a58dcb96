import { beforeAll, expect, test } from '@jest/globals';
import { wrongTable } from '../../../../service/wrong-facts/tables.ts';
import { ANYONE } from '../../../../shared/resource/access/owner.ts';
import { text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import { resource } from '../../../../shared/resource/resource.ts';
import { replacement } from '../../../../shared/store/write/write-requests.ts';

beforeAll(() => {
  process.env.TABLES = 'forms=forms';
});

/** A resource with so many fields, and the values of all of them. */
function withFields(count: number, open: boolean) {
  const names = Array.from({ length: count }, (_, at) => `field${at}`);
  const fields = Object.fromEntries(names.map((name) => [name, text(name)]));
  const made = resource({
    name: 'forms',
    title: 'Forms',
    about: 'Forms.',
    description: describe({ singular: 'form', fields, open }),
    sortable: ['id', 'field0'],
    table: {},
    routes: () => [],
  });
  return { made, values: Object.fromEntries(names.map((name) => [name, 'x'])) };
}

// DynamoDB: an expression has at most 4 KB.
test.each([true, false])('a resource has no more fields than one update can set (open: %s)', (open) => {
  const isAccepted = (count: number) => wrongTable(withFields(count, open).made).length === 0;
  const most = Array.from({ length: 400 }, (_, at) => at + 1).findLast(isAccepted) ?? 0;
  expect(most).toBeGreaterThan(150);
  expect(most).toBeLessThan(400);
  expect(wrongTable(withFields(most + 1, open).made)).toEqual([
    'forms has more fields than one write can set: put some of them into a structure',
  ]);
  const { made, values } = withFields(most, open);
  const stored = { key: 'k', contentType: 'image/png', size: 1, sha256: 'YQ==', storedAt: 1 };
  const names = (prefix: string, sent: number) => Array.from({ length: sent }, (_, at) => `${prefix}${at}`);
  const undeclared = open ? Object.fromEntries(names('other', 100).map((name) => [name, 1])) : {};
  const set = open ? Object.fromEntries(names('bytes', 50).map((name) => [name, stored])) : {};
  const { UpdateExpression: longest } = replacement(
    { resource: made, shards: 4 },
    7,
    { ...values, ...undeclared },
    { caller: { ...ANYONE, subject: 'ada' }, now: 9, binaries: { set, remove: [] } },
  );
  expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(4096);
});
