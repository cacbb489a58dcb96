import { expect, test } from '@jest/globals';
import { tableOf } from '../../../shared/store/form/table.ts';
import { loans } from '../../fixtures/lending/loans.ts';
import { readers } from '../../fixtures/lending/readers.ts';
import { calledBy, operationsOf } from '../definition.ts';
import { allowed } from '../permissions.ts';
import { synthesize } from '../synthesis.ts';
import { tablesIn } from '../variables.ts';

const service = await synthesize({}, 'with views');

test('a view has a function and a route of its own', () => {
  const routes = operationsOf(service).filter(({ path }) => path === '/overdue-readers');
  expect(routes.map(({ method }) => method).sort()).toEqual(['ANY', 'OPTIONS']);
  const [called] = routes.filter(({ method }) => method === 'ANY');
  expect(calledBy(service, called?.['x-amazon-apigateway-integration'].uri)).toBe(
    service.functionOf('overdue-readers').id,
  );
});

test('the function of a view may read the items and the lists that it states, and nothing else of the stores', () => {
  const tables = tablesIn(service, 'overdue-readers');
  expect(Object.keys(tables).sort()).toEqual(['loans', 'readers']);
  const reads = [loans, readers].flatMap((one) => [
    ...['GetItem', 'BatchGetItem'].map((operation) => `Allow dynamodb:${operation} ${tables[one.name]}`),
    ...tableOf(one).indexes.map(({ name }) => `Allow dynamodb:Query ${tables[one.name]}/index/${name}`),
  ]);
  const stores = allowed(service, 'overdue-readers').filter((one) => /dynamodb|s3|sqs/.test(one));
  expect(stores.sort()).toEqual(reads.sort());
});
