import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withoutCodings } from '../../../../shared/http/conditional/entity-tag.ts';
import { CODINGS, chooseCoding } from '../../../../shared/http/fields/accept-encoding.ts';

describe('RFC 9110 §12.5.3: Accept-Encoding', () => {
  test.each([
    // absent or empty: identity
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['deflate', undefined],
    ['compress, x-unknown', undefined],
    ['*', 'zstd'],
    ['*;q=0.5, gzip', 'gzip'],
    ['zstd;q=0, br;q=0, *', 'gzip'],
    // weights
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip; q=0.2 , br ; Q=0.3', 'br'],
    ['gzip;q=0', undefined],
    ['gzip;q=0, br;q=0, zstd;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip', 'gzip'],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=1.0', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    // Nothing fits: the service sends the content as it is.
    ['identity;q=0', undefined],
    ['*;q=0', undefined],
    ['deflate, identity;q=0', undefined],
    // A malformed member has no effect.
    ['gzip;q=2', undefined],
    ['gzip;q=x, br', 'br'],
    ['gzip;level=9', undefined],
    [',,gzip,', 'gzip'],
  ])('%j selects %s', (field, coding) => {
    expect(chooseCoding(field, 100_000)).toBe(coding);
  });

  test('leaves short content as it is, unless the client forbids that', () => {
    expect(chooseCoding('gzip', 999)).toBeUndefined();
    expect(chooseCoding('gzip', 1000)).toBe('gzip');
    expect(chooseCoding('gzip, identity;q=0', 10)).toBe('gzip');
    expect(chooseCoding('gzip, *;q=0', 10)).toBe('gzip');
  });

  test('never selects a coding with the weight 0, for any field', () => {
    const member = fc.tuple(
      fc.constantFrom(...CODINGS, 'identity', '*', 'deflate'),
      fc.constantFrom('', ';q=0', ';q=0.001', ';q=0.5', ';q=1'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(member, { selector: ([name]) => name }), (members) => {
        const chosen = chooseCoding(members.map((parts) => parts.join('')).join(', '), 2000);
        const refused = new Set(members.filter(([, q]) => q === ';q=0').map(([name]) => name));
        const listed = new Set(members.map(([name]) => name));
        if (chosen === undefined) return;
        expect(refused).not.toContain(chosen);
        expect(listed.has(chosen) || (listed.has('*') && !refused.has('*'))).toBe(true);
      }),
    );
  });
});

describe('the entity tags of a field without codings', () => {
  test.each([
    ['*', '*'],
    ['"3.1-json-gzip"', '"3.1-json"'],
    ['W/"a-br", "b-zstd" ,"c"', 'W/"a", "b", "c"'],
    ['"gzip"', '"gzip"'],
    ['malformed', 'malformed'],
  ])('of %j are %j', (field, plain) => expect(withoutCodings(field)).toBe(plain));
});
