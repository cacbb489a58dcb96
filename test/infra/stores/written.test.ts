import { expect, test } from '@jest/globals';
import { type Tabled, tableOf } from '../../../shared/store/form/table.ts';
import { accounts } from '../../fixtures/custom-actions/accounts.ts';
import { allowed } from '../permissions.ts';
import { synthesize } from '../synthesis.ts';
import { tablesIn } from '../variables.ts';

const service = await synthesize({}, 'with uses');

test('a function may write the items of the resources that its actions use, and no others', () => {
  const table = tablesIn(service, 'invoices').accounts;
  for (const operation of ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'])
    expect(allowed(service, 'invoices')).toContain(`Allow dynamodb:${operation} ${table}`);
  expect(tablesIn(service, 'accounts')).not.toHaveProperty('invoices');
});

test('a function may read what the check of a resource reads whose items it writes', () => {
  const table = tablesIn(service, 'banks').accounts;
  expect(table).toBeDefined();
  expect(allowed(service, 'banks')).toContain(`Allow dynamodb:GetItem ${table}`);
  expect(allowed(service, 'banks')).not.toContain(`Allow dynamodb:PutItem ${table}`);
});

test('a function may list the items that code of its resource reads or writes, and no others', () => {
  const indexes = (name: string, resource: Tabled) =>
    tableOf(resource).indexes.map(
      (index) => `Allow dynamodb:Query ${tablesIn(service, name)[resource.name]}/index/${index.name}`,
    );
  for (const name of ['loans', 'banks', 'invoices'])
    expect(allowed(service, name)).toEqual(expect.arrayContaining(indexes(name, accounts)));
  expect(indexes('loans', accounts)).toHaveLength(2);
  const ofProducts = new RegExp(`^Allow dynamodb:\\w+ ${tablesIn(service, 'orders').products}`);
  expect(allowed(service, 'loans').filter((one) => ofProducts.test(one))).toEqual([]);
});
