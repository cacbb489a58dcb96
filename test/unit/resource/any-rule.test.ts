import { expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/json/decimal.ts';
import { anyValue } from '../../../shared/resource/description/fields.ts';
import {
  type JSON_TYPES,
  jsonTypeOf,
  typeFault,
} from '../../../shared/resource/description/validation/any-rule.ts';
import { fieldSchema } from '../../../shared/resource/description/validation/json-schema.ts';

const VALUES = [
  ['string', ''],
  ['number', 0],
  ['number', Decimal.from(1)],
  ['boolean', false],
  ['object', { constructor: 1 }],
  ['array', []],
  ['null', null],
] as const;

test.each(VALUES)('a value has the type %s: %j', (type, value) => {
  expect(jsonTypeOf(value)).toBe(type);
});

// Specification 2.11
test.each(VALUES)('a description can say that a property takes any JSON value: %s %j', (type, value) => {
  const rule = fieldSchema(anyValue('Notes'), 'validator').json as typeof JSON_TYPES;
  expect(typeFault(value, rule) === undefined).toBe(type !== 'null');
});

test('a value of no listed type has a fault that names the types', () => {
  expect(typeFault(true, ['string', 'object'])).toBe('must be a text or an object');
});
