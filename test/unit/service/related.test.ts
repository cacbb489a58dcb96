import { expect, test } from '@jest/globals';
import { reference, resource, text } from 'resource-api';
import { relatedOf } from '../../../service/derived/related.ts';

const companies = resource('companies', { about: 'Companies.', fields: { name: text() } });
const people = resource('people', {
  about: 'People of companies.',
  singular: 'person',
  under: companies,
  fields: { agentId: reference(companies, { onDelete: 'clear' }) },
});

test('of two references to one resource, the page of an item lists only the items of its nested list', () => {
  const fields = relatedOf([people]).companies?.map(({ field, isBelow }) => [field, isBelow]);
  expect(fields).toEqual([
    ['companyId', true],
    ['agentId', false],
  ]);
});
