import { expect, test } from '@jest/globals';
import {
  type Finding,
  findFaults,
  type SchemaValidator,
} from '../../../shared/resource/description/validate.ts';

/** A validator with one finding about the property `a`. */
const finding = (one: Partial<Finding>): SchemaValidator =>
  Object.assign(() => false, { errors: [{ instancePath: '/a', keyword: '', params: {}, ...one }] });

test.each<[Partial<Finding>, object]>([
  [
    { instancePath: '', keyword: 'required', params: { missingProperty: 'b/c' } },
    { pointer: '/b~1c', detail: 'must be given', rule: 'required' },
  ],
  [
    { keyword: 'pattern', params: { pattern: '^[A-Z]$' } },
    { pointer: '/a', detail: 'must match the pattern ^[A-Z]$', rule: 'pattern' },
  ],
  [
    { instancePath: '', keyword: 'pattern', propertyName: 'b c' },
    { pointer: '/b c', detail: 'is not a valid name for a property', rule: 'pattern' },
  ],
  [
    { keyword: 'enum', params: { allowedValues: ['x', 'y'] } },
    { pointer: '/a', detail: 'must be one of x, y' },
  ],
  [
    { keyword: 'minimum', params: { limit: 1 } },
    { pointer: '/a', detail: 'must be at least 1' },
  ],
  [
    { keyword: 'maxLength', params: { limit: 9 } },
    { pointer: '/a', detail: 'must have at most 9 characters' },
  ],
  [
    { keyword: 'type', params: { type: 'integer' } },
    { pointer: '/a', detail: 'must be a whole number' },
  ],
  [
    { keyword: 'other', message: 'must be odd' },
    { pointer: '/a', detail: 'must be odd' },
  ],
])('the finding %j becomes a fault', (found, fault) => {
  expect(findFaults(finding(found), {})).toEqual([fault]);
});

test('valid values have no fault, and a wrong name has one', () => {
  expect(findFaults(() => true, {})).toEqual([]);
  expect(findFaults(finding({ keyword: 'propertyNames' }), {})).toEqual([]);
});
