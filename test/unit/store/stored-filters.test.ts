import { expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/json/decimal.ts';
import { integer } from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';
import { StoredFilters } from '../../../shared/store/lists/stored-filters.ts';

const description = described({
  singular: 'bill',
  version: 2,
  fields: {
    plain: integer('Plain'),
    earlier: integer('Earlier', { earlier: { before: 2, read: () => 1 } }),
    later: integer('Later', { later: { from: 3, read: Number } }),
  },
});
const index = { partition: 'shard', sort: { name: 'createdAt' } } as never;

// DynamoDB would leave out the rows that have the value in another form.
test.each([
  ['plain', true],
  ['earlier', false],
  ['later', false],
])('DynamoDB evaluates a filter of the field %s: %s', (field, isEvaluated) => {
  const filter = { field, operator: '=', values: [Decimal.from(7)] } as never;
  expect(new StoredFilters(description, [filter]).expression(index) !== undefined).toBe(isEvaluated);
});
