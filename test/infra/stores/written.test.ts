import { expect, test } from '@jest/globals';
import { registry } from '../../../service/registry.ts';
import { accounts } from '../../fixtures/own/accounts.ts';
import { invoices } from '../../fixtures/own/invoices.ts';
import { synthesizeStack } from '../cdk.ts';
import { allowed } from '../permissions.ts';
import { look } from '../synthesis.ts';
import { tablesIn } from '../variables.ts';

const service = look(await synthesizeStack('service', {}, [...registry, accounts, invoices]));

test('a function may write the items of the resources that its actions use, and no others', () => {
  const table = tablesIn(service, 'invoices').accounts;
  for (const operation of ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'])
    expect(allowed(service, 'invoices')).toContain(`Allow dynamodb:${operation} ${table}`);
  expect(tablesIn(service, 'accounts')).not.toHaveProperty('invoices');
});
