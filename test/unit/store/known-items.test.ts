import { beforeAll, expect, test } from '@jest/globals';
import { orders } from '../../../functions/orders.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import { contacts } from '../../fixtures/constrained/contacts.ts';

beforeAll(() => {
  process.env.TABLES = 'companies=companies contacts=contacts';
});

const creation = (field: string) => ({
  after: { id: 7, version: 1, createdAt: 5, updatedAt: 5, values: { [field]: 3 }, internal: {} },
});

// Decision 54: the removal of the company may commit after the read, and must see the reference.
test.each([
  ['keeps its company', 'companyId', ['companies', 'contacts']],
  ['goes with its company', 'agentId', []],
  ['stays', 'formerId', []],
])('the parts of a new reference that %s, to an item that was just read', async (_, field, tables) => {
  const { parts, refusals } = await checkConstraints(
    contacts,
    [creation(field)],
    [{ resource: 'companies', id: 3 }],
  );
  expect(parts.map(({ ConditionCheck, Put }) => (ConditionCheck ?? Put)?.TableName)).toEqual(tables);
  expect(refusals.size).toBe(0);
});

// Specification 8.4, 8.5
test('the service clears the reference of an item whose state locks it, and a request does not', async () => {
  const common = { id: 7, version: 1, createdAt: 5, updatedAt: 5, internal: {} };
  const before = { ...common, values: { customerId: 3, status: 'paid' } };
  const after = { ...common, values: { status: 'paid' } };
  const refused = await checkConstraints(orders, [{ before, after }]);
  expect(refused.refusals.get(0)).toMatchObject({ name: 'conflict', members: { currentStatus: 'paid' } });
  const cleared = await checkConstraints(orders, [{ before, after, wasStored: true }]);
  expect(cleared.refusals.size).toBe(0);
});
