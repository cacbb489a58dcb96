import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatPointer, parsePointer, resolve } from '../../../shared/json/pointer.ts';
import type { JsonValue } from '../../../shared/json/value.ts';
import { anyText } from '../../support/any-text.ts';

describe('RFC 6901 §5: the example document', () => {
  const document: JsonValue = {
    foo: ['bar', 'baz'],
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
  };
  test.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j', (pointer, value) => {
    const tokens = parsePointer(pointer)!;
    expect(resolve(document, tokens)).toEqual({ found: true, value });
    expect(formatPointer(tokens)).toBe(pointer);
  });

  test.each([
    '/foo/2',
    '/foo/-',
    '/foo/00',
    '/foo/01',
    '/foo/+1',
    '/foo/1.0',
    '/foo/1e0',
    '/foo/ 1',
    '/foo/',
    '/foo/length',
    '/foo/99999999999999999999',
    '/foo/0/0',
    '/bar',
    '/toString',
    '/__proto__',
    '/constructor',
    '//',
    '/foo/map',
  ])('%j finds nothing (§4)', (pointer) =>
    expect(resolve(document, parsePointer(pointer)!)).toEqual({ found: false }),
  );
  test('null, false and 0 are found', () => {
    for (const value of [null, false, 0, '']) expect(resolve([value], ['0'])).toEqual({ found: true, value });
    expect(resolve(null, ['a'])).toEqual({ found: false });
  });
});

describe('RFC 6901 §3: syntax', () => {
  test.each(['a', ' /a', '#/a', '/~', '/a~', '/~2', '/~a/b', '/a/~01~'])('%j is not a pointer', (text) =>
    expect(parsePointer(text)).toBeUndefined(),
  );
  test('§4: "~01" becomes "~1", never "/"', () => expect(parsePointer('/~01')).toEqual(['~1']));
  test('reads back any tokens', () => {
    const token = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', 'é') });
    fc.assert(
      fc.property(fc.array(token), (tokens) => expect(parsePointer(formatPointer(tokens))).toEqual(tokens)),
    );
  });
  test('never throws', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const tokens = parsePointer(`/${text}`);
        if (tokens) expect(formatPointer(tokens)).toBe(`/${text}`);
      }),
    );
  });
});
