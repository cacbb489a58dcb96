import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  contentRange,
  ifRangeHolds,
  selectRanges,
  unsatisfiedContentRange,
} from '../../../../shared/http/conditional/range.ts';
import { anyText } from '../../../support/any-text.ts';
import { expectLinear } from '../../../support/expectations/expect-linear.ts';

/** The result as text: `whole`, `unsatisfiable` or `0-4,6-7`. */
function select(range: string | undefined, size: number): string {
  const verdict = selectRanges(range, size);
  return verdict.kind === 'partial' ? verdict.ranges.map((r) => `${r.first}-${r.last}`).join() : verdict.kind;
}

describe('RFC 9110 §14.1.2: byte ranges', () => {
  test.each([
    ['bytes=0-499', 10000, '0-499'], // "the first 500 bytes"
    ['bytes=500-999', 10000, '500-999'], // "the second 500 bytes"
    ['bytes=-500', 10000, '9500-9999'], // "the final 500 bytes"
    ['bytes=9500-', 10000, '9500-9999'],
    ['bytes=0-0,-1', 10000, '0-0,9999-9999'], // "the first and last bytes only"
    ['bytes= 0-999, 4500-5499, -1000', 10000, 'whole'], // whitespace before the first member
    ['bytes=0-999, 4500-5499, -1000', 10000, '0-999,4500-5499,9000-9999'],
    ['bytes=500-600,601-999', 10000, '500-600,601-999'],
    ['bytes=500-700,601-999', 10000, '500-700,601-999'],
    ['bytes=0-0', 1, '0-0'],
    ['bytes=0-', 1, '0-0'],
    ['bytes=-1', 1, '0-0'],
    ['bytes=0-9', 10, '0-9'],
    ['bytes=0-10', 10, '0-9'], // "last-pos ... greater than or equal to the current length"
    ['bytes=9-', 10, '9-9'],
    ['bytes=-20', 10, '0-9'], // "the entire representation is used"
    ['bytes=007-008', 10, '7-8'],
    ['BYTES=1-2', 10, '1-2'], // range units are case-insensitive (§14.1)
    ['bytes=,1-2,,', 10, '1-2'],
    ['bytes= ,1-2', 10, '1-2'],
    ['bytes=1-2 ,\t3-4', 10, '1-2,3-4'],
    ['bytes=20-30, 1-2', 10, '1-2'], // the unsatisfiable one has no effect
    ['bytes=-0, 1-2', 10, '1-2'],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=10-20,30-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=0-0', 0, 'unsatisfiable'],
    ['bytes=-0', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'whole'],
  ])('%s of %d: %s', (range, size, expected) => expect(select(range, size)).toBe(expected));

  test.each([
    ['bytes=0-99999999999999999999', '0-9'],
    ['bytes=0-9007199254740993', '0-9'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=-99999999999999999999', '0-9'],
    ['bytes=9007199254740993-9007199254740992', 'whole'], // backwards, though doubles cannot tell
    ['bytes=9007199254740992-9007199254740993', 'unsatisfiable'],
    ['bytes=00000000000000000000000001-2', '1-2'],
    ['bytes=2-00000000000000000000000001', 'whole'],
    [`bytes=0-${'9'.repeat(400)}`, '0-9'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
  ])('digits beyond 2^53: %s', (range, expected) => expect(select(range, 10)).toBe(expected));
});

describe('RFC 9110 §14.2: an unknown or invalid range has no effect', () => {
  test.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=a-b',
    'bytes=1',
    'bytes=5-2', // "invalid if the last-pos value is present and less than first-pos"
    'bytes=1-2,5-2',
    'bytes=1-2 3-4',
    'bytes=1-2-3',
    'bytes=--1',
    'bytes=+1-2',
    'bytes=1 - 2',
    'bytes =1-2',
    'bytes=1-2;q=1',
    'bytes=0x1-2',
    'bytes=1.5-2',
    'items=0-5',
    'other=1-2',
    'bytes:1-2',
    'bytes=1-2, x',
    'bytes=١-٢',
  ])('%j selects the whole', (range) => expect(select(range, 10)).toBe('whole'));

  test.each([
    ['bytes=0-0,2-2,4-4,6-6,8-8', '0-0,2-2,4-4,6-6,8-8'],
    ['bytes=0-0,2-2,4-4,6-6,8-8,9-9', 'whole'],
    ['bytes=0-5,1-6', '0-5,1-6'],
    ['bytes=0-5,1-6,2-7', 'whole'], // "more than two overlapping ranges"
    ['bytes=0-,0-,0-,0-', 'whole'],
    ['bytes=0-1,1-2,8-9', '0-1,1-2,8-9'],
  ])('too many or overlapping: %s: %s', (range, expected) => expect(select(range, 10)).toBe(expected));

  // RFC 9110 §14.1.1: positions have any number of digits.
  test.each([
    ['bytes=9999999999999999-10000000000000000', 'unsatisfiable'],
    ['bytes=10000000000000000-10000000000000000', 'unsatisfiable'],
    ['bytes=10000000000000001-10000000000000000', 'whole'],
    ['bytes=10000000000000000-9999999999999999', 'whole'],
    ['bytes=00000000000000000003-2', 'whole'],
    ['bytes=00000000000000000002-3', 'partial'],
    ['bytes=2-00000000000000000003', 'partial'],
  ])('long positions: %s: %s', (range, expected) => expect(selectRanges(range, 10).kind).toBe(expected));

  test('ranges always lie within the size, whatever the field', () => {
    const position = fc.oneof(
      fc.constant(''),
      fc.nat({ max: 50 }).map(String),
      fc.bigInt({ min: 0n }).map(String),
    );
    const spec = fc.tuple(position, position).map((p) => p.join('-'));
    const field = fc.array(spec, { minLength: 1, maxLength: 6 }).map((specs) => `bytes=${specs.join()}`);
    fc.assert(
      fc.property(field, fc.nat({ max: 40 }), (range, size) => {
        const verdict = selectRanges(range, size);
        if (verdict.kind !== 'partial') return;
        expect(verdict.ranges.length).toBeGreaterThan(0);
        expect(verdict.ranges.length).toBeLessThanOrEqual(5);
        for (const { first, last } of verdict.ranges) {
          expect(0 <= first && first <= last && last < size).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('one range selects the bytes that the RFC says', () => {
    fc.assert(
      fc.property(fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.integer({ min: 1, max: 15 }), (a, b, size) => {
        const bytes = Array.from({ length: size }, (_, i) => i);
        const taken = (range: string) => {
          const verdict = selectRanges(range, size);
          if (verdict.kind !== 'partial') return verdict.kind;
          return verdict.ranges.flatMap(({ first, last }) => bytes.slice(first, last + 1));
        };
        const from = bytes.filter((i) => i >= a);
        const between = from.filter((i) => i <= b);
        expect(taken(`bytes=${a}-`)).toEqual(from.length ? from : 'unsatisfiable');
        expect(taken(`bytes=${a}-${b}`)).toEqual(
          b < a ? 'whole' : between.length ? between : 'unsatisfiable',
        );
        expect(taken(`bytes=-${a}`)).toEqual(a === 0 ? 'unsatisfiable' : bytes.slice(-a));
      }),
      { numRuns: 500 },
    );
  });

  test('never throws, and is linear', async () => {
    fc.assert(fc.property(anyText(), (text) => void selectRanges(`bytes=${text}`, 10)));
    await expectLinear((length) => selectRanges(`bytes=${'1'.repeat(length)}`, 10));
    await expectLinear((length) => selectRanges(`bytes=${' '.repeat(length)}`, 10));
    await expectLinear((length) => selectRanges(`bytes=1-2${' '.repeat(length)}x`, 10));
    await expectLinear((length) => selectRanges(`bytes=${' ,'.repeat(length)}`, 10));
  });
});

describe('RFC 9110 §13.1.5: If-Range', () => {
  const lastModified = Date.UTC(1994, 10, 6, 8, 49, 37) + 500;
  const strong = { etag: { weak: false, opaque: 'v1' }, lastModified };
  const weak = { etag: { weak: true, opaque: 'v1' }, lastModified };
  test.each([
    [undefined, strong, true],
    ['"v1"', strong, true],
    ['"v2"', strong, false],
    ['W/"v1"', strong, false],
    ['"v1"', weak, false],
    ['W/"v1"', weak, false],
    ['"v1"', { lastModified }, false],
    ['"v1", "v2"', strong, false], // one validator, not a list
    ['*', strong, false],
    ['Sun, 06 Nov 1994 08:49:38 GMT', strong, true],
    ['Sunday, 06-Nov-94 08:49:38 GMT', strong, true],
    ['Sun, 06 Nov 1994 08:49:37 GMT', strong, false],
    ['Sun, 06 Nov 1994 08:49:39 GMT', strong, false], // "exactly matches", not "later than"
    ['Sun, 06 Nov 1994 08:49:38 GMT', { etag: strong.etag }, false],
    ['nonsense', strong, false],
    ['', strong, false],
  ])('%s against %j: %s', (field, current, holds) => expect(ifRangeHolds(field, current)).toBe(holds));

  test('§8.8.2.2: a date within the current second is weak', () => {
    const date = 'Sun, 06 Nov 1994 08:49:38 GMT';
    expect(ifRangeHolds(date, strong, lastModified + 499)).toBe(false);
    expect(ifRangeHolds(date, strong, lastModified + 500)).toBe(true);
  });
});

describe('RFC 9110 §14.4: Content-Range', () => {
  test('a range has first, last and complete length', () => {
    expect(contentRange({ first: 42, last: 1233 }, 1234)).toBe('bytes 42-1233/1234');
    expect(contentRange({ first: 0, last: 0 }, 1)).toBe('bytes 0-0/1');
  });
  test('an unsatisfied range keeps its unit', () => {
    expect(unsatisfiedContentRange(1234)).toBe('bytes */1234');
    expect(unsatisfiedContentRange(0)).toBe('bytes */0');
  });
});
