import { describe, expect, test } from '@jest/globals';
import { decodeSegment } from '../../../shared/http/paths.ts';

describe('RFC 3986 §2.1: percent-encoding, decoded once', () => {
  test.each([
    ['plain', 'plain'],
    ['a%20b', 'a b'],
    ['a%2Fb', 'a/b'],
    ['%2525', '%25'],
    ['a+b', 'a+b'],
    ['%C3%A9', 'é'],
    ['%c3%a9', 'é'],
    ['', ''],
    ['%00', '\0'],
    ['%', undefined],
    ['%4', undefined],
    ['%zz', undefined],
    ['%C3', undefined], // cut off
    ['%C0%AF', undefined], // overlong "/"
    ['%ED%A0%80', undefined], // a surrogate
    ['%FF', undefined],
  ])('%s', (raw, text) => expect(decodeSegment(raw)).toBe(text));
});
