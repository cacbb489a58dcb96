import { expect, test } from '@jest/globals';
import { companies } from '../../fixtures/constrained/companies.ts';
import { contacts } from '../../fixtures/constrained/contacts.ts';
import { allowed } from '../permissions.ts';
import { synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize({}, 'with references');
const queue = target(variablesOf(service, 'customers').OPERATIONS_QUEUE);

test('the events function may send the items whose references the worker clears', () => {
  expect(target(variablesOf(service, 'events').OPERATIONS_QUEUE)).toBe(queue);
  expect(allowed(service, 'events')).toContain(`Allow sqs:SendMessage ${queue}`);
});

test.each([companies, contacts])('the function of $name knows the tables of its references', ({ name }) => {
  const known = tablesIn(service, name);
  const tables = [known.companies, ...(name === 'companies' ? [known.contacts] : [])];
  for (const table of tables) {
    expect(table).toBeDefined();
    expect(allowed(service, name)).toContain(`Allow dynamodb:BatchGetItem ${table}`);
  }
});
