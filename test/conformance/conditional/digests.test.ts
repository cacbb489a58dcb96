import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

const digest = (bytes: string, algorithm = 'sha256') => createHash(algorithm).update(bytes).digest('base64');
const field = (bytes: string) => `sha-256=:${digest(bytes)}:`;

describe('Content-Digest and Repr-Digest', () => {
  underTest();

  // Specification 5.8
  test.each(['Content-Digest', 'Repr-Digest'])('are verified: %s', async (header) => {
    const path = `/files/${unique('digest')}`;
    const wrong = await send('PUT', path, { body: 'hello', headers: { [header]: field('other') } });
    expect(wrong.status).toBe(400);
    expect(wrong.json().errors).toEqual([expect.objectContaining({ header })]);
    expect((await get(path)).status).toBe(404);
    expect((await send('PUT', path, { body: 'hello', headers: { [header]: field('hello') } })).status).toBe(
      201,
    );
    const described = `${field('hello')};p=1`;
    expect((await send('PUT', path, { body: 'hello', headers: { [header]: described } })).status).toBe(200);
    const mismatch = `${field('other')};p=1`;
    expect((await send('PUT', path, { body: 'hello', headers: { [header]: mismatch } })).status).toBe(400);
    const strong = `md5=:AAAA:, sha-512=:${digest('hello', 'sha512')}:`;
    expect((await send('PUT', path, { body: 'hello', headers: { [header]: strong } })).status).toBe(200);
  });

  // Specification 10.12
  test('are named by the problem of IANA’s registry, each with its field, and never with the right digest', async () => {
    const headers = {
      'Content-Digest': `${field('other')}, sha-512=:${digest('hello', 'sha512')}:`,
      'Repr-Digest': field('another'),
    };
    const answer = await send('PUT', `/files/${unique('digest')}`, { body: 'hello', headers });
    expectProblem(answer, 400, 'digest-mismatched-values');
    expect(answer.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#digest-mismatched-values',
      title: 'Mismatched Digest Values',
      'mismatched-digests': [
        { algorithm: 'sha-256', 'provided-digest': `:${digest('other')}:`, header: 'Content-Digest' },
        { algorithm: 'sha-256', 'provided-digest': `:${digest('another')}:`, header: 'Repr-Digest' },
      ],
    });
    expect(answer.text).not.toContain(digest('hello'));
  });

  // Specification 10.12
  test('of a wrong length are invalid, whatever the others are', async () => {
    const headers = { 'Content-Digest': field('other'), 'Repr-Digest': `sha-512=:${digest('hello')}:` };
    const answer = await send('PUT', `/files/${unique('digest')}`, { body: 'hello', headers });
    expectProblem(answer, 400, 'digest-invalid-values');
    expect(answer.json()['invalid-digests']).toEqual([
      { algorithm: 'sha-512', header: 'Repr-Digest', reason: 'sha-512 has 64 bytes' },
    ]);
  });

  test.each(['sha-256', 'sha-256=abc', 'sha-256=:not base64:', 'SHA-256=:AAAA:'])(
    'get 400 if they are malformed: %s',
    async (value) => {
      const answer = await send('PUT', `/files/${unique('digest')}`, {
        body: 'x',
        headers: { 'Content-Digest': value },
      });
      expect(answer.status).toBe(400);
    },
  );

  test('are verified for a JSON body too', async () => {
    const body = '{"name":"a"}';
    const post = (value: string) =>
      send('POST', '/members', {
        body,
        headers: { 'Content-Type': 'application/json', 'Content-Digest': value },
      });
    expect((await post(field(body))).status).toBe(201);
    expect((await post(field(`${body} `))).status).toBe(400);
  });

  // Specification 5.8
  test('are in the responses with the whole file and with a part', async () => {
    const path = `/files/${unique('digest')}`;
    await send('PUT', path, { body: 'hello' });
    const whole = await get(path);
    expect(whole.headers).toMatchObject({ 'repr-digest': field('hello'), 'content-digest': field('hello') });
    const part = await get(path, { Range: 'bytes=1-2' });
    expect(part.headers).toMatchObject({ 'repr-digest': field('hello'), 'content-digest': field('el') });
    // RFC 9530 §B.2: a response to HEAD has no content.
    const { headers } = await send('HEAD', path);
    expect([headers['repr-digest'], headers['content-digest']]).toEqual([field('hello'), undefined]);
  });
});
