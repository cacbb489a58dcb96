import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileTemplate, decodeSegment } from '../../../shared/http/paths.ts';

describe('RFC 6570 §1.2, level 1: expansion', () => {
  const hello = compileTemplate('/files/{filename}');
  test.each([
    ['value', '/files/value'],
    ['Hello World!', '/files/Hello%20World%21'], // the RFC's own example
    ['a/b', '/files/a%2Fb'],
    ['50%', '/files/50%25'],
    ['~a.b-c_d', '/files/~a.b-c_d'],
    ["(it's)*", '/files/%28it%27s%29%2A'],
    ['?#[]@', '/files/%3F%23%5B%5D%40'],
    ['é€😀', '/files/%C3%A9%E2%82%AC%F0%9F%98%80'],
    ['\ud800', '/files/%EF%BF%BD'],
    [42, '/files/42'],
    [9007199254740991, '/files/9007199254740991'],
  ])('%j: %s', (filename, path) => expect(hello.expand({ filename })).toBe(path));

  test('a missing value is an error of the programmer', () =>
    expect(() => hello.expand({})).toThrow(TypeError));
});

describe('matching', () => {
  const orders = compileTemplate('/customers/{id}/orders');
  const two = compileTemplate('/{a}/{b}');
  const plain = compileTemplate('/add');
  test('returns names in order', () => {
    expect(orders.names).toEqual(['id']);
    expect(two.names).toEqual(['a', 'b']);
    expect(plain.names).toEqual([]);
    expect(orders.template).toBe('/customers/{id}/orders');
  });
  test.each([
    [orders, '/customers/1/orders', { id: '1' }],
    [orders, '/customers/a%2Fb/orders', { id: 'a%2Fb' }],
    [orders, '/customers//orders', undefined],
    [orders, '/customers/1/orders/', undefined],
    [orders, '/customers/1/orders2', undefined],
    [orders, '/customers/1/2/orders', undefined],
    [orders, '/customers/1', undefined],
    [orders, '/customers/orders', undefined],
    [orders, 'customers/1/orders', undefined],
    [orders, '/Customers/1/orders', undefined],
    [orders, '', undefined],
    [two, '/x/y', { a: 'x', b: 'y' }],
    [two, '/x/', undefined],
    [two, '//y', undefined],
    [two, '/x', undefined],
    [two, '/x/y/z', undefined],
    [plain, '/add', {}],
    [plain, '/add/', undefined],
    [plain, '/ad', undefined],
    [compileTemplate('/'), '/', {}],
  ])('$template %s', (template, path, values) => expect(template.match(path)).toEqual(values));

  test.each(['/{a}{b}', '/x{a}', '/{a}x', '/{a', '/a}', '/{}', '/{a}/{a}', '/{+a}', '/{a,b}'])(
    '%s does not compile',
    (t) => expect(() => compileTemplate(t)).toThrow(TypeError),
  );

  test('match and decodeSegment read the output of expand', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const values = two.match(two.expand({ a, b }));
        expect(decodeSegment(values?.a ?? '')).toBe(a.toWellFormed());
        expect(decodeSegment(values?.b ?? '')).toBe(b.toWellFormed());
      }),
    );
  });
  test('never throws on any path', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (path) => void two.match(path)));
  });
});

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
