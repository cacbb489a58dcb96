import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainPath } from '../../../shared/http/paths.ts';
import { anyCharacter } from '../../support/any-text.ts';

const segment = fc.string({
  unit: fc.oneof(fc.constantFrom(..."aZ09-._~!$&'()*+,;=:@"), anyCharacter.map(encodeURIComponent)),
});
const paths = fc.array(segment).map((segments) => `/${segments.join('/')}`);

describe('RFC 3986 §6.2.2.2: percent-encoding normalization', () => {
  test.each([
    ['/%6dembers', '/members'],
    ['/%41%5A%61%7a%30%39%2D%5f%7E', '/AZaz09-_~'],
    ['/a%2Fb', '/a%2Fb'],
    ['/%2e%2E/x', '/%2e%2E/x'],
    ['/%40%5B%60%7B%3A%2f%25', '/%40%5B%60%7B%3A%2f%25'],
    ['/%c3%bc', '/%c3%bc'],
    ['/%', '/%'],
    ['/%2541', '/%2541'],
  ])('%s becomes %s', (path, plain) => {
    expect(plainPath(path)).toBe(plain);
  });

  test('keeps the meaning and gives the plain form', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const plain = plainPath(path);
        expect(decodeURIComponent(plain)).toBe(decodeURIComponent(path));
        expect(plainPath(plain)).toBe(plain);
      }),
    );
  });
});
