import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  essence,
  isInRange,
  mediaTypeFault,
  parseContentType,
  parseMediaType,
} from '../../../../shared/http/fields/media-type.ts';
import { anyText } from '../../../support/any-text.ts';

/** `type/subtype` and parameters of a field, or undefined. */
function read(field: string): [string, Record<string, string>] | undefined {
  const m = parseMediaType(field);
  return m && [essence(m), Object.fromEntries(m.parameters)];
}

describe('RFC 9110 §8.3.1: media type', () => {
  test.each([
    'text/html;charset=utf-8',
    'Text/HTML;Charset="utf-8"',
    'text/html; charset="utf-8"',
    'text/html;charset=utf-8;',
    'text/html \t;\t charset=utf-8',
    ' text/html;charset=utf-8 ',
    'text/html;;; ;charset=utf-8',
  ])('"the following media types are equivalent": %s', (field) => {
    expect(read(field)).toEqual(['text/html', { charset: 'utf-8' }]);
  });

  test.each([
    ['application/json', ['application/json', {}]],
    ['APPLICATION/Merge-Patch+JSON', ['application/merge-patch+json', {}]],
    ['multipart/form-data; boundary="a b\\"c"', ['multipart/form-data', { boundary: 'a b"c' }]],
    ['multipart/form-data; boundary=AaB03x', ['multipart/form-data', { boundary: 'AaB03x' }]],
    ['a/b;c=""', ['a/b', { c: '' }]],
    ['a/b;c=1;C="1"', ['a/b', { c: '1' }]],
    ["multipart/form-data; boundary=a/b=c'd;x=y", ['multipart/form-data', { boundary: "a/b=c'd", x: 'y' }]],
    ['a/b; x="1;y=2"; z=3', ['a/b', { x: '1;y=2', z: '3' }]],
    ['a/b;__proto__=x', ['a/b', JSON.parse('{"__proto__":"x"}')]],
  ])('%s', (field, expected) => expect(read(field)).toEqual(expected));

  test.each([
    '',
    ' ',
    'text',
    'text/',
    '/html',
    'text /html',
    'text/ html',
    'text/html charset=utf-8',
    'text/html;charset',
    'text/html;charset=',
    'text/html;=utf-8',
    'text/html;charset =utf-8',
    'text/html;charset= utf-8',
    'text/html;charset="utf-8',
    'text/html;charset="utf-8"x',
    'text/html;charset=utf-8 x',
    'text/html, text/plain',
    'te(xt/html',
    'text/html/xml',
    'text/html;a=b=c',
    'téxt/html',
    'text/html\n',
  ])('%j is malformed', (field) => expect(parseMediaType(field)).toBeUndefined());

  test('RFC 6838 §4.3: a parameter with two values is an error', () => {
    expect(parseMediaType('a/b;x=1;X=2')).toBeUndefined();
  });

  test('never throws on any text', () => {
    fc.assert(fc.property(anyText(), (field) => void parseMediaType(field)));
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '/', ';', '=', '"', '\\', ' ') }), (rest) => {
        const m = parseMediaType(`a/b${rest}`);
        if (m) expect(essence(m)).toMatch(/^a\/ba*$/);
      }),
    );
  });

  test.each(['*/*', 'image/*', '*/png', 'image/*;q=1'])('%s is not a Content-Type', (field) => {
    expect(parseMediaType(field)).toBeDefined();
    expect(parseContentType(field)).toBeUndefined();
  });

  test('a Content-Type is a media type', () => {
    expect(parseContentType('image/png')).toEqual(parseMediaType('image/png'));
    expect(parseContentType('image')).toBeUndefined();
    expect(parseContentType('a*/*b')).toEqual(parseMediaType('a*/*b'));
  });
});

describe('a range of media types', () => {
  test.each([
    ['image/png', 'image/*', true],
    ['IMAGE/PNG; q=1', 'image/*', true],
    ['text/plain', 'image/*', false],
    ['application/pdf', 'application/pdf', true],
    [' Application/PDF ; version=1', 'application/pdf', true],
    ['application/pdfx', 'application/pdf', false],
    ['imagery/png', 'image/*', false],
    ['image/png', '*/*', true],
  ])('%j in %s: %s', (mediaType, range, expected) => {
    expect(isInRange(mediaType, range)).toBe(expected);
  });
});

test('the service stores a media type of at most 255 bytes', () => {
  const long = `text/plain;a=${'x'.repeat(242)}`;
  expect([long.length, mediaTypeFault(long)]).toEqual([255, undefined]);
  expect(mediaTypeFault(`${long}x`)).toBe('must have at most 255 bytes');
  expect(mediaTypeFault('text/*')).toBe('must be a media type');
});
