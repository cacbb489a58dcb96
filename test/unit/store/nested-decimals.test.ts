import { expect, test } from '@jest/globals';
import { array, integer, money, object, resource, text } from 'resource-api';
import { Decimal } from '../../../shared/json/decimal.ts';
import type { JsonObject } from '../../../shared/json/value.ts';
import { fromAttributes, valueAttributes } from '../../../shared/store/form/attributes.ts';

const { description } = resource('jobs', {
  about: 'Jobs of a garage.',
  fields: {
    parts: array(object({ name: text(), count: integer(), price: money({ currency: 'EUR' }) })),
    prices: array(money({ currency: 'EUR' })),
    bill: object({
      sum: money({ currency: 'EUR' }),
      lines: array(object({ sum: money({ currency: 'EUR' }) })),
    }),
  },
});

/** The values of an item as code gets them after they were stored. */
const readBack = (values: JsonObject): JsonObject =>
  fromAttributes(description, {
    id: { N: '1' },
    _version: { N: '1' },
    ...valueAttributes(description, values),
  }).values;

test('a decimal inside of an array or an object is a Decimal after it was stored, as at the top', () => {
  const price = Decimal.from(14.5);
  const values: JsonObject = {
    parts: [{ name: 'Wheel', count: 4, price }, { name: 'Bolt' }],
    prices: [price, Decimal.from(2)],
    bill: { sum: price, lines: [{ sum: price }, {}] },
  };
  expect(readBack(values)).toEqual(values);
});
