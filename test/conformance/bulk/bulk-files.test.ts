import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Answer, Body, Sent } from '../../support/client/client.ts';
import { listed, put } from '../../support/client/files.ts';
import { type FormPart, form } from '../../support/client/form.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const post = (sent: Sent, headers: Sent['headers'] = {}): Promise<Answer> =>
  send('POST', '/files', { ...sent, headers: { ...sent.headers, ...headers } });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const pathOf = (name: string) => `/files/${encodeURIComponent(name)}`;
/** Properties of the response's items that all tests check. */
const items = (answer: Answer) =>
  answer.json().items as readonly (Body & { status?: number; href?: string })[];

const ACCEPTED = 'multipart/form-data, application/json, application/xml, text/xml';
const XML = { 'Content-Type': 'application/xml' };
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The same files in all formats. */
const FORMATS: [string, (files: readonly { name: string; text: string; type?: string }[]) => Sent][] = [
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
  test('gets 207 with one result per file in order if some replace others', async () => {
    const names = [unique('n'), unique('o'), unique('p')];
    await put(pathOf(names[1] as string), 'there already');
    const answer = await post(body(names.map((name) => ({ name, text: name }))));
    expect([answer.status, answer.headers.location]).toEqual([207, undefined]);
    expect(items(answer).map(({ status, href, filename }) => [status, href, filename])).toEqual(
      names.map((name, at) => [at === 1 ? 200 : 201, pathOf(name), name]),
    );
    expect(await listed(names[1] as string)).toMatchObject({ size: names[1]?.length });
    const { status: _, href: __, ...members } = items(answer)[2] as Body & { status: number; href: string };
    expect(members).toEqual(await listed(names[2] as string));
  });

  // Specification 5.20
  test('gets 207 and stores the valid files if some are invalid', async () => {
    const [good, other] = [unique('good'), unique('other')];
    const answer = await post(body([good, '..', 'a/b', other].map((name) => ({ name, text: 'x' }))));
    expect(answer.status).toBe(207);
    expect(items(answer)).toMatchObject([
      { status: 201, href: pathOf(good), filename: good },
      { status: 400, href: '/files', problem: { type: '/problems/validation-error' } },
      { status: 400, href: '/files', problem: { errors: [{ detail: expect.any(String) }] } },
      { status: 201, href: pathOf(other), filename: other },
    ]);
    for (const name of [good, other]) expect((await get(pathOf(name))).text).toBe('x');
  });

  test('gets 400 and stores nothing if some are invalid with `Prefer: handling=strict`', async () => {
    const good = unique('good');
    const files = body([good, '..'].map((name) => ({ name, text: 'x' })));
    const answer = await post(files, { Prefer: 'handling=strict' });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.headers['preference-applied']).toBeUndefined();
    expect(answer.json().errors).toHaveLength(1);
    expectProblem(await get(pathOf(good)), 404);
    expect((await post(body([{ name: good, text: 'x' }]), { Prefer: 'handling=strict' })).status).toBe(201);
  });

  test('gets 400 with every error if all are invalid', async () => {
    const answer = await post(body(['.', 'a/b'].map((name) => ({ name, text: 'x' }))));
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toHaveLength(2);
  });

  // Specification 5.20, 2.50
  test('gets 400 and stores nothing if a name repeats', async () => {
    const good = unique('good');
    const answer = await post(
      body(['.', good, 'a/b', good, 'x'.repeat(256), 'a\\b'].map((name) => ({ name, text: 'x' }))),
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
    expect([made.status, made.headers.location, made.text]).toEqual([201, '/files', '']);
    const again = await post(files, minimal);
    expect([again.status, again.text]).toEqual([204, '']);
    for (const { headers } of [made, again]) expect(headers['preference-applied']).toBe('return=minimal');
  });

  test('gets different results even with `Prefer: return=minimal`', async () => {
    const name = unique('loud');
    await post(body([{ name, text: 'x' }]));
    const files = body([
      { name, text: 'y' },
      { name: unique('loud'), text: 'z' },
    ]);
    const answer = await post(files, { Prefer: 'return=minimal' });
    expect([answer.status, items(answer).length]).toEqual([207, 2]);
    expect(answer.headers['preference-applied']).toBeUndefined();
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
    const mixed = await post(more, { Accept: 'text/xml' });
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

describe('multipart form', () => {
  // Specification 5.16
  test("ignores an empty file input and the form's other fields", async () => {
    const name = unique('chosen');
    const answer = await post(
      form(
        { name: ':key', content: 'bookkeeping' },
        { filename: '' },
        { name: 'title', content: 'a field' },
        { filename: name, content: 'x' },
        { filename: '', type: 'application/octet-stream' },
      ),
    );
    expect(answer.status).toBe(201);
    expect(items(answer).map(({ filename }) => filename)).toEqual([name]);
  });

  test.each<[string, readonly FormPart[], RegExp]>([
    ['no part', [], /no file/],
    ['an empty file input alone', [{ filename: '' }], /no file/],
    ['bookkeeping alone', [{ name: ':key', content: 'x' }], /no file/],
    ['a field alone', [{ name: 'title', content: 'x' }], /no file/],
    ['bytes without a name', [{ filename: '', content: 'x' }], /must not be empty/],
    ['a line feed in a name', [{ filename: 'a\nb', content: 'x' }], /control characters/],
  ])('with %s gets 400', async (_case, parts, detail) => {
    const answer = await post(form(...parts));
    expectProblem(answer, 400, 'validation-error');
    expect(
      answer
        .json()
        .errors.map((one) => one.detail)
        .join(),
    ).toMatch(detail);
    expectProblem(await get('/files/never-stored'), 404);
  });

  test.each([
    ['', 'multipart/form-data; boundary=x'],
    ['--x\r\n', 'multipart/form-data; boundary=x'],
    ['--x--', 'multipart/form-data'],
  ])('malformed as %j with %s gets 400', async (body, type) => {
    expectProblem(await post({ body }, { 'Content-Type': type }), 400, 'malformed-body');
  });

  test('stores a file of exactly 4 MiB and refuses a byte more with 413', async () => {
    const [exact, more] = [unique('exact'), unique('more')];
    const content = Buffer.alloc(4 * 1024 * 1024, 7);
    expect((await post(form({ filename: exact, content }))).status).toBe(201);
    expect((await get(pathOf(exact))).bytes.equals(content)).toBe(true);
    const larger = Buffer.concat([content, Buffer.from('x')]);
    const answer = await post(form({ filename: more, content: larger }));
    expectProblem(answer, 413);
    expect(answer.text).toMatch(/4194304/);
    const others = form({ filename: more, content: larger }, { filename: `${more}2`, content: 'x' });
    expectProblem(await post(others, { Prefer: 'handling=strict' }), 413);
    expectProblem(await get(pathOf(`${more}2`)), 404);
    expect(items(await post(others)).map(({ status }) => status)).toEqual([413, 201]);
    expectProblem(await get(pathOf(more)), 404);
  }, 30_000);
});

describe('JSON', () => {
  const content = 'text';

  // Specification 5.18, 5.19
  test.each([
    ['text', { content: '{"a":"é😀"}' }, '{"a":"é😀"}', 'text/plain'],
    ['text that looks like base64', { content: 'AAAA' }, 'AAAA', 'text/plain'],
    ['text of a declared type', { content: '[]', contentType: 'application/json' }, '[]', 'application/json'],
    ['utf-8', { content: 'ü', encoding: 'utf-8' }, 'ü', 'text/plain'],
    ['base64', { content: base64('ü'), encoding: 'base64' }, 'ü', 'application/octet-stream'],
    ['empty text', { content: '' }, '', 'text/plain'],
  ])('stores content as %s', async (_what, element, text, mediaType) => {
    const filename = unique('content');
    expect((await post({ json: [{ filename, ...element }] })).status).toBe(201);
    const stored = await get(pathOf(filename));
    expect([stored.text, stored.headers['content-type']]).toEqual([text, mediaType]);
  });

  // Specification 5.19
  test.each([
    ['page.HTML', undefined, 'text/html'],
    ['a.b.json', undefined, 'application/json'],
    ['image.png', 'base64', 'image/png'],
    ['notes.unknown', undefined, 'text/plain'],
    ['.constructor', 'base64', 'application/octet-stream'],
  ])('has a media type by its name %s', async (ending, encoding, mediaType) => {
    const filename = `${unique('typed')}${ending}`;
    expect(
      (await post({ json: [{ filename, content: 'AAAA', encoding: encoding ?? 'utf-8' }] })).status,
    ).toBe(201);
    expect((await get(pathOf(filename))).headers['content-type']).toBe(mediaType);
  });

  // Specification 5.17, 5.18
  test('takes one file, {"files": […]}, and name for filename', async () => {
    const [one, two, three] = [unique('one'), unique('two'), unique('three')];
    for (const json of [
      { filename: one, content },
      { files: [{ name: two, content }] },
      { name: three, content },
    ]) {
      const answer = await post({ json });
      expect([answer.status, items(answer).length]).toEqual([201, 1]);
    }
    for (const name of [one, two, three]) expect((await get(pathOf(name))).text).toBe(content);
    const refused = await post({
      json: {
        files: [
          { name: 'a/b', content },
          { name: 1, content },
        ],
      },
    });
    expectProblem(refused, 400, 'validation-error');
    expect(refused.json().errors.map(({ pointer }) => pointer)).toEqual(['/files/1/name', '/files/0/name']);
    const manifest = await post({ json: { files: [{ name: unique('later'), size: 5 }] } });
    expect(manifest.status).toBe(202);
  });

  test('takes an item of a listing back, with content', async () => {
    const name = unique('back');
    await put(pathOf(name), 'text', { 'Content-Type': 'text/plain' });
    const answer = await post({ json: { items: [{ ...(await listed(name)), content }] } });
    expect(answer.status).toBe(200);
    expect(items(answer)[0]).toMatchObject({ filename: name, contentType: 'text/plain', size: 4 });
  });

  test('verifies a digest', async () => {
    const name = unique('summed');
    const element = (text: string) => ({
      filename: name,
      content,
      digest: `sha-256=:${createHash('sha256').update(text).digest('base64')}:`,
    });
    const refused = await post({ json: [element('other')] });
    expectProblem(refused, 400, 'validation-error');
    expect(refused.json().errors).toMatchObject([{ pointer: '/0/digest' }]);
    expectProblem(await get(pathOf(name)), 404);
    expect((await post({ json: [element('text')] })).status).toBe(201);
  });

  test.each<[string, unknown, readonly string[]]>([
    ['no array', {}, ['']],
    ['a number', 5, ['']],
    ['items that are none', { items: {} }, ['/items']],
    ['no object', [null, { filename: 'never', content }], ['/0']],
    ['no name', { items: [{ content }] }, ['/items/0/filename']],
    ['a number for a name', [{ filename: 1, content }], ['/0/filename']],
    ['no base64', [{ filename: 'never', content: 'a b c', encoding: 'base64' }], ['/0/content']],
    ['base64 for URLs', [{ filename: 'never', content: '_-__', encoding: 'base64' }], ['/0/content']],
    ['base64 that is cut off', [{ filename: 'never', content: 'eA=', encoding: 'base64' }], ['/0/content']],
    ['an unknown encoding', [{ filename: 'never', content, encoding: 'hex' }], ['/0/encoding']],
    ['a number for the encoding', [{ filename: 'never', content, encoding: 1 }], ['/0/encoding']],
    ['null for content', [{ filename: 'never', content: null }], ['/0/content']],
    ['no media type', [{ filename: 'never', content, contentType: 'text' }], ['/0/contentType']],
    ['a range of media types', [{ filename: 'never', content, contentType: 'text/*' }], ['/0/contentType']],
    ['a media type of a number', [{ filename: 'never', content, contentType: 1 }], ['/0/contentType']],
    ['no digest', [{ filename: 'never', content, digest: 'sha' }], ['/0/digest']],
    ['several', [{ filename: 'a/b', content: 1 }, 1], ['/0/content', '/1', '/0/filename']],
    [
      'an inherited name',
      [
        { filename: '__proto__', content, contentType: '' },
        { content, filename: {} },
      ],
      ['/0/contentType', '/1/filename'],
    ],
  ])('with %s gets 400', async (_case, json, pointers) => {
    const answer = await post({ json });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expectProblem(await get('/files/never'), 404);
  });

  test('without a file gets 400', async () => {
    for (const [json, pointer] of [
      [[], ''],
      [{ items: [] }, '/items'],
    ]) {
      const answer = await post({ json });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual([{ pointer, detail: 'must have an element' }]);
    }
  });

  test('malformed gets 400', async () => {
    const type = { 'Content-Type': 'application/json' };
    for (const body of ['[', '[{"filename":"a","filename":"b"}]', ''])
      expectProblem(await post({ body }, type), 400, 'malformed-body');
  });
});

// Specification 2.43, 5.17
describe('POST /files as XML', () => {
  const file = (name: string, more = '<content> &lt;text&gt;\n</content>') =>
    `<file><filename>${name}</filename>${more}</file>`;

  test.each<[string, (files: string) => string]>([
    ['an array', (files) => `<files>${files}</files>`],
    [
      'an array under any name',
      (files) => `<x:any xmlns:x="urn:x">${files.replaceAll('file>', 'item>')}</x:any>`,
    ],
    ['an object with items', (files) => `<any><items>${files}</items></any>`],
    ['an object with files', (files) => `<any><files>${files}</files></any>`],
  ])('takes %s', async (_shape, wrap) => {
    const names = [unique('xml'), `${unique('xml')}.csv`];
    const answer = await post({ body: wrap(names.map((name) => file(name)).join('\n')), headers: XML });
    expect([answer.status, items(answer).map(({ filename }) => filename)]).toEqual([201, names]);
    const [one, two] = await Promise.all(names.map((name) => get(pathOf(name))));
    expect([one?.text, two?.text]).toEqual([' <text>\n', ' <text>\n']);
    expect([one, two].map((read) => read?.headers['content-type'])).toEqual(['text/plain', 'text/csv']);
  });

  test('takes one file, and an item of a listing', async () => {
    const name = unique('one');
    const one = await post({ body: `<file><name>${name}</name><content>007</content></file>`, headers: XML });
    expect(one.status).toBe(201);
    expect((await get(pathOf(name))).text).toBe('007');
    const links = '<links><item><rel>self</rel></item></links>';
    const body = `<files limit="1">${file(name, `<size>3</size>${links}<content>new</content>`)}${links}</files>`;
    expect((await post({ body, headers: XML })).status).toBe(200);
  });

  // Specification 5.15
  test('takes a manifest', async () => {
    const names = [unique('later'), unique('later')];
    const body = `<files>${names.map((name) => file(name, '<size>5</size>')).join('')}</files>`;
    const answer = await post({ body, headers: XML });
    expect(answer.status).toBe(202);
    const uploads = answer.json().uploads as { filename: string; size: number }[];
    expect(uploads).toMatchObject(names.map((filename) => ({ filename, size: 5 })));
  });

  test.each([
    ['an empty list', '<files/>', ['']],
    [
      'a bad name and a bad size',
      `<files>${file('a', '<size>x</size>')}${file('b/c', '<size>5</size>')}</files>`,
      ['/0/size', '/1/filename'],
    ],
    [
      'nested content',
      `<a><files>${file('never', '<content><b/></content>')}</files></a>`,
      ['/files/0/content'],
    ],
    ['an unknown encoding', file('never', '<content/><encoding>hex</encoding>'), ['/encoding']],
  ])('with %s gets 400 with the pointers of JSON', async (_case, body, pointers) => {
    const answer = await post({ body, headers: XML });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test.each([
    '<files>',
    '<files>text</files>',
    '<!DOCTYPE a><files/>',
    `<f>${file('a', '<name/><name/>')}</f>`,
    '<a>'.repeat(100_000),
  ])('malformed gets 400: %.20s', async (body) =>
    expectProblem(await post({ body, headers: XML }), 400, 'malformed-body'),
  );
});

// Specification 2.47
test.each([
  ['text/plain'],
  ['application/x-www-form-urlencoded'],
  ['multipart/mixed; boundary=x'],
  ['application/json; charset=utf-16'],
  [undefined],
])('with Content-Type %s gets 415 with Accept-Post', async (type) => {
  const answer = await post({ body: 'x' }, { 'Content-Type': type });
  expectProblem(answer, 415, 'unsupported-media-type');
  expect(answer.headers['accept-post']).toBe(ACCEPTED);
});

test('gets 400 without a body', async () => expectProblem(await post({}), 400, 'malformed-body'));

test('has Accept-Post in the response to OPTIONS', async () => {
  const { headers } = await send('OPTIONS', '/files');
  expect(headers['accept-post']).toBe(ACCEPTED);
  expect(headers.allow).toContain('POST');
});
