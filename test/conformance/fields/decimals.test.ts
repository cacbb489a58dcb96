import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

underTest();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const priceOf = (text: string) => /"price":([^,}]+)/.exec(text)?.[1] ?? '';

/** The exact value of a JSON number: its digits without outer zeros, and the power of ten. */
function value(digits: string): string {
  const [, sign, whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
  const all = `${whole}${part}`.replace(/^0+/, '');
  const significant = all.replace(/0+$/, '');
  const power = Number(exponent) - part.length + (all.length - significant.length);
  return significant === '' ? '0' : `${sign}${significant}e${power}`;
}

// Specification 2.30
describe('price', () => {
  const EXACT = [
    '0',
    '0.1',
    '0.2',
    '99.90',
    '99.9',
    '0.30000000000000004',
    '1e2',
    '1E+2',
    '1.5e-7',
    '100',
    '999999999999999',
    '999999999999999.9',
    '999999999999999.99999999999999999999999',
    '0.12345678901234567890123456789012345678',
    '12345678901234.567890123456789012345678',
    '0.00000000000000000001',
    '1e-30',
    '-0',
    '0.0',
    '0e10',
    '900719925474099.3',
    '900719925474099.31',
  ];

  test.each(EXACT)('returns %s as the client sent it', async (digits) => {
    const answer = await send('POST', '/products', { body: `{"price":${digits}}`, headers: JSON_TYPE });
    expect(answer.status).toBe(201);
    expect(value(priceOf(answer.text))).toBe(value(digits));
    const path = answer.headers.location as string;
    const got = await get(path);
    expect(value(priceOf(got.text))).toBe(value(digits));
    // GET followed by PUT keeps every digit.
    const again = await send('PUT', path, { body: got.text, headers: JSON_TYPE });
    expect(value(priceOf(again.text))).toBe(value(digits));
  });

  test('writes `0.1` as `0.1`', async () => {
    const answer = await send('POST', '/products', { body: '{"price":0.1}', headers: JSON_TYPE });
    expect(priceOf(answer.text)).toBe('0.1');
  });

  test('keeps its digits in both kinds of PATCH', async () => {
    const digits = '123456789012345.12345678901234567890123';
    for (const [type, body] of [
      ['application/merge-patch+json', `{"price":${digits}}`],
      ['application/json-patch+json', `[{"op":"replace","path":"/price","value":${digits}}]`],
    ] as const) {
      const { path } = await create('/products', { price: 1 });
      const answer = await send('PATCH', path, { body, headers: { 'Content-Type': type } });
      expect(answer.status).toBe(200);
      expect(priceOf(answer.text)).toBe(digits);
      expect(priceOf((await get(path)).text)).toBe(digits);
    }
  });

  // Specification 2.30: `99.90` equals `99.9`, so nothing changes.
  test('equals another spelling of the same number in `test` and PATCH', async () => {
    const { path } = await create('/products', { name: 'x' });
    const headers = { 'Content-Type': 'application/json-patch+json' };
    const set = await send('PATCH', path, { body: '[{"op":"add","path":"/price","value":99.90}]', headers });
    const body =
      '[{"op":"test","path":"/price","value":99.9},{"op":"test","path":"/price","value":9.99e1},{"op":"replace","path":"/price","value":99.900}]';
    const answer = await send('PATCH', path, { body, headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.etag).toBe(set.headers.etag);
    const near = '[{"op":"test","path":"/price","value":99.90000000000000000000000001}]';
    expectProblem(await send('PATCH', path, { body: near, headers }), 409);
  });

  test.each([
    ['39 digits', '0.123456789012345678901234567890123456789'],
    ['39 digits', '123456789012345.123456789012345678901234'],
    ['10^15', '1000000000000000'],
    ['10^15 by exponent', '1e15'],
    ['much more', '1e400'],
    ['below 0', '-1e-30'],
  ])('refuses %s with 400', async (_, digits) => {
    const answer = await send('POST', '/products', { body: `{"price":${digits}}`, headers: JSON_TYPE });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors[0]?.pointer).toBe('/price');
  });

  test('does not count leading and trailing zeros as digits', async () => {
    const digits = `1.${'0'.repeat(60)}`;
    const answer = await send('POST', '/products', { body: `{"price":${digits}}`, headers: JSON_TYPE });
    expect(answer.status).toBe(201);
    expect(value(priceOf(answer.text))).toBe(value('1'));
  });
});

// Specification 2.12: numbers in undeclared properties keep their value.
describe('numbers in undeclared properties', () => {
  test.each([
    '0.1',
    '9007199254740993',
    '123456789012345678901234567890',
    '1.10',
    '1e5',
    '-0.5',
    '3.14159265358979323846264338327950288',
  ])('keep their value: %s', async (digits) => {
    const answer = await send('POST', '/members', {
      body: `{"open":${digits},"list":[${digits}]}`,
      headers: JSON_TYPE,
    });
    expect(answer.status).toBe(201);
    const { text } = await get(answer.headers.location as string);
    const [, open = ''] = /"open":([^,}]+)/.exec(text) ?? [];
    const [, item = ''] = /"list":\[([^\]]+)\]/.exec(text) ?? [];
    expect([value(open), value(item)]).toEqual([value(digits), value(digits)]);
  });
});
