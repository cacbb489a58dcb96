import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';
import { expectRefusedEverywhere, JSON_TYPE, post, watch, witness } from '../../support/witness.ts';

underTest();
watch();

describe('a malformed body', () => {
  test.each([
    '{',
    '{"name":"x"',
    '{"name":"x",}',
    "{'name':'x'}",
    '{name:"x"}',
    '{"name":"x"} extra',
    '{"name":"x"}{"name":"y"}',
    '{"name":undefined}',
    '{"name":NaN}',
    '{"age":01}',
    '{"age":+1}',
    '{"age":.5}',
    '{"age":1.}',
    '{"age":1e}',
    '{"age":0x10}',
    '{"name":"tab\there"}',
    '{"name":"\\x41"}',
    '{"name":"\\u12"}',
    '{"name":"line\nbreak"}',
    '{"name":"\u0000"}',
    '// comment\n{"name":"x"}',
    '',
    ' ',
    '\ufeff',
    'name=x',
    '<member/>',
    '[',
    '"',
    'nul',
  ])('gets 400: %j', async (body) => expectRefusedEverywhere(body, 400));

  // Valid JSON, but not a representation.
  test.each(['null', 'true', '5', '"text"', '[]'])(
    'gets 400 if it is not a representation: %s',
    async (body) => {
      const answer = await send('PUT', witness().path, { body, headers: JSON_TYPE });
      expectProblem(answer, 400);
      expectProblem(await post(body), 400);
    },
  );

  // Specification 2.49
  test.each([
    '{"name":"a","name":"b"}',
    '{"name":"a","\\u006eame":"a"}',
    '{"name":"a","open":{"x":1,"x":2}}',
    '{"name":"a","list":[{"x":1,"x":1}]}',
  ])('gets 400 for duplicate names: %s', async (body) => {
    expectProblem(await post(body), 400);
    expectProblem(await send('PUT', witness().path, { body, headers: JSON_TYPE }), 400);
    expectProblem(
      await send('PATCH', witness().path, {
        body,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      }),
      400,
    );
  });

  test.each([
    ['lone continuation', [0x80]],
    ['truncated sequence', [0xc3]],
    ['overlong', [0xc0, 0xaf]],
    ['surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['0xff', [0xff]],
  ])('gets 400 for invalid UTF-8: %s', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
    await expectRefusedEverywhere(body, 400);
  });

  test.each(['utf-16', 'utf-16le'])('gets 400 for JSON in %s', async (encoding) => {
    const bytes = Buffer.from('\ufeff{"name":"x"}', 'utf16le');
    await expectRefusedEverywhere(encoding === 'utf-16' ? bytes.swap16() : bytes, 400);
  });

  // Specification 2.44: neither XML nor UTF-8 can carry a lone surrogate.
  test.each([
    '\\ud800',
    '\\udc00x',
    'a\\udfff\\ud800',
    '\\u0000',
    '\\u0001',
    '\\u000b',
    '\\ufffe',
    '\\uffff',
  ])('gets 400 for text that XML 1.0 cannot carry: %s', async (escaped) => {
    expectProblem(await post(`{"name":"${escaped}"}`), 400);
    expectProblem(await post(`{"open":"${escaped}"}`), 400);
    expectProblem(await post(`{"open":{"deep":["${escaped}"]}}`), 400);
    expectProblem(await post(`{"open":{"${escaped}":1}}`), 400);
    const patch = {
      body: `[{"op":"add","path":"/open","value":"${escaped}"}]`,
      headers: { 'Content-Type': 'application/json-patch+json' },
    };
    expectProblem(await send('PATCH', witness().path, patch), 400);
  });

  test.each(['\\ud83d\\ude80', '\\t\\n\\r', '\\u0085', '\\ufffd', '\\/\\"\\\\'])(
    'may hold escaped text that XML can carry: %s',
    async (escaped) => {
      const answer = await post(`{"name":"a${escaped}b"}`);
      expect(answer.status).toBe(201);
      expect((await get(answer.headers.location as string)).json().name).toBe(JSON.parse(`"a${escaped}b"`));
    },
  );
});

describe('a property name that JavaScript prototypes use', () => {
  // Specification 2.49
  test.each([
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'toJSON',
    'then',
    'length',
  ])('is ordinary data or gets 400: %s', async (name) => {
    for (const body of [
      `{"name":"x","${name}":{"polluted":true}}`,
      `{"name":"x","open":{"${name}":{"polluted":true}}}`,
      `{"name":"x","open":[{"${name}":"text"}]}`,
    ]) {
      const answer = await post(body);
      if (answer.status !== 201) expectProblem(answer, 400);
      else {
        const { text } = await get(answer.headers.location as string);
        const [, kept = ''] = /^\{"name":"x",(.*)\}$/.exec(body) ?? [];
        expect(text).toContain(kept);
        const again = await send('PUT', answer.headers.location as string, {
          body: text,
          headers: JSON_TYPE,
        });
        expect(again.status).toBe(200);
        expect(again.text).toContain(kept);
      }
      const merged = await create('/members', { name: 'x' });
      const patched = await send('PATCH', merged.path, {
        body,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      expect([200, 400]).toContain(patched.status);
    }
    const { text } = await get((await create('/members', { name: 'innocent' })).path);
    expect(text).not.toContain('polluted');
  });

  test('is an ordinary unknown query parameter', async () => {
    for (const name of ['__proto__', 'constructor', '__proto__[limit]']) {
      // A bracket can only be a mistake on a list.
      const status = name.includes('[') ? 400 : 200;
      expect((await get(`/members?${encodeURIComponent(name)}=1&limit=1`)).status).toBe(status);
      expectProblem(
        await send('POST', `/members?${encodeURIComponent(name)}=1`, {
          json: { name: 'x' },
          headers: { Prefer: 'handling=strict' },
        }),
        400,
      );
      // An undeclared property can have the first two names.
      expect([200, 400]).toContain((await get(`/members?sort=${name}`)).status);
      expectProblem(await get(`/problems/${encodeURIComponent(name)}`), 404);
      expectProblem(await get(`/${name}`), 404);
    }
  });
});
