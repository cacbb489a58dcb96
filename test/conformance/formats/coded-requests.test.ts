import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { ended } from '../../support/client/operation.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const JSON_TYPE = 'application/json';
const zipped = (type: string, text: string | Buffer, more: Record<string, string> = {}) => ({
  body: gzipSync(text),
  headers: { 'Content-Type': type, 'Content-Encoding': 'gzip', ...more },
});

// Specification 2.48
describe('content in gzip', () => {
  test('is the same as the content without coding, in every format', async () => {
    const name = unique('gzip');
    const forms = {
      [JSON_TYPE]: JSON.stringify({ name }),
      'application/xml': `<member><name>${name}</name></member>`,
      'application/x-www-form-urlencoded': `name=${name}`,
      'multipart/form-data; boundary=b': `--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n${name}\r\n--b--\r\n`,
    };
    for (const [type, text] of Object.entries(forms)) {
      const answer = await send('POST', '/members', zipped(type, text));
      expect([type, answer.status, answer.json().name]).toEqual([type, 201, name]);
    }
    const { path } = await create('/members', { name: 'before' });
    const put = await send('PUT', path, zipped(JSON_TYPE, '{"name":"put","age":1}'));
    expect(put.json()).toMatchObject({ name: 'put', age: 1 });
    const merge = await send('PATCH', path, zipped('application/merge-patch+json', '{"name":"merge"}'));
    expect(merge.json()).toMatchObject({ name: 'merge', age: 1 });
    const patch = '[{"op":"remove","path":"/age"}]';
    expect((await send('PATCH', path, zipped('application/json-patch+json', patch))).status).toBe(200);
    expect((await get(path)).json()).not.toHaveProperty('age');
  });

  test('can be files', async () => {
    const filename = `${unique('gzip')}.txt`;
    const content = 'text '.repeat(100_000);
    const json = JSON.stringify([{ filename, content }]);
    expect((await send('POST', '/files', zipped(JSON_TYPE, json))).status).toBe(201);
    expect((await get(`/files/${filename}`)).text).toBe(content);
    const part = `--b\r\nContent-Disposition: form-data; name="f"; filename="${filename}"\r\n\r\nnew\r\n--b--\r\n`;
    const replaced = await send('POST', '/files', zipped('multipart/form-data; boundary=b', part));
    expect(replaced.status).toBe(200);
    expect((await get(`/files/${filename}`)).text).toBe('new');
  });

  test('may have several members, as gzip writes them', async () => {
    const body = Buffer.concat([gzipSync('{"name":'), gzipSync('"two"}')]);
    const answer = await send('POST', '/members', { ...zipped(JSON_TYPE, ''), body });
    expect([answer.status, answer.json().name]).toEqual([201, 'two']);
  });

  // RFC 9110 §8.4.1.3
  test.each(['x-gzip', 'GZIP', 'identity, gzip'])('has the name %s too', async (coding) => {
    const sent = zipped(JSON_TYPE, '{"name":"x"}', { 'Content-Encoding': coding });
    expect((await send('POST', '/members', sent)).status).toBe(201);
  });

  test('gets 415 if it does not begin as gzip, and 400 if it is damaged or empty', async () => {
    const whole = gzipSync('{"name":"x"}');
    const plain = await send('POST', '/members', { ...zipped(JSON_TYPE, ''), body: '{"name":"x"}' });
    expectProblem(plain, 415);
    expect(plain.headers['accept-encoding']).toBe('gzip');
    for (const body of [whole.subarray(0, -3), Buffer.from([31, 139])])
      expectProblem(
        await send('POST', '/members', { ...zipped(JSON_TYPE, ''), body }),
        400,
        'malformed-body',
      );
    expectProblem(
      await send('POST', '/members', { ...zipped(JSON_TYPE, ''), body: '' }),
      400,
      'malformed-body',
    );
    expectProblem(await send('POST', '/members', zipped(JSON_TYPE, '')), 400, 'malformed-body');
  });

  test('gets 413 if it unpacks to too much', async () => {
    for (const size of [1_000_001, 200_000_000])
      expectProblem(await send('POST', '/members', zipped(JSON_TYPE, Buffer.alloc(size, ' '))), 413);
  });

  test('gets 415 as stored bytes', async () => {
    const { path } = await create('/products', { name: unique('gzip') });
    for (const [uri, type] of [
      [`/files/${unique('gzip')}`, 'text/plain'],
      [`${path}?fields=productImage`, 'image/png'],
    ] as const) {
      const answer = await send('PUT', uri, zipped(type, 'x'));
      expectProblem(answer, 415);
      expect(answer.headers['accept-encoding']).toBe('identity');
      expect((await get(uri)).status).toBe(404);
    }
  });

  test('gets 404 for a missing parent before 415 for its coding', async () => {
    const headers = { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'deflate' };
    const body = deflateSync('{}');
    expectProblem(await send('POST', '/customers/1/orders', { headers, body }), 404);
    expectProblem(await send('POST', '/members', { headers, body }), 415);
  });

  // API Gateway has unpacked it, so the bytes of the digest are gone.
  test('may have any digest', async () => {
    for (const field of ['Content-Digest', 'Repr-Digest']) {
      const sent = zipped(JSON_TYPE, '{"name":"digest"}', { [field]: 'sha-256=:AAAA:' });
      expect((await send('POST', '/members', sent)).status).toBe(201);
    }
  });

  test('has one effect with an Idempotency-Key, whatever its coding', async () => {
    const key = { 'Idempotency-Key': unique('key') };
    const text = JSON.stringify({ name: unique('once') });
    const first = await send('POST', '/members', zipped(JSON_TYPE, text, key));
    const headers = { 'Content-Type': JSON_TYPE, ...key };
    const again = await send('POST', '/members', { body: text, headers });
    expect([again.status, again.headers['idempotency-replayed'], again.text]).toEqual([
      201,
      'true',
      first.text,
    ]);
    expectProblem(await send('POST', '/members', zipped(JSON_TYPE, '{"name":"other"}', key)), 422);
  });

  test('can be the content of an operation', async () => {
    const name = unique('later');
    const sent = zipped(JSON_TYPE, JSON.stringify({ name }), { Prefer: 'respond-async' });
    const accepted = await send('POST', '/members', sent);
    expect(accepted.status).toBe(202);
    const done = await ended(accepted);
    expect(done.json().status).toBe('Succeeded');
  });
});
