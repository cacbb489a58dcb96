import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Decimal, whole } from '../../../shared/json/decimal.ts';
import { expectLinear } from '../../support/expectations/expect-linear.ts';

const of = (text: string) => Decimal.parse(text)!;

/** Literals over the grammar of RFC 8259 §6, up to 45 digits and exponents of ±180 in all. */
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 22n }),
    fc.option(fc.stringMatching(/^[0-9]{1,20}$/), { nil: undefined }),
    fc.option(fc.integer({ min: -150, max: 150 }), { nil: undefined }),
    fc.constantFrom('e', 'E', 'e+'),
  )
  .map(([minus, integer, fraction, power, e]) => {
    const exponent = power === undefined ? '' : power < 0 ? `e${power}` : `${e}${power}`;
    return `${minus}${integer}${fraction === undefined ? '' : `.${fraction}`}${exponent}`;
  });

/** An independent reading of a literal: an integer at 10^-400. */
function scaled(text: string): bigint {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  return BigInt(integer + fraction) * 10n ** BigInt(400 + Number(power) - fraction.length);
}

describe('RFC 8259 §6: numbers', () => {
  test.each([
    ['0', '0', 0, 0, 0],
    ['-0', '0', 0, 0, 0],
    ['0.000', '0', 0, 0, 0],
    ['0e999999999999999999999', '0', 0, 0, 0],
    ['1', '1', 1, 1, 1],
    ['1.0', '1', 1, 1, 1],
    ['-1.50', '-1.5', -1, 2, 1],
    ['99.90', '99.9', 1, 3, 2],
    ['9.99E+1', '99.9', 1, 3, 2],
    ['0.001', '0.001', 1, 1, -2],
    ['1e2', '100', 1, 1, 3],
    ['12e-1', '1.2', 1, 2, 1],
    ['1e007', '10000000', 1, 1, 8],
    ['12345678901234567890', '12345678901234567890', 1, 19, 20],
    ['0.1e-39', `0.${'0'.repeat(39)}1`, 1, 1, -39],
    ['1e39', `1${'0'.repeat(39)}`, 1, 1, 40],
    ['1e40', '1e40', 1, 1, 41],
    ['-123e40', '-1.23e42', -1, 3, 43],
    ['1e-300', '1e-300', 1, 1, -299],
    ['1e999999999', '1e999999999', 1, 1, 1_000_000_000],
    ['1.5e-999999999', '1.5e-999999999', 1, 2, -999_999_998],
  ])('%s is %s', (text, canonical, sign, digits, exponent) => {
    expect(of(text)).toMatchObject({ text: canonical, sign, digits, exponent });
    expect(JSON.stringify({ n: of(text).canonical() })).toBe(`{"n":${canonical}}`);
    expect(JSON.stringify({ n: of(text) })).toBe(`{"n":${text}}`);
    expect(of(canonical).equals(of(text))).toBe(true);
  });

  test.each([
    '',
    '-',
    '+1',
    '01',
    '-01',
    '1.',
    '.5',
    '1e',
    '1e+',
    '1.e1',
    '0x10',
    'NaN',
    'Infinity',
    ' 1',
    '1 ',
    '1,5',
    '1_000',
    '١',
    '--1',
    '1e1.5',
    '1\n',
  ])('%j is not a number', (text) => expect(Decimal.parse(text)).toBeUndefined());

  test('"an implementation may set limits on the range": exponents beyond 10^15', () => {
    expect(Decimal.parse('1e99999999999999999999')).toBeUndefined();
    expect(Decimal.parse('1e-99999999999999999999')).toBeUndefined();
    expect(Decimal.parse('1e999999999999999')?.exponent).toBe(1e15); // 0.1 × 10^(10^15), at the limit
    expect(Decimal.parse('1e1000000000000000')).toBeUndefined();
  });

  test.each<[string, (length: number) => string]>([
    ['zeros', (length) => `1${'0'.repeat(length)}1`],
    ['zeros after a point', (length) => `0.${'0'.repeat(length)}1`],
    ['digits before a letter', (length) => `${'1'.repeat(length)}x`],
    ['digits of an exponent', (length) => `1e${'9'.repeat(length)}`],
  ])('takes time that is linear in its length: %s', (_, text) =>
    expectLinear((length) => Decimal.parse(text(length))),
  );
});

describe('exact arithmetic and order', () => {
  test('0.1 + 0.2 is 0.3', () => expect(of('0.1').plus(of('0.2')).text).toBe('0.3'));
  test('99.90 × 3 is 299.7', () => expect(of('99.90').times(of('3')).text).toBe('299.7'));
  test('1 + -1 is 0', () => expect(of('1').plus(of('-1'))).toMatchObject({ sign: 0, text: '0' }));
  test.each([
    ['2.345', 2, '2.35'],
    ['2.3449', 2, '2.34'],
    ['-2.345', 2, '-2.35'],
    ['2.5', 0, '3'],
    ['-0.4', 0, '0'],
    ['1250', -2, '1300'],
    ['49', -2, '0'],
    ['7.10', 4, '7.1'],
    ['0', 2, '0'],
  ])('%s with %d digits after the point is %s', (text, places, rounded) =>
    expect(of(text).rounded(places).text).toBe(rounded),
  );
  test.each(['1e300', '1e-300', '1e999999999', '1e-999999999', `0.${'0'.repeat(300)}1`])(
    '%s is too far from 1 to add',
    (far) => {
      expect(() => of(far).plus(of('1'))).toThrow(RangeError);
      expect(() => of('1').times(of(far))).toThrow(RangeError);
    },
  );
  test('10^±200 is too far from 1', () => {
    expect(of('1e199').plus(of('1e-200')).digits).toBe(400);
    expect(of('1e199').times(of('1e-200')).text).toBe('0.1');
  });
  test.each([
    ['0', true],
    ['10', true],
    ['1e50', true],
    ['12.0', true],
    ['-3', true],
    ['0.5', false],
    ['10.01', false],
    ['1e-50', false],
  ])('%s is an integer: %s', (text, whole) => expect(of(text).isInteger).toBe(whole));

  test.each([
    ['1e3', 1000],
    ['12.0', 12],
    ['0', 0],
  ])('%s is the whole number %d', (text, number) => expect(whole(of(text))).toBe(number));
  test('a decimal with a fraction and a value of another type stay as they are', () => {
    for (const value of [of('0.5'), of('12345678901234567890.1'), '1e3', null])
      expect(whole(value)).toBe(value);
  });

  test('agree with integers at a common scale', () => {
    fc.assert(
      fc.property(literal, literal, (a, b) => {
        const [x, y] = [of(a), of(b)];
        const [m, n] = [scaled(a), scaled(b)];
        expect(x.compare(y)).toBe(m < n ? -1 : m > n ? 1 : 0);
        expect(x.equals(y)).toBe(m === n);
        expect(x.text === y.text).toBe(m === n);
        expect(scaled(x.plus(y).text)).toBe(m + n);
        expect(scaled(x.text)).toBe(m);
        expect(x.plus(y).equals(y.plus(x))).toBe(true);
        expect(scaled(x.times(y).text) * 10n ** 400n).toBe(m * n);
        expect(scaled(x.minus(y).text)).toBe(m - n);
      }),
      { numRuns: 500 },
    );
  });

  test('values survive a round trip without loss', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        expect(Decimal.from(n).toNumber()).toBe(n === 0 ? 0 : n);
        expect(JSON.parse(JSON.stringify(Decimal.from(n)))).toBe(n === 0 ? 0 : n);
      }),
    );
    expect(() => Decimal.from(Number.NaN)).toThrow(RangeError);
    expect(() => Decimal.from(Number.POSITIVE_INFINITY)).toThrow(RangeError);
    const one = of('1');
    expect(Decimal.from(one)).toBe(one);
    expect(of('1e400').toNumber()).toBe(Number.POSITIVE_INFINITY);
    expect(`${of('1.50')}`).toBe('1.5');
  });
});
