import { describe, expect, test } from '@jest/globals';
import type { Body, SentRequest } from '../../../support/client/client.ts';
import { listed, put } from '../../../support/client/files.ts';
import { type FormPart, form } from '../../../support/client/form.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../../support/service/under-test.ts';
import { base64, items, pathOf, post, XML } from './requests.ts';

underTest();

const ACCEPTED = 'multipart/form-data, application/json, application/xml, text/xml';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** The same files in all formats. */
const FORMATS: [string, (files: readonly { name: string; text: string; type?: string }[]) => SentRequest][] =
  [
    [
      'multipart/form-data',
      (files) =>
        form(...files.map(({ name, text, type }): FormPart => ({ filename: name, content: text, type }))),
    ],
    [
      'application/json',
      (files) => ({
        json: files.map(({ name, text, type }) => ({
          filename: name,
          content: base64(text),
          encoding: 'base64',
          ...(type === undefined ? {} : { contentType: type }),
        })),
      }),
    ],
    [
      'application/xml',
      (files) => ({
        body: `<files>${files
          .map(({ name, text, type }) => {
            const contentType = type === undefined ? '' : `<contentType>${escaped(type)}</contentType>`;
            return `<file><filename>${escaped(name)}</filename><content>${base64(text)}</content><encoding>base64</encoding>${contentType}</file>`;
          })
          .join('')}</files>`,
        headers: XML,
      }),
    ],
  ];

// Specification 5.16, 5.17
describe.each(FORMATS)('POST /files as %s', (_format, body) => {
  // Specification 5.20
  test('gets 201 with the list if all files are new', async () => {
    const [one, two] = [unique('one'), `${unique('two ü')}"€.data`];
    const answer = await post(
      body([
        { name: one, text: 'first', type: 'text/plain; charset="utf-8"' },
        { name: two, text: '' },
      ]),
    );
    expect(answer.status).toBe(201);
    expect(answer.headers.location).toBe('/files');
    expect(answer.headers.etag).toBeUndefined();
    expect(answer.json().links).toContainEqual({ rel: 'collection', href: '/files', method: 'GET' });
    expect(items(answer)).toEqual([await listed(one), await listed(two)]);
    expect(items(answer)).toMatchObject([
      { filename: one, size: 5, contentType: 'text/plain; charset="utf-8"', digest: expect.any(String) },
      { filename: two, size: 0, contentType: 'application/octet-stream' },
    ]);
    const got = await get(pathOf(one));
    expect([got.text, got.headers['content-type']]).toEqual(['first', 'text/plain; charset="utf-8"']);
    expect((await get(pathOf(two))).bytes).toHaveLength(0);
  });

  // Specification 5.20
  test('gets 200 with the list if all files replace others', async () => {
    const names = [unique('a'), unique('b')];
    const files = (text: string) => body(names.map((name) => ({ name, text })));
    const made = await post(files('old'));
    const answer = await post(files('newer'));
    expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
    expect(items(answer).map(({ filename }) => filename)).toEqual(names);
    expect(items(answer).map(({ createdAt }) => createdAt)).toEqual(
      items(made).map(({ createdAt }) => createdAt),
    );
    for (const name of names) expect((await get(pathOf(name))).text).toBe('newer');
  });

  // Specification 5.20
  test('gets 201 with the list as soon as one file is new', async () => {
    const names = [unique('n'), unique('o'), unique('p')];
    await put(pathOf(names[1] as string), 'there already');
    const answer = await post(body(names.map((name) => ({ name, text: name }))));
    expect([answer.status, answer.headers.location]).toEqual([201, '/files']);
    expect(items(answer).map(({ filename, size }) => [filename, size])).toEqual(
      names.map((name) => [name, name.length]),
    );
    expect(await listed(names[1] as string)).toMatchObject({ size: names[1]?.length });
  });

  // Specification 5.20
  test('gets 201 with its own Location for one new file', async () => {
    const name = unique('one');
    const answer = await post(body([{ name, text: 'x' }]));
    expect([answer.status, answer.headers.location]).toEqual([201, pathOf(name)]);
    expect(items(answer)).toHaveLength(1);
    expect((await post(body([{ name, text: 'y' }]))).status).toBe(200);
  });

  // Specification 5.20
  test('gets 207 with one result per file in order if it is lenient', async () => {
    const [good, old, other] = [unique('good'), unique('old'), unique('other')];
    await put(pathOf(old), 'there already');
    const files = body([good, '..', 'a'.repeat(256), old, other].map((name) => ({ name, text: 'x' })));
    const answer = await post(files, { Prefer: 'handling=lenient' });
    expect([answer.status, answer.headers.location, answer.headers['preference-applied']]).toEqual([
      207,
      undefined,
      'handling=lenient',
    ]);
    expect(items(answer)).toMatchObject([
      { status: 201, href: pathOf(good), filename: good },
      { status: 400, href: '/files', problem: { type: '/problems/validation-error' } },
      { status: 400, href: '/files', problem: { errors: [{ detail: expect.any(String) }] } },
      { status: 200, href: pathOf(old), filename: old },
      { status: 201, href: pathOf(other), filename: other },
    ]);
    const { status: _, href: __, ...members } = items(answer)[4] as Body & { status: number; href: string };
    expect(members).toEqual(await listed(other));
    for (const name of [good, old, other]) expect((await get(pathOf(name))).text).toBe('x');
  });

  // Specification 5.20
  test('gets 400 and stores nothing if some are invalid', async () => {
    const good = unique('good');
    const answer = await post(body([good, '..'].map((name) => ({ name, text: 'x' }))));
    expectProblem(answer, 400, 'validation-error');
    expect(answer.headers['preference-applied']).toBeUndefined();
    expect(answer.json().errors).toHaveLength(1);
    expectProblem(await get(pathOf(good)), 404);
    expect((await post(body([{ name: good, text: 'x' }]))).status).toBe(201);
  });

  test('gets 400 with every error if all are invalid', async () => {
    const answer = await post(body(['.', '..'].map((name) => ({ name, text: 'x' }))));
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toHaveLength(2);
  });

  // Specification 5.20, 2.50
  test('gets 400 and stores nothing if a name repeats', async () => {
    const good = unique('good');
    const answer = await post(
      body(['.', good, '..', good, 'x'.repeat(256), 'y'.repeat(256)].map((name) => ({ name, text: 'x' }))),
    );
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toHaveLength(5);
    for (const { pointer, parameter } of answer.json().errors) expect(pointer ?? parameter).toMatch(/./);
    expect(answer.json().errors[0]?.detail).toMatch(/repeats the name/);
    expectProblem(await get(pathOf(good)), 404);
    expect(await listed(good)).toBeUndefined();
  });

  test('gets no content with `Prefer: return=minimal`', async () => {
    const files = body([{ name: unique('quiet'), text: 'x' }]);
    const minimal = { Prefer: 'return=minimal' };
    const made = await post(files, minimal);
    expect([made.status, made.headers.location, made.text]).toEqual([201, expect.any(String), '']);
    const again = await post(files, minimal);
    expect([again.status, again.text]).toEqual([204, '']);
    for (const { headers } of [made, again]) expect(headers['preference-applied']).toBe('return=minimal');
  });

  test('gets the results of a lenient request even with `Prefer: return=minimal`', async () => {
    const name = unique('loud');
    await post(body([{ name, text: 'x' }]));
    const files = body([
      { name, text: 'y' },
      { name: unique('loud'), text: 'z' },
    ]);
    const answer = await post(files, { Prefer: 'return=minimal, handling=lenient' });
    expect([answer.status, items(answer).length]).toEqual([207, 2]);
    expect(answer.headers['preference-applied']).toBe('handling=lenient');
  });

  test('gets XML if Accept asks for it', async () => {
    const name = unique('x');
    const sent = body([{ name, text: 'x' }]);
    const made = await post(sent, { Accept: 'application/xml' });
    expect([made.status, made.headers['content-type']]).toEqual([201, 'application/xml']);
    expect(made.text).toMatch(new RegExp(`<files><file><filename>${name}</filename><size>1</size>`));
    const more = body([
      { name, text: 'x' },
      { name: unique('x'), text: 'x' },
    ]);
    const mixed = await post(more, { Accept: 'text/xml', Prefer: 'handling=lenient' });
    expect(mixed.status).toBe(207);
    expect(mixed.text).toMatch(
      new RegExp(`<files><items><item><status>200</status><href>/files/${name}</href><filename>${name}<`),
    );
    expectProblem(await post(sent, { Accept: 'image/png' }), 406);
  });

  // Specification 4.21
  test('ignores an unknown query parameter', async () => {
    const name = unique('query');
    const sent = body([{ name, text: 'x' }]);
    expect((await send('POST', '/files?x=1', sent)).status).toBe(201);
    expect((await get(pathOf(name))).status).toBe(200);
  });

  // Specification 5.8
  test('verifies the digest of the whole body', async () => {
    const name = unique('digest');
    const digest = { 'Content-Digest': `sha-256=:${base64('x'.repeat(32))}:` };
    expectProblem(await post(body([{ name, text: 'x' }]), digest), 400);
    expectProblem(await get(pathOf(name)), 404);
  });

  test('stores many files, and the listing has all of them', async () => {
    const prefix = unique('many');
    const files = Array.from({ length: 60 }, (_, at) => ({ name: `${prefix}-${at}`, text: `${at}` }));
    const answer = await post(body(files));
    expect(answer.status).toBe(201);
    expect(items(answer).map(({ filename }) => filename)).toEqual(files.map(({ name }) => name));
    expect(await listed(`${prefix}-59`)).toMatchObject({ size: 2 });
  });
});

describe('POST /files', () => {
  // Specification 2.47
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/mixed; boundary=x'],
    ['application/json; charset=utf-16'],
    [undefined],
  ])('gets 415 with Accept-Post for Content-Type %s', async (type) => {
    const answer = await post({ body: 'x' }, { 'Content-Type': type });
    expectProblem(answer, 415, 'unsupported-media-type');
    expect(answer.headers['accept-post']).toBe(ACCEPTED);
  });

  test('gets 400 without a body', async () => expectProblem(await post({}), 400, 'malformed-body'));
});

test('OPTIONS of /files names the formats in Accept-Post', async () => {
  const { headers } = await send('OPTIONS', '/files');
  expect(headers['accept-post']).toBe(ACCEPTED);
  expect(headers.allow).toContain('POST');
});
