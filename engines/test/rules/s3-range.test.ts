import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rangeOf } from '../../s3/range.ts';

const object = { size: 10, etag: '"abc"', modified: Date.UTC(2026, 2, 10, 12) + 250 };

/** The bytes as `first-last`, `whole`, or the code of the error. */
function read(headers: Record<string, string>, size = 10): string {
  try {
    const range = rangeOf(headers, { ...object, size });
    return range ? `${range.first}-${range.last}` : 'whole';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html, Range: "see RFC 9110"
test.each([
  ['bytes=0-3', '0-3'],
  ['bytes=8-', '8-9'],
  ['bytes=-3', '7-9'],
  ['bytes=-10', '0-9'],
  ['bytes=-99', '0-9'],
  ['bytes=9-999', '9-9'],
  ['bytes=0-0', '0-0'],
  ['Bytes=1-2', '1-2'],
])('S3 reads the range %s as %s of ten bytes', (range, expected) => expect(read({ range })).toBe(expected));

// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, InvalidRange
test.each(['bytes=10-', 'bytes=10-11', 'bytes=-0', 'bytes=99999999999999999999-'])(
  'S3 refuses the range %s of ten bytes',
  (range) => expect(read({ range })).toBe('InvalidRange'),
);

// "Amazon S3 doesn't support retrieving multiple ranges of data per GET request."
test.each([
  'bytes=0-0,2-3',
  'bytes=0-0, -1',
  'bytes=1-2,',
  'items=0-1',
  'bytes=3-2',
  'bytes=-',
  'bytes=a-b',
  '0-1',
  '',
])('S3 returns the whole object for the range %j', (range) => expect(read({ range })).toBe('whole'));

test.each([
  ['bytes=0-', 'InvalidRange'],
  ['bytes=0-0', 'InvalidRange'],
  ['bytes=-0', 'InvalidRange'],
  ['bytes=-5', 'whole'],
])('S3 reads the range %s of no bytes as %s', (range, expected) => expect(read({ range }, 0)).toBe(expected));

// RFC 9110 §13.1.5, beside Range
test.each([
  ['"abc"', '1-2'],
  ['"other"', 'whole'],
  ['W/"abc"', 'whole'],
  ['Tue, 10 Mar 2026 12:00:00 GMT', '1-2'],
  ['Tue, 10 Mar 2026 12:00:01 GMT', 'whole'],
  ['Tue, 10 Mar 2026 11:59:59 GMT', 'whole'],
])('If-Range: %s reads %s', (ifRange, expected) =>
  expect(read({ range: 'bytes=1-2', 'if-range': ifRange })).toBe(expected),
);

test('a range has the bytes that slice returns', () => {
  const digits = '0123456789';
  fc.assert(
    fc.property(fc.nat(9), fc.nat(20), fc.integer({ min: 1, max: 20 }), (first, more, length) => {
      const bytes = (range: string) => {
        const [from, to] = read({ range }).split('-').map(Number);
        return digits.slice(from, Number(to) + 1);
      };
      expect(bytes(`bytes=${first}-${first + more}`)).toBe(digits.slice(first, first + more + 1));
      expect(bytes(`bytes=${first}-`)).toBe(digits.slice(first));
      expect(bytes(`bytes=-${length}`)).toBe(digits.slice(-length));
    }),
  );
});
