import { describe, expect, test } from '@jest/globals';
import { type FormPart, form } from '../../support/client/form.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { type Created, create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const GIF = Buffer.from('GIF89a');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
const TYPE = { 'Content-Type': 'image/png' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const JSON_PATCH = { 'Content-Type': 'application/json-patch+json' };

const member = () => create('/members', { name: unique('member') });
const bytesAt = ({ path }: Created, name = 'photo') => `${path}?fields=${name}`;
const put = (path: string, body = PNG, headers: Record<string, string | undefined> = TYPE) =>
  send('PUT', path, { body, headers });
const shownIn = async ({ path }: Created, name = 'photo') => (await get(path)).json()[name];
const withPhoto = async () => {
  const one = await member();
  expect((await put(bytesAt(one))).status).toBe(201);
  return one;
};

const FACTS = {
  contentType: 'image/png',
  size: PNG.length,
  digest: expect.stringMatching(/^sha-256=:.+:$/),
};

// Specification 2.21, 2.23
describe('a representation shows a binary property', () => {
  test('with the address, the type, the size and the digest of its bytes', async () => {
    const one = await withPhoto();
    expect(await shownIn(one)).toEqual({ href: `/members/${one.id}?fields=photo`, ...FACTS });
    const got = await get(bytesAt(one));
    const { digest } = (await shownIn(one)) as { digest: string };
    expect(got.headers['repr-digest']).toBe(digest);
  });

  test('in lists', async () => {
    const one = await withPhoto();
    const { items } = (await get('/members?sort=-createdAt&limit=100')).json();
    expect(items.find(({ id }) => id === one.id)?.photo).toMatchObject(FACTS);
  });

  test('in XML', async () => {
    const one = await withPhoto();
    const { text } = await get(one.path, { Accept: 'application/xml' });
    expect(text).toContain(`<photo><href>/members/${one.id}?fields=photo</href><contentType>image/png<`);
  });

  test('only if it has bytes', async () => {
    expect(await shownIn(await member())).toBeUndefined();
  });
});

// Specification 2.26, D.5
describe('GET of a binary property', () => {
  test('returns the bytes with type, entity tag, time and ranges of their own', async () => {
    const one = await withPhoto();
    const got = await get(bytesAt(one));
    expect([got.status, got.headers['content-type']]).toEqual([200, 'image/png']);
    expect(got.bytes.equals(PNG)).toBe(true);
    expect(got.headers['last-modified']).toBeDefined();
    expect(got.headers['accept-ranges']).toBe('bytes');
    const head = await send('HEAD', bytesAt(one));
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(PNG.length),
      0,
    ]);
    const part = await get(bytesAt(one), { Range: 'bytes=1-3' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'PNG',
      `bytes 1-3/${PNG.length}`,
    ]);
    expect((await get(bytesAt(one), { 'If-None-Match': got.headers.etag })).status).toBe(304);
    expect((await get(bytesAt(one), { Range: `bytes=${PNG.length}-` })).status).toBe(416);
  });

  test('without bytes gets 404', async () => {
    const one = await member();
    for (const method of ['GET', 'HEAD', 'DELETE']) expectProblem(await send(method, bytesAt(one)), 404);
    expectProblem(await get('/members/4000000000000?fields=photo'), 404);
  });

  // Specification 4.20
  test('together with other properties gets 400', async () => {
    const one = await withPhoto();
    expectProblem(await get(`${one.path}?fields=photo,name`), 400, 'validation-error');
    expectProblem(await get(`${one.path}?fields=name&fields=photo`), 400, 'validation-error');
  });

  test('describes its methods in Allow', async () => {
    const { path } = await member();
    expect((await send('OPTIONS', `${path}?fields=photo`)).headers.allow).toBe(
      'GET, HEAD, PUT, DELETE, OPTIONS',
    );
    expect((await send('PATCH', `${path}?fields=photo`, { body: '{}', headers: MERGE })).status).toBe(405);
  });
});

// Specification 2.27
describe('PUT of a binary property', () => {
  test('creates and replaces the bytes, and changes the item', async () => {
    const one = await member();
    const created = await put(bytesAt(one));
    expect([created.status, created.headers.location]).toEqual([201, `/members/${one.id}?fields=photo`]);
    expect(created.json()).toMatchObject({ id: one.id, photo: FACTS });
    const before = (await get(one.path)).headers.etag;
    const replaced = await put(bytesAt(one), GIF, { 'Content-Type': 'image/gif' });
    expect(replaced.status).toBe(200);
    expect(replaced.headers.etag).toBe((await get(bytesAt(one))).headers.etag);
    expect((await get(one.path)).headers.etag).not.toBe(before);
    expect((await get(bytesAt(one))).bytes.equals(GIF)).toBe(true);
  });

  test('takes at most 4 MiB and only its media type', async () => {
    const one = await member();
    expectProblem(await put(bytesAt(one), Buffer.alloc(4 * 1024 * 1024 + 1)), 413);
    for (const type of ['text/plain', 'application/json', undefined])
      expectProblem(await put(bytesAt(one), PNG, type === undefined ? {} : { 'Content-Type': type }), 415);
    expect((await get(one.path)).headers.etag).toBe(one.etag);
  });

  // Specification 3.5
  test('with a precondition succeeds once among concurrent requests', async () => {
    const one = await member();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => put(bytesAt(one), PNG, { ...TYPE, 'If-None-Match': '*' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412, 412, 412]);
    const { etag } = (await get(bytesAt(one))).headers;
    expectProblem(await put(bytesAt(one), GIF, { ...TYPE, 'If-Match': '"x"' }), 412);
    expect((await put(bytesAt(one), GIF, { ...TYPE, 'If-Match': etag })).status).toBe(200);
    expectProblem(await send('DELETE', bytesAt(one), { headers: { 'If-Match': etag } }), 412);
  });

  test('does not disturb concurrent changes of the item', async () => {
    const one = await member();
    const answers = await Promise.all([
      put(bytesAt(one)),
      send('PATCH', one.path, { json: { age: 5 }, headers: MERGE }),
      put(bytesAt(one, 'scan')),
      send('PATCH', one.path, { json: { email: 'a@b.c' }, headers: MERGE }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200]);
    expect((await get(one.path)).json()).toMatchObject({ age: 5, email: 'a@b.c', photo: FACTS, scan: FACTS });
  });

  test('runs as an operation', async () => {
    const one = await member();
    const accepted = await put(bytesAt(one), PNG, { ...TYPE, Prefer: 'respond-async, wait=10' });
    expect([201, 202]).toContain(accepted.status);
    for (let left = 100; left > 0 && (await get(bytesAt(one))).status !== 200; left -= 1)
      await new Promise((done) => setTimeout(done, 50));
    expect((await get(bytesAt(one))).bytes.equals(PNG)).toBe(true);
  });
});

// Specification D.5, 2.28
describe('an undeclared binary property', () => {
  test.each(['/members', '/customers', '/products'])(
    'of %s is created, read, replaced and removed',
    async (list) => {
      const one = await create(list, { name: unique('item') });
      const path = bytesAt(one, 'scan');
      expect((await put(path, SVG, { 'Content-Type': 'image/svg+xml' })).status).toBe(201);
      expect(await shownIn(one, 'scan')).toMatchObject({ href: path, contentType: 'image/svg+xml' });
      const got = await get(path, { Accept: 'image/*' });
      expect([got.status, got.text]).toEqual([200, SVG.toString()]);
      expect(got.headers).toMatchObject({
        'content-type': 'image/svg+xml',
        'content-security-policy': expect.stringContaining('sandbox'),
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
      });
      expect((await get(path, { Range: 'bytes=0-3' })).text).toBe('<svg');
      expect((await put(path, Buffer.from('x'), { 'Content-Type': 'text/plain' })).status).toBe(200);
      expect((await send('DELETE', path)).status).toBe(204);
      expectProblem(await send('DELETE', path), 404);
      expect(await shownIn(one, 'scan')).toBeUndefined();
    },
  );

  test('of an order is created', async () => {
    const order = await create('/orders', { productId: 1, orderValue: 5 });
    expect(
      (await put(bytesAt(order, 'invoice'), Buffer.from('%PDF'), { 'Content-Type': 'application/pdf' }))
        .status,
    ).toBe(201);
    expect((await get(order.path)).json()).toMatchObject({
      status: 'created',
      orderValue: 5,
      invoice: { size: 4 },
    });
    expect((await get(bytesAt(order, 'invoice'))).text).toBe('%PDF');
  });

  test('replaces a value of the same name, and a value replaces it', async () => {
    const one = await create('/members', { name: 'a', note: 'text', other: 1 });
    expect((await put(bytesAt(one, 'note'))).status).toBe(201);
    expect((await get(one.path)).json()).toMatchObject({ note: FACTS, other: 1 });
    await send('PATCH', one.path, { json: { note: 'again' }, headers: MERGE });
    expect(await shownIn(one, 'note')).toBe('again');
    expect((await get(bytesAt(one, 'note'))).json().note).toBe('again');
  });

  test('together with other properties gets 400', async () => {
    const one = await member();
    await put(bytesAt(one, 'scan'));
    expectProblem(await get(`${one.path}?fields=scan,name`), 400, 'validation-error');
    expect((await get(`${one.path}?fields=nothing,name`)).status).toBe(200);
  });

  test('has a name that a property can have', async () => {
    const one = await member();
    for (const name of ['name', 'id', 'createdAt', 'links', 'a%20b', '7a'])
      expect([400, 415]).toContain((await put(bytesAt(one, name))).status);
    for (const name of ['__proto__', 'constructor', 'toJSON', 'then', 'kind']) {
      expect((await put(bytesAt(one, name))).status).toBe(201);
      expect((await get(bytesAt(one, name))).bytes.equals(PNG)).toBe(true);
    }
    expect(Object.keys((await get(one.path)).json())).toEqual(
      expect.arrayContaining(['constructor', 'then']),
    );
  });

  test('is one of at most 50', async () => {
    const one = await member();
    for (let at = 0; at < 50; at += 1) await put(bytesAt(one, `scan${at}`), GIF);
    expectProblem(await put(bytesAt(one, 'more')), 409);
    expect((await put(bytesAt(one, 'scan7'))).status).toBe(200);
    const json = { name: 'x', photo: 'data:image/png;base64,AAAA' };
    expect((await send('PUT', one.path, { json })).status).toBe(200);
    expect((await send('POST', one.path, { json: { age: 3 } })).status).toBe(200);
    expectProblem(
      await send('POST', one.path, form({ name: 'scan51', filename: 'a.txt', content: 'x' })),
      409,
    );
  });
});

// Specification 2.24
describe('a body', () => {
  test('with the object that GET shows, or without it, leaves the bytes', async () => {
    const one = await withPhoto();
    await put(bytesAt(one, 'scan'));
    const { etag } = (await get(bytesAt(one))).headers;
    const shown = (await get(one.path)).json();
    for (const json of [shown, { ...shown, name: 'b' }, { name: 'c' }]) {
      expect((await send('PUT', one.path, { json })).status).toBe(200);
      expect((await get(one.path)).json()).toMatchObject({ photo: FACTS, scan: FACTS });
    }
    expect((await send('PATCH', one.path, { json: { ...shown, name: 'd' }, headers: MERGE })).status).toBe(
      200,
    );
    expect((await send('POST', one.path, { json: { photo: shown.photo, age: 3 } })).status).toBe(200);
    expect((await get(bytesAt(one))).headers.etag).toBe(etag);
    expect((await get(bytesAt(one, 'scan'))).status).toBe(200);
    const copy = await send('POST', '/members', { json: shown });
    expect([copy.status, copy.json().photo, copy.json().scan]).toEqual([201, undefined, undefined]);
  });

  test('in XML leaves the bytes', async () => {
    const one = await withPhoto();
    const { text } = await get(one.path, { Accept: 'application/xml' });
    const sent = {
      body: text.replace(/<links>.*<\/links>/, ''),
      headers: { 'Content-Type': 'application/xml' },
    };
    expect((await send('PUT', one.path, sent)).status).toBe(200);
    expect(await shownIn(one)).toMatchObject(FACTS);
  });

  test.each([
    ['PUT', { name: 'x', photo: null }, {}],
    ['POST', { photo: null }, {}],
    ['PATCH', { photo: null }, MERGE],
    ['PATCH', [{ op: 'remove', path: '/photo' }], JSON_PATCH],
  ])('removes the bytes: %s %j', async (method, json, headers) => {
    const one = await withPhoto();
    expect((await send(method, one.path, { json, headers })).status).toBe(200);
    expectProblem(await get(bytesAt(one)), 404);
    expect(await shownIn(one)).toBeUndefined();
  });

  // Specification 2.29, 10.7
  test.each([
    { op: 'move', from: '/photo', path: '/picture' },
    { op: 'copy', from: '/photo', path: '/picture' },
    { op: 'replace', path: '/photo/contentType', value: 'image/gif' },
    { op: 'remove', path: '/photo/digest' },
    { op: 'move', from: '/photo/href', path: '/picture' },
  ])('cannot move, copy or change a part of the object: %j', async (operation) => {
    const one = await withPhoto();
    const test = { op: 'test', path: '/photo/contentType', value: 'image/png' };
    const answer = await send('PATCH', one.path, { json: [test, operation], headers: JSON_PATCH });
    expectProblem(answer, 409, 'patch-conflict');
    expect(answer.json()).toMatchObject({ operation: 1, pointer: '/photo' });
    expect((await get(one.path)).json()).toMatchObject({ photo: FACTS });
    const copy = [test, { op: 'copy', from: '/photo/href', path: '/picture' }];
    expect((await send('PATCH', one.path, { json: copy, headers: JSON_PATCH })).json().picture).toBe(
      `/members/${one.id}?fields=photo`,
    );
  });

  test('with null removes undeclared bytes too', async () => {
    const one = await member();
    await put(bytesAt(one, 'scan'));
    expect((await send('PUT', one.path, { json: { name: 'x', scan: null } })).status).toBe(200);
    expect(await shownIn(one, 'scan')).toBeNull();
  });

  test('removes nothing where nothing is', async () => {
    const one = await member();
    expect((await send('PATCH', one.path, { json: { photo: null }, headers: MERGE })).headers.etag).toBe(
      one.etag,
    );
    expect((await send('POST', '/members', { json: { name: 'x', photo: null } })).status).toBe(201);
  });
});

// Specification 2.25
describe('a data: URI', () => {
  const uri = `data:image/png;base64,${PNG.toString('base64')}`;

  test.each([
    ['PUT', { name: 'x', photo: uri }, {}],
    ['POST', { photo: uri }, {}],
    ['PATCH', { photo: uri }, MERGE],
    ['PATCH', [{ op: 'add', path: '/photo', value: uri }], JSON_PATCH],
  ])('sets the bytes: %s', async (method, json, headers) => {
    const one = await member();
    const answer = await send(method, one.path, { json, headers });
    expect([answer.status, answer.json().photo]).toEqual([200, expect.objectContaining(FACTS)]);
    expect((await get(bytesAt(one))).bytes.equals(PNG)).toBe(true);
  });

  test('sets the bytes of a new item', async () => {
    const answer = await send('POST', '/members', { json: { photo: uri } });
    expect([answer.status, answer.json().photo]).toEqual([201, expect.objectContaining(FACTS)]);
    const xml = `<member><photo>${uri}</photo></member>`;
    const other = await send('POST', '/members', {
      body: xml,
      headers: { 'Content-Type': 'application/xml' },
    });
    expect([other.status, other.json().photo]).toEqual([201, expect.objectContaining(FACTS)]);
  });

  test('can have text that is percent-encoded', async () => {
    const one = await create('/members', {
      photo: `data:image/svg+xml,${encodeURIComponent(SVG.toString())}`,
    });
    expect((await get(bytesAt(one))).bytes.equals(SVG)).toBe(true);
  });

  test.each([
    'ada.png',
    'https://example.org/ada.png',
    '',
    'data:text/plain;base64,aGk=',
    'data:,hi',
    'data:image/png;base64,!!!',
    'data:image/png;base64',
    'data:image/,x',
    'data:image/svg+xml,%zz',
    7,
    true,
    [uri],
    { data: uri },
    { href: '/members/1', contentType: 'image/png' },
  ])('is necessary: %j gets 400 with its pointer', async (photo) => {
    const one = await member();
    const errors = [{ pointer: '/photo', detail: expect.any(String) }];
    const requests = [
      await send('POST', '/members', { json: { name: 'x', photo } }),
      await send('PUT', one.path, { json: { name: 'x', photo } }),
      await send('POST', one.path, { json: { photo } }),
      await send('PATCH', one.path, {
        json: [{ op: 'add', path: '/photo', value: photo }],
        headers: JSON_PATCH,
      }),
    ];
    for (const answer of requests) {
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual(errors);
    }
    expect((await get(one.path)).headers.etag).toBe(one.etag);
  });

  test('in an undeclared property is a text', async () => {
    const one = await create('/members', { name: 'x', logo: uri });
    expect(await shownIn(one, 'logo')).toBe(uri);
  });

  test('is part of the items of a list', async () => {
    const answer = await send('POST', '/members', { json: [{ name: 'a', photo: uri }, { name: 'b' }] });
    expect(answer.status).toBe(201);
    const [one, other] = answer.json().items;
    expect(one?.photo).toMatchObject(FACTS);
    expect(other?.photo).toBeUndefined();
    expect((await get(`/members/${one?.id}?fields=photo`)).bytes.equals(PNG)).toBe(true);
    const faulty = await send('POST', '/members', { json: [{ name: 'a' }, { photo: 'x' }] });
    expectProblem(faulty, 400);
    expect(faulty.json().errors).toEqual([{ pointer: '/1/photo', detail: expect.any(String) }]);
  });
});

describe('JSON Patch', () => {
  test('tests the object that GET shows', async () => {
    const one = await withPhoto();
    const patch = (value: unknown) =>
      send('PATCH', one.path, {
        json: [
          { op: 'test', path: '/photo', value },
          { op: 'replace', path: '/name', value: 'n' },
        ],
        headers: JSON_PATCH,
      });
    expect((await patch(await shownIn(one))).status).toBe(200);
    expectProblem(await patch({ href: 'x' }), 409);
    expect(await shownIn(one)).toMatchObject(FACTS);
  });
});

// Specification 2.22, 6.2
describe('a multipart form', () => {
  const file = (name: string, content: Buffer, type = 'image/png', filename = 'ada.png') => ({
    name,
    filename,
    type,
    content,
  });
  const post = (path: string, ...parts: readonly FormPart[]) => send('POST', path, form(...parts));

  test.each(['/members', '/members/new'])('to %s creates an item with its files', async (path) => {
    const name = unique('form');
    const answer = await post(
      path,
      { name: 'name', content: name },
      file('photo', PNG),
      file('scan', GIF, 'image/gif'),
    );
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ name, photo: FACTS, scan: { contentType: 'image/gif', size: 6 } });
    const { location } = answer.headers;
    expect((await get(`${location}?fields=photo`)).bytes.equals(PNG)).toBe(true);
    expect((await get(`${location}?fields=scan`)).bytes.equals(GIF)).toBe(true);
  });

  test('with a file alone creates an item', async () => {
    const answer = await post('/members/new', file('photo', PNG));
    expect([answer.status, answer.json().photo]).toEqual([201, expect.objectContaining(FACTS)]);
  });

  test.each(['', '/edit'])('to the item%s sets files and leaves what it does not send', async (suffix) => {
    const one = await withPhoto();
    const { etag } = (await get(bytesAt(one))).headers;
    const unfilled = file('photo', Buffer.alloc(0), 'application/octet-stream', '');
    expect((await post(`${one.path}${suffix}`, { name: 'age', content: '7' }, unfilled)).status).toBe(200);
    expect((await get(bytesAt(one))).headers.etag).toBe(etag);
    const answer = await post(`${one.path}${suffix}`, file('photo', GIF, 'image/gif'), {
      name: 'photo',
      content: '',
    });
    expect([answer.status, answer.json().age]).toEqual([200, 7]);
    expect((await get(bytesAt(one))).bytes.equals(GIF)).toBe(true);
  });

  test('removes the bytes by an empty input', async () => {
    const one = await withPhoto();
    await put(bytesAt(one, 'scan'));
    const sent = { body: 'photo=&scan=', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect((await send('POST', `${one.path}/edit`, sent)).status).toBe(200);
    for (const name of ['photo', 'scan']) expect(await shownIn(one, name)).toBeUndefined();
  });

  test('creates binary properties of customers, orders and products', async () => {
    for (const [path, input] of [
      ['/customers/new', 'name'],
      ['/products/new', 'name'],
      ['/orders/new', 'productId'],
    ] as const) {
      const answer = await post(
        path,
        { name: input, content: '1' },
        { name: 'orderValue', content: '1' },
        file('scan', PNG),
      );
      expect([path, answer.status, answer.json().scan]).toEqual([path, 201, expect.objectContaining(FACTS)]);
    }
  });

  test.each([
    ['a text for a picture', [file('photo', PNG, 'text/plain')], 415, '/photo'],
    ['a picture without a type', [{ name: 'photo', filename: 'a', content: PNG }], 415, '/photo'],
    ['a file for a text', [file('name', PNG)], 400, '/name'],
    ['two files under a name', [file('scan', PNG), file('scan', GIF)], 400, '/scan'],
    ['a file and a text under a name', [file('photo', PNG), { name: 'photo', content: 'x' }], 400, '/photo'],
    ['a text for a picture', [{ name: 'photo', content: 'ada.png' }], 400, '/photo'],
    ['a name with a space', [file('a b', PNG)], 400, '/a b'],
    ['a file of more than 4 MiB', [file('photo', Buffer.alloc(4 * 1024 * 1024 + 1))], 413, '/photo'],
  ])('with %s is refused', async (_what, parts, status, pointer) => {
    const answer = await post('/members/new', { name: 'age', content: '7' }, ...parts);
    expectProblem(answer, status);
    expect(answer.json().errors).toEqual([{ pointer, detail: expect.any(String) }]);
    const page = await send('POST', '/members/new', {
      ...form(...parts),
      headers: { ...form().headers, Accept: 'text/html' },
    });
    expect([page.status, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  });

  test('ignores files under the names of server properties', async () => {
    const answer = await post(
      '/members/new',
      { name: 'age', content: '7' },
      file('id', PNG),
      file('links', PNG),
    );
    expect([answer.status, answer.json().age]).toEqual([201, 7]);
  });

  test('has one effect with an Idempotency-Key, whose fingerprint covers the files', async () => {
    const name = unique('once');
    const sent = (content: Buffer) => {
      const { body, headers } = form({ name: 'name', content: name }, file('photo', content));
      return send('POST', '/members', {
        ...(body ? { body } : {}),
        headers: { ...headers, 'Idempotency-Key': name },
      });
    };
    const first = await sent(PNG);
    const again = await sent(PNG);
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    expect(again.json()).toEqual(first.json());
    expectProblem(await sent(GIF), 422);
  });

  test('runs as an operation', async () => {
    const { body, headers } = form(
      { name: 'name', content: unique('later') },
      file('photo', Buffer.alloc(300_000, 1)),
    );
    const answer = await send('POST', '/members', {
      ...(body ? { body } : {}),
      headers: { ...headers, Prefer: 'respond-async, wait=10' },
    });
    expect([answer.status, answer.json().photo]).toEqual([201, expect.objectContaining({ size: 300_000 })]);
  });
});

describe('pages', () => {
  const HTML = { Accept: 'text/html' };
  const page = async (path: string) => (await get(path, HTML)).text;

  test('show pictures of items, and thumbnails in lists', async () => {
    const one = await withPhoto();
    await put(bytesAt(one, 'scan'), Buffer.from('%PDF'), { 'Content-Type': 'application/pdf' });
    const image = `<img src="${bytesAt(one)}"`;
    expect(await page(one.path)).toContain(image);
    expect(await page(one.path)).toContain(`<a href="${bytesAt(one, 'scan')}">application/pdf, 4 bytes</a>`);
    const list = await get('/members?sort=-id&limit=100', HTML);
    expect(list.text).toContain(`${image} alt="Photo of ${one.answer.json().name}" loading="lazy">`);
    expect(list.headers['content-security-policy']).toMatch(/img-src 'self'/);
  });

  test('have file inputs, whose forms are multipart', async () => {
    const fresh = await page('/members/new');
    expect(fresh).toMatch(/<form method="post" action="\/members\/new" enctype="multipart\/form-data">/);
    expect(fresh).toMatch(/<input id="input-photo" name="photo" type="file" accept="image\/\*"/);
    expect(await page('/customers/new')).toContain('<form method="post" action="/customers/new">');
    const one = await withPhoto();
    await put(bytesAt(one, 'scan'));
    const edit = await page(`${one.path}/edit`);
    for (const name of ['photo', 'scan']) {
      expect(edit).toMatch(new RegExp(`<input id="input-${name}" name="${name}" type="file"`));
      expect(edit).toContain(`<input type="checkbox" id="input-${name}-remove" name="${name}" value="">`);
      expect(edit).toContain(`<img src="${bytesAt(one, name)}"`);
    }
    expect(edit).not.toContain('[object');
  });

  test('show a refused form again, without its file', async () => {
    const { body, headers } = form(
      { name: 'name', content: 'Ada' },
      { name: 'age', content: 'x' },
      { name: 'photo', filename: 'a.png', type: 'image/png', content: PNG },
    );
    const answer = await send('POST', '/members/new', {
      ...(body ? { body } : {}),
      headers: { ...headers, Accept: 'text/html' },
    });
    expect([answer.status, answer.text.includes('value="Ada"')]).toEqual([400, true]);
    expect(answer.text).toMatch(/<input id="input-photo" name="photo" type="file"/);
  });
});
