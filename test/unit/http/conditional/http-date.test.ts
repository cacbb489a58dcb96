import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatHttpDate, parseHttpDate } from '../../../../shared/http/conditional/http-date.ts';
import { anyText } from '../../../support/any-text.ts';

const example = Date.UTC(1994, 10, 6, 8, 49, 37);
const now = Date.UTC(2026, 5, 1);

describe('RFC 9110 §5.6.7: HTTP-date', () => {
  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', 'IMF-fixdate'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 'obsolete RFC 850 format'],
    ['Sun Nov  6 08:49:37 1994', "ANSI C's asctime() format"],
  ])('%s (%s)', (text) => {
    expect(parseHttpDate(text)).toBe(example);
    expect(parseHttpDate(text, now)).toBe(example);
  });

  test('a sender generates IMF-fixdate', () => {
    expect(formatHttpDate(example)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
    expect(formatHttpDate(example + 999)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  });

  test.each([
    ['Thu, 29 Feb 2024 23:59:59 GMT', Date.UTC(2024, 1, 29, 23, 59, 59)],
    ['Tue, 29 Feb 2000 00:00:00 GMT', Date.UTC(2000, 1, 29)],
    ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Wed, 31 Dec 1969 23:59:59 GMT', -1000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59)],
    ['Sat, 01 Jan 0000 00:00:00 GMT', Date.parse('0000-01-01T00:00:00Z')],
    ['Fri, 31 Dec 0099 00:00:00 GMT', undefined], // a Thursday
    ['Thu, 31 Dec 0099 00:00:00 GMT', Date.parse('0099-12-31T00:00:00Z')],
    ['Thursday, 01-Jan-70 00:00:00 GMT', 0],
    ['Tuesday, 31-Dec-69 00:00:00 GMT', Date.UTC(2069, 11, 31)],
    ['Fri, 01 Jan 0100 00:00:00 GMT', Date.parse('0100-01-01T00:00:00Z')],
    ['Sun Nov 16 08:49:37 2025', Date.UTC(2025, 10, 16, 8, 49, 37)],
  ])('%s', (text, ms) => expect(parseHttpDate(text)).toBe(ms));

  test.each([
    '',
    'nonsense',
    '0',
    '1994-11-06T08:49:37Z',
    'Mon, 06 Nov 1994 08:49:37 GMT', // it was a Sunday
    'Mon, 00 Nov 1994 08:49:37 GMT', // 31 October was a Monday
    ' Sunday, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT ',
    ' Sun Nov  6 08:49:37 1994',
    'Sun Nov  6 08:49:37 1994 ',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 06 Nov 1994 08:49:37 gmt',
    'sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 nov 1994 08:49:37 GMT',
    'Sun, 06 NOV 1994 08:49:37 GMT',
    'Sun, 06 ovD 1994 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun,06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun, 06 Nov 1994 8:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:37 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT ',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT\n',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    'Thu, 31 Nov 1994 08:49:37 GMT',
    'Wed, 29 Feb 2023 00:00:00 GMT',
    'Thu, 29 Feb 1900 00:00:00 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sun Nov 06 08:49:37 1994 GMT',
  ])('%j is not a date', (text) => expect(parseHttpDate(text)).toBeUndefined());

  describe('a two-digit year "more than 50 years in the future" is "the most recent year in the past"', () => {
    test.each([
      ['Sunday, 06-Nov-94 08:49:37 GMT', now, 1994],
      ['Thursday, 01-Jan-76 00:00:00 GMT', now, undefined], // 2076, a Wednesday
      ['Wednesday, 01-Jan-76 00:00:00 GMT', now, 2076],
      ['Monday, 01-Jun-76 00:00:00 GMT', now, 2076], // 50 years to the second
      ['Tuesday, 01-Jun-76 00:00:01 GMT', now, 1976], // one second more
      ['Saturday, 01-Jan-77 00:00:00 GMT', now, 1977],
      ['Thursday, 01-Jan-26 00:00:00 GMT', now, 2026],
      ['Friday, 01-Jan-99 00:00:00 GMT', now, 1999],
      ['Saturday, 01-Jan-00 00:00:00 GMT', now, 2000],
      ['Wednesday, 01-Jan-10 00:00:00 GMT', Date.UTC(2090, 0, 1), 2110],
    ])('%s as of %d', (text, at, year) => {
      const ms = parseHttpDate(text, at);
      expect(ms === undefined ? undefined : new Date(ms).getUTCFullYear()).toBe(year);
    });
  });

  test('reads back every whole second of the years 0 to 9999', () => {
    const seconds = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z') / 1000, max: 253_402_300_799 });
    fc.assert(
      fc.property(seconds, (s) => expect(parseHttpDate(formatHttpDate(s * 1000))).toBe(s * 1000)),
      { numRuns: 500 },
    );
  });

  test('never throws on any text', () => {
    fc.assert(fc.property(anyText(), fc.integer(), (text, at) => void parseHttpDate(text, at)));
  });
});
