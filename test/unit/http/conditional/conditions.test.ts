import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Preconditions, Validators, Verdict } from '../../../../shared/http/conditional/conditions.ts';
import { evaluate, malformedPrecondition } from '../../../../shared/http/conditional/conditions.ts';
import { modificationDate } from '../../../../shared/http/conditional/http-date.ts';
import { anyText } from '../../../support/any-text.ts';

/**
 * The oracle: truth tables from RFC 9110, one column per state of the resource, and the steps of §13.2.2. T: the
 * condition is true; F: false; -: the field is ignored.
 */
const dated = Date.UTC(2026, 2, 10, 12, 0, 0) + 250; // within a second, as on real clocks
const states: readonly [name: string, current: Validators | undefined][] = [
  ['no representation', undefined],
  ['strong tag and date', { etag: { weak: false, opaque: 'v1' }, lastModified: dated }],
  ['weak tag and date', { etag: { weak: true, opaque: 'v1' }, lastModified: dated }],
  ['date only', { lastModified: dated }],
  ['strong tag only', { etag: { weak: false, opaque: 'v1' } }],
  ['no validators', {}],
];

type Table = Readonly<Record<string, readonly [value: string | undefined, truth: string]>>;

// §13.1.1: "MUST use the strong comparison function"; "*" is false without a current representation.
const ifMatch: Table = {
  absent: [undefined, '------'],
  same: ['"v1"', 'FTFFTF'],
  other: ['"v2"', 'FFFFFF'],
  any: ['*', 'FTTTTT'],
  weak: ['W/"v1"', 'FFFFFF'],
  list: ['"v0", "v1"', 'FTFFTF'],
  'comma inside': ['"v0,v1"', 'FFFFFF'],
  empty: ['', 'FFFFFF'],
  invalid: ['v1', 'FFFFFF'], // unreadable: never true
};

// §13.1.2: "MUST use the weak comparison function"; "*" is false with a current representation.
const ifNoneMatch: Table = {
  absent: [undefined, '------'],
  same: ['"v1"', 'TFFTFT'],
  other: ['"v2"', 'TTTTTT'],
  any: ['*', 'TFFFFF'],
  weak: ['W/"v1"', 'TFFTFT'],
  list: ['"v0", "v1"', 'TFFTFT'],
  'comma inside': ['"v0,v1"', 'TTTTTT'],
  empty: ['', 'TTTTTT'],
  invalid: ['v1', '??????'], // unreadable: true for GET and HEAD, false otherwise
};

// §13.1.4: true if "earlier or equal to the date provided"; ignored without a date of modification. The date of the state
// is 12:00:01, the beginning of the next second.
const ifUnmodifiedSince: Table = {
  absent: [undefined, '------'],
  older: ['Tue, 10 Mar 2026 12:00:00 GMT', '-FFF--'],
  equal: ['Tue, 10 Mar 2026 12:00:01 GMT', '-TTT--'],
  newer: ['Tue, 10 Mar 2026 12:00:02 GMT', '-TTT--'],
  invalid: ['2026-03-10', '------'],
  two: ['Tue, 10 Mar 2026 11:59:59 GMT, Tue, 10 Mar 2026 11:59:59 GMT', '------'],
};

// §13.1.3: false if "earlier or equal to the date provided".
const ifModifiedSince: Table = {
  absent: [undefined, '------'],
  older: ['Tue, 10 Mar 2026 12:00:00 GMT', '-TTT--'],
  equal: ['Tue, 10 Mar 2026 12:00:01 GMT', '-FFF--'],
  newer: ['Tuesday, 10-Mar-26 12:00:02 GMT', '-FFF--'],
  invalid: ['0', '------'],
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** RFC 9110 §13.2.2, step by step, over truth values. */
function oracle(method: string, im: string, ius: string, inm: string, ims: string): Verdict {
  // §13.2.1: methods that do not involve "the selection or modification of a selected representation"
  if (['OPTIONS', 'TRACE', 'CONNECT'].includes(method)) return 'proceed';
  const get = method === 'GET' || method === 'HEAD';
  // 1. "When recipient is the origin server and If-Match is present"
  if (im === 'F') return 'precondition-failed';
  // 2. "If-Match is not present, and If-Unmodified-Since is present"
  if (im === '-' && ius === 'F') return 'precondition-failed';
  // 3. "When If-None-Match is present"
  if (inm === 'F' || (inm === '?' && !get)) return get ? 'not-modified' : 'precondition-failed';
  // 4. "When the method is GET or HEAD, If-None-Match is not present, and If-Modified-Since is present"
  if (get && inm === '-' && ims === 'F') return 'not-modified';
  return 'proceed';
}

describe('RFC 9110 §13.2.2: precedence of preconditions, enumerated in full', () => {
  for (const method of methods) {
    for (const [i, [name, current]] of states.entries()) {
      test(`${method}, ${name}`, () => {
        const wrong: string[] = [];
        for (const [a, [im, imTruth]] of Object.entries(ifMatch)) {
          for (const [b, [ius, iusTruth]] of Object.entries(ifUnmodifiedSince)) {
            for (const [c, [inm, inmTruth]] of Object.entries(ifNoneMatch)) {
              for (const [d, [ims, imsTruth]] of Object.entries(ifModifiedSince)) {
                const expected = oracle(method, imTruth[i]!, iusTruth[i]!, inmTruth[i]!, imsTruth[i]!);
                const preconditions: Preconditions = {
                  ...(im !== undefined && { ifMatch: im }),
                  ...(ius !== undefined && { ifUnmodifiedSince: ius }),
                  ...(inm !== undefined && { ifNoneMatch: inm }),
                  ...(ims !== undefined && { ifModifiedSince: ims }),
                };
                const actual = evaluate(method, preconditions, current);
                if (actual !== expected) {
                  wrong.push(`If-Match ${a}, I-U-S ${b}, I-N-M ${c}, I-M-S ${d}: ${actual}, not ${expected}`);
                }
              }
            }
          }
        }
        expect(wrong).toEqual([]);
      });
    }
  }
});

// RFC 9110 §5.6.7: a date "more than 50 years in the future" is "the most recent year in the past".
describe('a two-digit year is at most 50 years after the time of the request', () => {
  const now = Date.UTC(2080, 2, 10);
  const current = { lastModified: Date.UTC(2078, 2, 10) };
  test.each<[date: string, year: number, changed: boolean]>([
    ['Wednesday, 10-Mar-77 12:00:00 GMT', 2077, true],
    ['Friday, 10-Mar-79 12:00:00 GMT', 2079, false],
    ['Monday, 10-Mar-31 12:00:00 GMT', 2031, true],
  ])('%s is in %i', (date, _year, changed) => {
    const [unmodified, modified] = [{ ifUnmodifiedSince: date }, { ifModifiedSince: date }];
    expect(evaluate('PUT', unmodified, current, now)).toBe(changed ? 'precondition-failed' : 'proceed');
    expect(evaluate('GET', modified, current, now)).toBe(changed ? 'proceed' : 'not-modified');
  });
});

describe('known mistakes of other servers', () => {
  const current = states[1]?.[1];
  test('§13.1.3: If-Modified-Since is ignored on PUT', () => {
    expect(evaluate('PUT', { ifModifiedSince: 'Tue, 10 Mar 2026 12:00:00 GMT' }, current)).toBe('proceed');
  });
  test('§13.1.3: If-Modified-Since is ignored beside If-None-Match', () => {
    const both = { ifNoneMatch: '"v2"', ifModifiedSince: 'Tue, 10 Mar 2026 12:00:00 GMT' };
    expect(evaluate('GET', both, current)).toBe('proceed');
  });
  test('§13.1.1: If-Match: "x" fails on a missing resource', () => {
    expect(evaluate('PUT', { ifMatch: '"x"' }, undefined)).toBe('precondition-failed');
  });
  test('§13.1.4: If-Unmodified-Since is ignored beside If-Match', () => {
    const both = { ifMatch: '"v1"', ifUnmodifiedSince: 'Tue, 10 Mar 2026 11:59:59 GMT' };
    expect(evaluate('PUT', both, current)).toBe('proceed');
  });
});

describe('the fields themselves', () => {
  test('malformed entity tags are reported, and malformed dates are not', () => {
    expect(malformedPrecondition({})).toBeUndefined();
    expect(malformedPrecondition({ ifMatch: '"a"', ifNoneMatch: '*' })).toBeUndefined();
    expect(malformedPrecondition({ ifMatch: 'x' })).toBe('If-Match');
    expect(malformedPrecondition({ ifMatch: '*', ifNoneMatch: '"a' })).toBe('If-None-Match');
    expect(malformedPrecondition({ ifMatch: 'x', ifNoneMatch: 'x' })).toBe('If-Match');
    expect(malformedPrecondition({ ifModifiedSince: 'x', ifUnmodifiedSince: 'x' })).toBeUndefined();
  });
  test('no text in any of them causes an exception', () => {
    const any = anyText();
    fc.assert(
      fc.property(any, any, any, any, (im, inm, ims, ius) => {
        const p = { ifMatch: im, ifNoneMatch: inm, ifModifiedSince: ims, ifUnmodifiedSince: ius };
        for (const [, current] of states) evaluate('GET', p, current);
      }),
    );
  });
});

// RFC 9110 §8.8.2.2. Specification 3.10. S3 gives whole seconds, and the store of items ms.
test.each([1, 1000])(
  'a date of a response hides no change after it, with times in steps of %i ms',
  (step) => {
    const time = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(time, time, time, (first, pause, later) => {
        const now = first + pause;
        const stored = (at: number) => ({ lastModified: Math.floor(at / step) * step });
        const date = modificationDate(stored(first).lastModified);
        fc.pre(date <= now);
        const fields = new Date(date).toUTCString();
        const changed = stored(now + later);
        expect(evaluate('GET', { ifModifiedSince: fields }, stored(first))).toBe('not-modified');
        expect(evaluate('PUT', { ifUnmodifiedSince: fields }, stored(first))).toBe('proceed');
        expect(evaluate('GET', { ifModifiedSince: fields }, changed)).toBe('proceed');
        expect(evaluate('PUT', { ifUnmodifiedSince: fields }, changed)).toBe('precondition-failed');
      }),
    );
  },
);
