import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonSchema } from '../../../service/validation/json-schema.ts';
import { formFault } from '../../../service/validation/rules.ts';
import { kindOf } from '../../../shared/resource/kinds/kinds.ts';
import { instantOf, isDate } from '../../../shared/resource/kinds/times.ts';
import { samples } from '../../fixtures/kinds/samples.ts';

const YEARS = {
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
};

/** An offset from UTC in minutes, as RFC 3339 writes it. */
const offsetText = (minutes: number): string => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};

describe('a time', () => {
  test('is one text in UTC, with any offset', () => {
    fc.assert(
      fc.property(fc.date(YEARS), fc.integer({ min: -1439, max: 1439 }), (time, minutes) => {
        const local = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        expect(instantOf(local + offsetText(minutes))).toBe(time.toISOString());
      }),
    );
  });

  test('has a text with the order of time', () => {
    fc.assert(
      fc.property(fc.date(YEARS), fc.date(YEARS), (a, b) => {
        const [first, second] = [a, b].map((one) => instantOf(one.toISOString()) as string) as [
          string,
          string,
        ];
        expect(Math.sign(first < second ? -1 : Number(first > second))).toBe(
          Math.sign(a.getTime() - b.getTime()),
        );
      }),
    );
  });

  test.each([
    ['2026-11-22T03:04:05Z', '2026-11-22T03:04:05.000Z'],
    ['2026-11-22t03:04:05.1z', '2026-11-22T03:04:05.100Z'],
    ['2026-11-22T03:04:05.123456789+00:00', '2026-11-22T03:04:05.123Z'],
    ['2024-02-29T23:59:59-00:30', '2024-03-01T00:29:59.000Z'],
  ])('%s is %s', (text, instant) => expect(instantOf(text)).toBe(instant));

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-11-22T24:00:00Z',
    '2026-11-22T24:00:01Z',
    '2026-11-22T03:04Z',
    '2026-11-22 03:04:05Z',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2016-12-31T23:59:60Z',
  ])('%s is not a time', (text) => expect(instantOf(text)).toBeUndefined());
});

test.each([
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['02026-01-01', false],
])('%s is a day: %s', (text, day) => expect(isDate(text)).toBe(day));

test.each([
  'http://localhost:8080',
  'https://example.org/a%20b?c#d',
  'https://[::1]/',
  'https://example.org/straße',
  'HTTPS://EXAMPLE.ORG',
])('%s is a URL', (text) => expect(formFault(text, 'url')).toBeUndefined());

test.each([
  'ftp://a',
  'https://',
  '//a',
  'https://a b',
  'https://a/"',
  'data:text/html,x',
  'https://a@b/',
  '',
])('%j is not a URL', (text) => expect(formFault(text, 'url')).toBeDefined());

test('the published schema of each kind says its rules', () => {
  const { properties } = jsonSchema(samples.description, 'document') as {
    properties: Record<string, object>;
  };
  expect(properties).toMatchObject({
    name: { type: 'string', minLength: 2, maxLength: 20 },
    code: { type: 'string', pattern: '^(?:[A-Z]{2}[0-9]+)$', description: 'Code. Two letters and a number.' },
    size: { enum: ['small', 'large'], description: 'Size. The default is small.' },
    site: { type: 'string', maxLength: 2000 },
    count: { type: 'integer', minimum: 1, maximum: 9, description: 'Count. The default is 3.' },
    amount: { type: 'number', description: expect.stringMatching(/EUR.* 2 of them after the decimal point/) },
    due: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    paid: { type: 'boolean', description: 'Paid. The default is false.' },
  });
});

const address = samples.description.fields.address;

// The text of an input, in which each line is a property.
test.each([
  ['city: Paris', { city: 'Paris' }],
  ['  city  :  Paris \r\n\nrent:1.5', { city: 'Paris', rent: 1.5 }],
  ['city: a: b', { city: 'a: b' }],
  ['city:', { city: '' }],
  ['city', 'city'],
  [': Paris', ': Paris'],
  ['my city: Paris', 'my city: Paris'],
])('a property with properties is read from %j', (text, value) => {
  if (!address) throw new Error('The samples have no address');
  expect(JSON.parse(JSON.stringify(kindOf(address).ofText(text, address)))).toEqual(value);
});
