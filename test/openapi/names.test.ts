import { expect, test } from '@jest/globals';
import { registry } from '../../service/registry.ts';

const described = registry.flatMap(({ name, description }) => (description ? [{ name, description }] : []));

// Specification 2.1
test('the names of properties are in camelCase', () => {
  const names = described.flatMap(({ description: { identifier, fields } }) => [
    identifier.name,
    ...Object.keys(fields),
  ]);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z]*)*$/.test(name))).toEqual([]);
});

// Specification 2.1
test('each resource has its specified identifier', () => {
  const names = described.map(({ name, description }) => [name, description.identifier.name]);
  expect(Object.fromEntries(names)).toMatchObject({
    members: 'id',
    customers: 'id',
    products: 'id',
    orders: 'orderId',
    operations: 'operationId',
    files: 'filename',
  });
});
