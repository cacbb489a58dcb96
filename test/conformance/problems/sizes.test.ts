import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { sendRaw } from '../../support/client/raw.ts';
import { address, create, get, send, underTest } from '../../support/service/under-test.ts';
import { expectRefusedEverywhere, JSON_TYPE, post, watch, witness } from '../../support/witness.ts';

underTest();
watch();

describe('sizes', () => {
  // Specification 10.10
  test.each([1000, 100_000])('nesting of %i gets 400', async (depth) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
      expectProblem(await post(`{"name":"x","open":${nested}}`), 400);
      await expectRefusedEverywhere(open.repeat(depth), 400);
    }
  });

  test('nesting of 60 is allowed and of 66 is not', async () => {
    const nested = (depth: number) => `{"open":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect((await post(nested(60))).status).toBe(201);
    expectProblem(await post(nested(66)), 400);
  });

  test('nesting that grows by PATCH reaches the limit too', async () => {
    const member = await create('/members', { open: [] });
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const body = `[{"op":"replace","path":"/open","value":${deep}},{"op":"copy","from":"/open","path":"/open${'/0'.repeat(39)}/-"}]`;
    const answer = await send('PATCH', member.path, {
      body,
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    if (answer.status === 200)
      expect((await send('PUT', member.path, { body: answer.text, headers: JSON_TYPE })).status).toBe(200);
    else {
      // The result is too deep (400), a copy is impossible (409), or the result is too large (413).
      expect([400, 409, 413]).toContain(answer.status);
      expectProblem(answer, answer.status);
    }
  });

  // Specification 10.10
  test('a body of 1,000,000 bytes is read, and one of 1,000,001 gets 413', async () => {
    expect((await post('{"name":"x"}'.padEnd(1_000_000))).status).toBe(201);
    const refused = await post('{"name":"x"}'.padEnd(1_000_001));
    expectProblem(refused, 413);
    expect(refused.json()).toMatchObject({ maximum: 1_000_000 });
  });

  // Specification 10.10
  test('an entity of 200 KB is stored, and one of 300 KB gets 413', async () => {
    const answer = await post(JSON.stringify({ open: 'x'.repeat(200_000) }));
    expect(answer.status).toBe(201);
    expect((await get(answer.headers.location as string)).json().open).toHaveLength(200_000);
    expectProblem(await post(JSON.stringify({ open: 'x'.repeat(300_000) })), 413);
    expectProblem(await send('PUT', witness().path, { json: { open: 'é'.repeat(150_000) } }), 413);
    const member = await create('/members', { open: 'x'.repeat(200_000) });
    const grown = await send('PATCH', member.path, {
      body: '[{"op":"copy","from":"/open","path":"/more"}]',
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    expectProblem(grown, grown.status === 400 ? 400 : 413);
  });

  test('a patch that copies a long text 900 times gets 413', async () => {
    const headers = { 'Content-Type': 'application/json-patch+json' };
    const stored = await create('/members', { open: 'x'.repeat(250_000) });
    const copies = Array.from({ length: 900 }, (_, at) => ({ op: 'copy', from: '/open', path: `/c${at}` }));
    expectProblem(await send('PATCH', stored.path, { body: JSON.stringify(copies), headers }), 413);
    const small = await create('/members', { open: 'x' });
    const added = [{ op: 'replace', path: '/open', value: 'x'.repeat(900_000) }, ...copies];
    expectProblem(await send('PATCH', small.path, { body: JSON.stringify(added), headers }), 413);
    const doubled = copies.map(({ op, path }, at) => ({ op, from: '', path: `/d${at}${path}`.slice(0, 5) }));
    expect([409, 413]).toContain(
      (await send('PATCH', small.path, { body: JSON.stringify(doubled), headers })).status,
    );
  });

  test('a patch whose result is too large gets 413, in each way that it can grow', async () => {
    const { path } = await create('/members', { open: 'x' });
    const large = 'x'.repeat(300_000);
    for (const [type, body] of [
      ['application/json-patch+json', [{ op: 'add', path: '/more', value: large }]],
      ['application/json-patch+json', [{ op: 'replace', path: '/open', value: large }]],
      ['application/json-patch+json', [{ op: 'add', path: `/${'n'.repeat(300_000)}`, value: 1 }]],
      ['application/merge-patch+json', { more: large }],
      ['application/merge-patch+json', { open: { deep: [large] } }],
    ] as const) {
      const answer = await send('PATCH', path, {
        body: JSON.stringify(body),
        headers: { 'Content-Type': type },
      });
      expect([400, 413]).toContain(answer.status);
      expectProblem(answer, answer.status);
    }
  });

  // A patch that doubles a value repeatedly is a bomb of a few bytes.
  test('a patch that doubles a value repeatedly gets 413', async () => {
    const member = await create('/members', { open: 'x'.repeat(1000) });
    const body = JSON.stringify([
      { op: 'replace', path: '/open', value: ['x'.repeat(1000)] },
      ...Array.from({ length: 60 }, () => ({ op: 'copy', from: '/open', path: '/open/-' })),
    ]);
    const answer = await send('PATCH', member.path, {
      body,
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    expect([400, 409, 413]).toContain(answer.status);
    expectProblem(answer, answer.status);
    expect((await get(member.path)).headers.etag).toBe(member.etag);
  });

  test.each([1_100_000, 5_000_000, 9_000_000])('a body of %i bytes gets 413', async (size) => {
    const body = `{"name":"${'x'.repeat(size)}"}`;
    for (const [method, path, type] of [
      ['POST', '/members', 'application/json'],
      ['PUT', witness().path, 'application/json'],
      ['PATCH', witness().path, 'application/merge-patch+json'],
      ['POST', '/orders', 'application/json'],
    ] as const) {
      const answer = await send(method, path, { body, headers: { 'Content-Type': type } });
      expectProblem(answer, 413);
    }
  });

  // RFC 9112 §9.6: the server closes in stages. A reset would destroy the response to an unread request.
  test('every body of 12 MB gets 413', async () => {
    const body = Buffer.alloc(12_000_000);
    for (let at = 0; at < 8; at += 1) expectProblem(await send('PUT', '/files/huge', { body }), 413);
  });

  // Specification 5.15. This also holds if the body is too large to reach a function.
  test.each([4_700_000, 9_000_000, 12_000_000])(
    'a direct PUT of %i bytes gets 413 with the limit and a link',
    async (size) => {
      const answer = await send('PUT', '/files/huge', { body: Buffer.alloc(size) });
      expectProblem(answer, 413, 'payload-too-large');
      expect(answer.json()).toMatchObject({
        detail: expect.stringMatching(/ 4194304 bytes .*nnounce larger files .*with POST \/files/),
        links: [{ href: expect.stringMatching(/\/files$/), method: 'POST' }],
      });
      const { href } = answer.json().links[0] as { href: string };
      const announced = await send(
        'POST',
        href.slice(new URL(address()).pathname.replace(/\/$/, '').length),
        {
          json: { items: [{ filename: 'huge', size }] },
        },
      );
      expect(announced.status).toBe(202);
    },
  );

  test('a Content-Length that is too large gets 413 without a wait for the body', async () => {
    const answer = await sendRaw(
      address(),
      'PUT /files/huge HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nabc',
    );
    expect(answer.status).toBe(413);
  });

  test('a million spaces, zeros and digits do not block the service', async () => {
    expect((await post(`{"name":"x"${' '.repeat(900_000)}}`)).status).toBe(201);
    const digits = await post(`{"open":1${'0'.repeat(200_000)}}`);
    expect([201, 400]).toContain(digits.status);
    expectProblem(
      await send('POST', '/products', { body: `{"price":0.${'0'.repeat(200_000)}1}`, headers: JSON_TYPE }),
      400,
    );
    const exponent = await send('POST', '/products', { body: '{"price":1e999999999}', headers: JSON_TYPE });
    expectProblem(exponent, 400);
    const tiny = await send('POST', '/products', { body: '{"price":1e-999999999}', headers: JSON_TYPE });
    expectProblem(tiny, 400);
    const least = await get('/orders?minCost=1e-999999999&limit=1');
    expect([200, 400]).toContain(least.status);
  });

  // Specification 10.10: the limit of API Gateway is 10,240 bytes.
  test('a header of 20 kB gets a refusal', async () => {
    const answer = await get('/members', { 'X-Large': 'x'.repeat(20_000) });
    expect([400, 413, 431]).toContain(answer.status);
    expectProblem(answer, answer.status);
    const huge = await sendRaw(
      address(),
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(200_000)}\r\n\r\n`,
    );
    expect([400, 413, 431]).toContain(huge.status);
  });

  test('a URL of 11 kB gets a refusal', async () => {
    for (const path of [`/files/${'x'.repeat(11_000)}`, `/members?x=${'x'.repeat(11_000)}`]) {
      const answer = await get(path);
      expect([400, 413, 414]).toContain(answer.status);
      expectProblem(answer, answer.status);
    }
  });

  test('very many parameters, names and operations do not block the service', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => `a${at}=1`);
    expect((await get(`/members?limit=1&${many.slice(0, 900).join('&')}`)).status).toBe(200);
    const names = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`a${at}`, at]));
    expect((await post(JSON.stringify(names))).status).toBe(201);
    const wrong = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`a ${at}`, at]));
    const refused = await post(JSON.stringify(wrong));
    expectProblem(refused, 400, 'validation-error');
  });
});
