import { describe, expect, test } from '@jest/globals';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

underTest();

const FORM = 'application/x-www-form-urlencoded';
const TYPES = ['application/json', 'application/xml', 'text/html'];
/** The most bytes that a refusal has. */
const MOST = 1_000_000;

/** Sends a request in each format. Each response repeats little of the request. */
async function expectRefused(
  method: string,
  path: string,
  type: string,
  body: string | Buffer,
  statuses = [400, 413],
) {
  for (const Accept of TYPES) {
    const answer = await send(method, path, { body, headers: { 'Content-Type': type, Accept } });
    expect(statuses).toContain(answer.status);
    expect(answer.bytes.length).toBeLessThan(MOST);
  }
}

const encoded = encodeURIComponent;

describe('a refused form', () => {
  test.each([
    ['110,000 inputs', `email=bad&${Array.from({ length: 110_000 }, (_, at) => `a${at}=`).join('&')}`],
    ['a text of 300,000 quotes', `email=bad&name=${encoded('"'.repeat(300_000))}`],
    ['a name of 300,000 quotes', `email=bad&${encoded('"'.repeat(300_000))}=1`],
    ['a name of 900,000 letters', `email=bad&${'n'.repeat(900_000)}=1`],
    ['30,000 inputs of the same name', `email=bad&${'age=x&'.repeat(30_000)}`],
    [
      '10,000 long names',
      `email=bad&${Array.from({ length: 10_000 }, (_, at) => `${'b'.repeat(80)}${at}=`).join('&')}`,
    ],
  ])('with %s is not repeated completely', async (_, body) => {
    await expectRefused('POST', '/members', FORM, body);
    const member = await create('/members', { name: 'x' });
    await expectRefused('POST', `${member.path}/edit`, FORM, body, [400, 404, 405, 413]);
    await expectRefused('POST', member.path, FORM, body);
  });

  test('comes back as the browser sent it if it is small', async () => {
    const answer = await send('POST', '/members', {
      body: `email=bad&name=${encoded('"'.repeat(1000))}`,
      headers: { 'Content-Type': FORM, Accept: 'text/html' },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('&quot;'.repeat(1000));
    expect(answer.text).toContain('value="bad"');
  });
});

const BOUNDARY = 'b';
const multipart = (parts: readonly string[]) =>
  `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
const file = (filename: string, more = '') =>
  `Content-Disposition: form-data; name="f"; filename="${filename}"${more}\r\n\r\nx`;

describe('refused files', () => {
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  test.each([
    ['the same long name 50 times', Array.from({ length: 50 }, () => file('n'.repeat(60_000)))],
    ['50 long names', Array.from({ length: 50 }, (_, at) => file(`${'n'.repeat(60_000)}${at}`))],
    ['900 forbidden names', Array.from({ length: 900 }, (_, at) => file(`${"'&<".repeat(1000)}-${at}`))],
    [
      '50 long names of inputs',
      Array.from(
        { length: 50 },
        () => `Content-Disposition: form-data; name="${'&'.repeat(60_000)}"\r\n\r\nx`,
      ),
    ],
  ])('with %s are not repeated', async (_, parts) => {
    await expectRefused('POST', '/files', type, multipart(parts));
  });

  test('with 999 forbidden names beside a valid one have a result each', async () => {
    const parts = [
      file('good'),
      ...Array.from({ length: 998 }, (_, at) => file(`${"'".repeat(4000)}-${at}`)),
    ];
    for (const Accept of TYPES) {
      const answer = await send('POST', '/files', {
        body: multipart(parts),
        headers: { 'Content-Type': type, Accept, Prefer: 'handling=lenient' },
      });
      expect(answer.status).toBe(207);
      expect(answer.bytes.length).toBeLessThan(4_500_000);
    }
  });

  test('in JSON with long names and types are not repeated', async () => {
    const wrong = {
      filename: '&'.repeat(9000),
      contentType: '"'.repeat(900),
      content: '?',
      digest: '"'.repeat(500),
    };
    await expectRefused(
      'POST',
      '/files',
      'application/json',
      JSON.stringify(Array.from({ length: 90 }, () => wrong)),
    );
  });
});

describe('refused items', () => {
  const names = (count: number, name: (at: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 1]));

  test.each([
    ['20,000 bad names', names(20_000, (at) => `& ${at}`)],
    ['long bad names', names(10, (at) => `${'"'.repeat(40_000)}${at}`)],
  ])('with %s are not repeated', async (_, item) => {
    await expectRefused('POST', '/members', 'application/json', JSON.stringify(item));
    const { path } = await create('/members', { name: 'x' });
    await expectRefused('PUT', path, 'application/json', JSON.stringify(item));
    await expectRefused('PATCH', path, 'application/merge-patch+json', JSON.stringify(item));
    const lenient = { 'Content-Type': 'application/json', Prefer: 'handling=lenient' };
    for (const Accept of TYPES) {
      const answer = await send('POST', '/members', {
        body: JSON.stringify([item, { name: 'x' }]),
        headers: { ...lenient, Accept },
      });
      expect([207, 413]).toContain(answer.status);
      expect(answer.bytes.length).toBeLessThan(MOST);
    }
  });

  test('with 100 causes in each of 100 elements have a result each', async () => {
    const item = names(100, (at) => `${'"'.repeat(10)} ${at}`);
    for (const Accept of TYPES) {
      const answer = await send('POST', '/members', {
        json: Array.from({ length: 100 }, () => item),
        headers: { Prefer: 'handling=lenient', Accept },
      });
      expect(answer.status).toBe(207);
      expect(answer.bytes.length).toBeLessThan(4_500_000);
    }
  });

  test('from a patch with long pointers are not repeated', async () => {
    const { path } = await create('/members', { name: 'x' });
    const long = `/${'"'.repeat(400_000)}`;
    for (const op of [
      { op: 'remove', path: long },
      { op: long, path: '/a' },
      { op: 'test', path: '/name', value: long },
      { op: 'copy', from: long, path: '/a' },
    ])
      await expectRefused('PATCH', path, 'application/json-patch+json', JSON.stringify([op]), [400, 409]);
  });
});

describe('a refused query', () => {
  test('is not repeated if it is long', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `a${at}"`).join(',');
    for (const Accept of TYPES) {
      const answer = await get(`/files?fields=${encoded(names)}`, { Accept });
      expect(answer.status).toBe(400);
      expect(answer.bytes.length).toBeLessThan(MOST);
    }
  });
});
