import { expect, test } from '@jest/globals';
import { fieldSchema } from '../../../service/validation/json-schema.ts';
import { type JSON_TYPES, typeFault } from '../../../service/validation/rules.ts';
import { Decimal } from '../../../shared/json/decimal.ts';
import { jsonTypeOf } from '../../../shared/json/value.ts';
import { anyValue } from '../../../shared/resource/description/fields.ts';

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
