import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest } from '../../support/service/under-test.ts';

underTest();

const path = (one: string, two: string) =>
  `/add?operand1=${encodeURIComponent(one)}&operand2=${encodeURIComponent(two)}`;

// Specification C.89, 1.19
describe('GET /add', () => {
  const SUMS: [string, string, string][] = [
    ['1', '2', '3'],
    ['0.1', '0.2', '0.3'],
    ['-5', '3', '-2'],
    ['1.5', '-1.5', '0'],
    ['0', '0', '0'],
    ['-0', '0', '0'],
    ['99.90', '0.10', '100'],
    ['9007199254740993', '1', '9007199254740994'],
    ['99999999999999999999999999999999999999', '1', '100000000000000000000000000000000000000'],
    [
      '99999999999999999999999999999999999999',
      '0.00000000000000000000000000000000000001',
      '99999999999999999999999999999999999999.00000000000000000000000000000000000001',
    ],
    ['1e2', '1E-2', '100.01'],
    ['1e37', '-1e37', '0'],
    ['1e-38', '0e-38', '1e-38'],
    ['-1e-38', '1e-38', '0'],
    [`0.${'0'.repeat(150)}1`, '0e38', '1e-151'],
    ['123456789.123456789', '-0.123456789', '123456789'],
    ['-99999999999999999999999999999999999999', '-1', '-100000000000000000000000000000000000000'],
  ];

  test.each(SUMS)('computes %s + %s = %s exactly', async (one, two, sum) => {
    const plain = await get(path(one, two), { Accept: 'text/plain' });
    expect(plain.status).toBe(200);
    expect(plain.headers['content-type']).toMatch(/^text\/plain/);
    expect(same(plain.text.trim(), sum)).toBe(true);
    const json = await get(path(one, two));
    expect(json.headers['content-type']).toMatch(/^application\/json/);
    const numbers = /^\{"operand1":(.+?),"operand2":(.+?),"sum":(.+?)(,"links".*)?\}$/.exec(json.text) ?? [];
    expect(numbers.slice(1, 4).map((text, at) => same(text, [one, two, sum][at] as string))).toEqual([
      true,
      true,
      true,
    ]);
    expect(json.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(json.headers.vary?.toLowerCase()).toContain('accept');
  });

  // Specification 1.20
  test.each([
    ['+1', '1'],
    ['.5', '0.5'],
    ['1.', '1'],
    ['007', '7'],
    ['1e3', '1000'],
    ['-.5E+1', '-5'],
    ['-00.50', '-0.5'],
    ['+0.e-38', '0'],
    ['000000000000000000000000000000000000000000000001', '1'],
    ['99999999999999999999999999999999999999.0', '99999999999999999999999999999999999999'],
  ])('reads %s as people write it', async (written, value) => {
    const plain = await get(path(written, '0'), { Accept: 'text/plain' });
    expect([plain.status, plain.text.trim()]).toEqual([200, value]);
    for (const Accept of ['application/json', 'application/xml'])
      expect((await get(path(written, '0'), { Accept })).text).toContain(value);
    expect((await get(path(written, '0'))).json()).toMatchObject({
      operand1: Number(value),
      sum: Number(value),
    });
  });

  /** True if both decimals are the same number, to the last digit. */
  function same(one: string, two: string): boolean {
    const canonical = (text: string) => {
      const [, sign = '', whole = '', part = '', exponent = '0'] =
        /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
      const digits = `${whole}${part}`.replace(/^0+/, '');
      const significant = digits.replace(/0+$/, '');
      if (/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.test(text) === false) return `no number: ${text}`;
      return significant === ''
        ? '0'
        : `${sign}${significant}e${Number(exponent) - part.length + digits.length - significant.length}`;
    };
    return canonical(one) === canonical(two);
  }

  test('gives the same response twice', async () => {
    const [one, two] = [await get(path('1', '2')), await get(path('1', '2'))];
    expect(one.text).toBe(two.text);
    expect(one.headers.etag).toBe(two.headers.etag);
    const head = await send('HEAD', path('1', '2'));
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      one.headers['content-length'],
    ]);
    if (one.headers.etag)
      expect((await get(path('1', '2'), { 'If-None-Match': one.headers.etag })).status).toBe(304);
  });
});

// Specification 1.19, 1.20, D.6. The service also refuses operands nearer to zero than 10^-160: sums stay exact.
describe('an invalid operand gets 400', () => {
  test.each([
    '',
    'x',
    '1,5',
    '.',
    '+',
    '+.',
    '.e1',
    '1.2.3',
    '+-1',
    '1e',
    '1e1.5',
    '0x10',
    'NaN',
    'Infinity',
    '1 ',
    '  1',
    ' -1',
    '"1"',
    'null',
    '--1',
    '1e38',
    '-1e38',
    '1e999999999',
    '123456789012345678901234567890123456789',
    '0.123456789012345678901234567890123456789',
    '1e-39',
    '0e39',
    '0e-999',
    '10e38',
    `0.${'0'.repeat(160)}1`,
    '١',
    '1_000',
  ])('for %j', async (operand) => {
    for (const [at, query] of [path(operand, '1'), path('1', operand)].entries()) {
      const answer = await get(query);
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors.map(({ parameter }) => parameter)).toEqual([`operand${at + 1}`]);
    }
  });

  test.each([
    ['/add', ['operand1', 'operand2']],
    ['/add?operand1=1', ['operand2']],
    ['/add?operand2=1', ['operand1']],
    ['/add?operand1=1&operand1=1&operand2=1', ['operand1']],
    ['/add?operand1=1&operand2=1&operand2=2', ['operand2']],
    ['/add?operand1=x&operand2=y', ['operand1', 'operand2']],
  ])('for %s', async (query, parameters) => {
    const answer = await get(query);
    expectProblem(answer, 400, 'validation-error');
    expect(
      answer
        .json()
        .errors.map(({ parameter }) => parameter)
        .sort(),
    ).toEqual(parameters);
    expect(answer.headers['cache-control']).not.toMatch(/immutable/);
  });

  test('ignores other parameters', async () => {
    expect((await get(`${path('1', '2')}&x=1`)).status).toBe(200);
  });

  // Specification 4.11
  test('reads a leading +, which a query carries as a space', async () => {
    expect((await get('/add?operand1=+1&operand2=+.5')).json()).toEqual({
      operand1: 1,
      operand2: 0.5,
      sum: 1.5,
    });
    expect((await get('/add?operand1=%20%37&operand2=1')).json()).toMatchObject({ operand1: 7 });
    expectProblem(await get('/add?operand1=1e+2&operand2=1'), 400);
  });

  test('reads the escaped + of 1e%2B2', async () => {
    expect((await get('/add?operand1=1e%2B2&operand2=1', { Accept: 'text/plain' })).text.trim()).toBe('101');
  });
});

// Specification 1.19
describe('the page of /add', () => {
  const Accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('is the empty form without operands', async () => {
    const { status, headers, text } = await get('/add', { Accept });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['cache-control']).not.toMatch(/immutable/);
    expect(text).toMatch(/<form method="get" action="[^"]*\/add">/);
    for (const name of ['operand1', 'operand2'])
      expect(text).toMatch(
        new RegExp(`<label for="(input-${name})">[^]+<input id="\\1" name="${name}"[^>]* value=""`),
      );
  });

  test('has the sum, and the operands in the form', async () => {
    const { status, headers, text } = await get(path('.5', '1'), { Accept });
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(text).toContain('<dd>1.5</dd>');
    expect(text).toContain('value=".5"');
  });

  test('gets 400 for one operand, and for a text that is not a number', async () => {
    for (const query of ['/add?operand1=1', path('"><script>', '1')]) {
      const { status, headers, text } = await get(query, { Accept });
      expect([status, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(text).not.toContain('"><script>');
    }
  });
});

test('a client that accepts neither JSON nor text gets 406', async () => {
  expectProblem(await get(path('1', '2'), { Accept: 'image/png' }), 406);
});
