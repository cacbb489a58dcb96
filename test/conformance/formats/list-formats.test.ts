import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const CSV = 'text/csv';
const JSONL = 'application/jsonl';
const FORMATS = [CSV, JSONL];

const post = (path: string, type: string, body: string, headers: Record<string, string> = {}) =>
  send('POST', path, { body, headers: { 'Content-Type': type, ...headers } });

/** The orders of a new customer, and their identifiers in ascending order. */
async function orders(values: readonly object[]): Promise<{ path: string; ids: number[] }> {
  const { path } = await create('/customers', { name: unique('formats') });
  const answer = await send('POST', `${path}/orders`, { json: values });
  expect(answer.status).toBe(201);
  const ids = answer.json().items.map(({ orderId }) => orderId);
  return { path: `${path}/orders`, ids: ids.sort((a, b) => a - b) };
}

const linkOf = ({ headers }: Answer, rel: string): string | undefined =>
  new RegExp(`<([^>]*)>; rel="?${rel}`).exec(headers.link ?? '')?.[1];

// Specification 2.53; RFC 4180
describe('a list as CSV', () => {
  test('has a header row, the identifier, declared properties, times and then the others of the page', async () => {
    const { path } = await orders([
      { productId: 1, quantity: 2, orderValue: 0.1 },
      { productId: 2, orderValue: 12345678901234, note: '=1+1', tags: ['a', 'b'] },
      { productId: 3, orderValue: 3, note: ' say "a, b"\r\nand\n-c ', empty: '', no: null, flag: true },
      { productId: 4, orderValue: 4, note: 'a\rb' },
    ]);
    const answer = await get(`${path}?sort=orderValue`, { Accept: CSV });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    const [header = '', ...rows] = answer.text.split('\r\n');
    const names = header.split(',');
    expect(names[0]).toBe('orderId');
    expect(names.indexOf('updatedAt')).toBeGreaterThan(names.indexOf('orderValue'));
    expect(names.slice(names.indexOf('updatedAt') + 1).sort()).toEqual([
      'empty:json',
      'flag:json',
      'no:json',
      'note',
      'tags:json',
    ]);
    expect(rows[0]).toMatch(/^\d+,(?:.*,)?0\.1,/);
    expect(answer.text).toContain('"[""a"",""b""]"');
    expect(answer.text).toContain(',=1+1');
    expect(answer.text).toContain('" say ""a, b""\r\nand\n-c "');
    expect(answer.text).toContain(',"a\rb"');
    expect(answer.text.endsWith('\r\n')).toBe(true);
  });

  test('has no formula with the parameter safe', async () => {
    const notes = ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1', '\n=1', 'a=1', '=HYPERLINK("http://evil","x")'];
    const { path } = await orders(notes.map((note) => ({ productId: 1, orderValue: 1, note })));
    const safe = `${CSV}; safe=true`;
    const answer = await get(`${path}?fields=note`, { Accept: safe });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present; safe=true',
    ]);
    const cells = answer.text.replace(/^orderId,note\r\n/, '').split(/(?:^|\r\n)\d+,/);
    expect(new Set(cells.slice(1).map((cell) => cell.replace(/\r\n$/, '')))).toEqual(
      new Set([
        "'=1+1",
        "'+1",
        "'-1",
        "'@a",
        "'\t=1",
        `"'\r=1"`,
        `"'\n=1"`,
        'a=1',
        `"'=HYPERLINK(""http://evil"",""x"")"`,
      ]),
    );
    const plain = await get(`${path}?fields=note`, { Accept: CSV });
    expect(plain.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(plain.text).toContain(',=1+1');
    expect(answer.headers.etag).not.toBe(plain.headers.etag);
  });

  test('keeps the signs of numbers with the parameter safe', async () => {
    const { path } = await orders([{ productId: 1, orderValue: 1, offset: -5 }]);
    const answer = await get(`${path}?fields=offset`, { Accept: `${CSV};safe=true` });
    expect(answer.text).toMatch(/^\w+,offset:json\r\n\d+,-5\r\n$/);
  });

  test('keeps all digits of decimals', async () => {
    const { path } = await create('/customers', { name: unique('formats') });
    const body = 'productId,orderValue\n1,123456789012345.12345678901234567890123\n';
    expectProblem(await post(`${path}/orders`, CSV, 'productId,orderValue\n1,1e15\n'), 400);
    const digits = body.replace('123456789012345.', '12345678901234.');
    expect((await post(`${path}/orders`, CSV, digits)).status).toBe(201);
    const { text } = await get(`${path}/orders?fields=orderValue`, { Accept: CSV });
    expect(text).toMatch(/^orderId,orderValue\r\n\d+,12345678901234\.12345678901234567890123\r\n$/);
  });

  test('has the columns that fields selects, also on an empty page', async () => {
    const { path } = await create('/customers', { name: unique('formats') });
    const empty = await get(`${path}/orders?fields=quantity,note`, { Accept: CSV });
    expect(empty.text).toBe('orderId,quantity,note\r\n');
  });

  test('comes back as the same items', async () => {
    const name = unique('round');
    const texts = ['=SUM(A1)', '+1', '-1', '@x', '007', '1e3', 'true', ' a ', 'a,"b"', 'ä\n"', "'", '\t'];
    const header = 'name,age,username,note\r\n';
    const cells = texts.map((text) => `"${text.replaceAll('"', '""')}"`);
    const body = header + cells.map((cell) => `${name},7,${cell},${cell}\r\n`).join('');
    const back = (await post('/members', CSV, body)).json().items;
    expect(back.map(({ username, note, age }) => [username, note, age])).toEqual(
      texts.map((text) => [text, text, 7]),
    );
  });
});

// Specification 2.25
test.each(FORMATS)(
  'POST of a list as %s that shows declared binary properties does not create items without their bytes',
  async (type) => {
    const name = unique('bytes');
    const one = await create('/members', { name, photo: 'data:image/png;base64,AAAA' });
    const headers = { 'Content-Type': 'image/png' };
    expect((await send('PUT', `${one.path}?fields=scan`, { body: 'x', headers })).status).toBe(201);
    const { text } = await get(`/members?id=${one.id}`, { Accept: type });
    expect(text).toContain('fields=scan');
    const answer = await post('/members', type, text, { Prefer: 'handling=lenient' });
    const [result] = answer.json().items;
    expect([answer.status, result?.status]).toEqual([207, 400]);
    expect(result?.problem).toMatchObject({ errors: [{ pointer: expect.stringMatching(/\/photo$/) }] });
  },
);

test('a list as JSON Lines has one item per line, as in JSON', async () => {
  const { path } = await orders([
    { productId: 1, orderValue: 0.1 },
    { productId: 2, orderValue: 1, note: 'a\nb' },
  ]);
  const { text, headers } = await get(path, { Accept: JSONL });
  expect(headers['content-type']).toBe(JSONL);
  const lines = text.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual((await get(path)).json().items);
  expect(text.endsWith('\n')).toBe(true);
});

// Specification 2.53, 2.45, 2.46, 3.7
describe.each(FORMATS)('a list as %s', (type) => {
  test('has its paging links in Link, in both directions', async () => {
    const { path, ids } = await orders(
      Array.from({ length: 5 }, (_, at) => ({ productId: at, orderValue: at })),
    );
    const found: string[] = [];
    let uri: string | undefined = `${path}?limit=2&sort=createdAt&fields=productId`;
    let last: Answer | undefined;
    while (uri) {
      const page: Answer = await get(uri, { Accept: type });
      expect(page.status).toBe(200);
      found.push(...(page.text.match(/\d{10,}/g) ?? []));
      last = page;
      uri = linkOf(page, 'next');
    }
    expect(found.map(Number)).toEqual(ids);
    const before = await get(linkOf(last as Answer, 'prev') as string, { Accept: type });
    expect(before.text.match(/\d{10,}/g)?.map(Number)).toEqual(ids.slice(-3, -1));
    expect(linkOf(before, 'first')).toContain('limit=2');
  });

  test('has its own entity tag, and codings', async () => {
    const { path } = await orders(Array.from({ length: 30 }, (_, at) => ({ productId: at, orderValue: 1 })));
    const page = `${path}?limit=20`;
    const plain = await get(page, { Accept: type });
    expect(plain.headers.vary).toMatch(/Accept, Prefer, Accept-Encoding/);
    expect(plain.headers.etag).not.toBe((await get(page)).headers.etag);
    const head = await send('HEAD', page, { headers: { Accept: type } });
    for (const name of ['content-type', 'content-length', 'etag', 'link', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, plain.headers[name]]);
    const tag = { 'If-None-Match': plain.headers.etag };
    expect((await get(page, { Accept: type, ...tag })).status).toBe(304);
    expect((await get(page, tag)).status).toBe(200);
    const zipped = await get(page, { Accept: `${type}, */*;q=0.1`, 'Accept-Encoding': 'gzip' });
    expect(gunzipSync(zipped.bytes).toString()).toBe(plain.text);
    expectProblem(await send('DELETE', path, { headers: { 'If-Match': '"x"' } }), 412);
    const whole = await get(path, { Accept: `${type}, */*;q=0.1`, 'Accept-Encoding': 'gzip' });
    expect((await send('DELETE', path, { headers: { 'If-Match': whole.headers.etag } })).status).toBe(204);
  });

  test('changes its entity tag if a next page appears, because only Link shows it', async () => {
    const { path } = await orders([
      { productId: 1, orderValue: 1 },
      { productId: 2, orderValue: 1 },
    ]);
    const page = `${path}?limit=2&sort=createdAt`;
    const before = await get(page, { Accept: type });
    expect(linkOf(before, 'next')).toBeUndefined();
    await create(path, { productId: 3, orderValue: 1 });
    const after = await get(page, { Accept: type, 'If-None-Match': before.headers.etag });
    expect([after.status, after.text]).toEqual([200, before.text]);
    expect(linkOf(after, 'next')).toBeDefined();
  });

  test('is not a format of an item, and a wildcard does not select it', async () => {
    const { path } = await create('/members', { name: unique('item') });
    const refused = await get(path, { Accept: type });
    expectProblem(refused, 406);
    expect(refused.json().available).not.toContain(type);
    const list = await get('/members', { Accept: 'image/png' });
    expectProblem(list, 406);
    expect(list.json().available).toEqual(expect.arrayContaining(FORMATS));
    for (const Accept of ['*/*', `${type.split('/')[0]}/*`])
      expect((await get('/members', { Accept })).headers['content-type']).toMatch(/json$|xml/);
    expect(
      (await get('/members', { Accept: `${type}, application/json;q=0.5` })).headers['content-type'],
    ).toMatch(type);
  });
});

// Specification 2.53, 9.5
describe('POST of a list', () => {
  test('creates all items, from CSV and from JSON Lines', async () => {
    const name = unique('bulk');
    const bodies = [
      [CSV, `\uFEFFname,price,color,note\r\n${name},1.50,red,x\r\n\r\n"${name}",,,"a ""b"",\nc"`],
      [
        JSONL,
        `{"name":"${name}","price":1.50,"color":"red","note":"x"}\r\n\n{"name":"${name}","note":"a \\"b\\",\\nc"}`,
      ],
    ] as const;
    for (const [type, body] of bodies) {
      const answer = await post('/products', type, body);
      expect([answer.status, answer.headers.location]).toEqual([201, '/products']);
      const [first, second] = answer.json().items;
      expect(first).toMatchObject({ name, price: 1.5, color: 'red', note: 'x' });
      expect(second).toMatchObject({ name, note: 'a "b",\nc' });
      expect(second).not.toHaveProperty('price');
    }
  });

  test('reports every fault with the pointer of an array, and creates nothing', async () => {
    const name = unique('faulty');
    for (const [type, body] of [
      [CSV, `name,price\n${name},1\n${name},2\n${name},cheap\n`],
      [JSONL, `{"name":"${name}"}\n{"name":"${name}"}\n{"name":"${name}","price":"cheap"}\n`],
    ] as const) {
      const answer = await post('/products', type, body);
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors[0]?.pointer).toBe('/2/price');
      const lenient = await post('/products', type, body, { Prefer: 'handling=lenient' });
      expect(lenient.status).toBe(207);
      expect(lenient.json().items.map(({ status }) => status)).toEqual([201, 201, 400]);
    }
  });

  test.each([
    [CSV, 'a ragged row', 'name,price\nx,1\ny\n', /Line 3.*1 cell.*header has 2/],
    [CSV, 'a column that occurs twice', 'name,name\nx,y\n', /Line 1.*name occurs twice/],
    [CSV, 'a column without a name', 'name,\nx,y\n', /Line 1.*no name/],
    [CSV, 'an open quote', 'name\nx\n"y\n', /Line 3.*no end/],
    [CSV, 'a quote inside a cell', 'name\nx"y\n', /Line 2.*quote/],
    [CSV, 'text after a quoted cell', 'name\n"x"y\n', /Line 2.*comma/],
    [CSV, 'lines that a cell continues', 'name,a\n"x\n\ny",1\n"z\n', /Line 5/],
    [CSV, 'lines with CR LF in a cell', 'name,note\r\nx,"a\r\nb"\r\n\r\n"y\r\nz"\r\n', /Line 5.*1 cell/],
    [CSV, 'a bad quote after CR LF in a cell', 'name,a\r\n"x\r\ny",1\r\nz"\r\n', /Line 4.*quote/],
    [JSONL, 'a broken line', '{"name":"x"}\n\n{"name":\n', /Line 3/],
    [JSONL, 'a name that occurs twice', '{"name":"x","name":"y"}\n', /Line 1/],
  ])('of %s gets 400 with the line for %s', async (type, _, body, detail) => {
    const answer = await post('/members', type, body);
    expectProblem(answer, 400, 'malformed-body');
    expect(answer.json().errors[0]?.detail).toMatch(detail);
  });

  test.each([
    [CSV, 'name\n'],
    [CSV, '\n'],
    [JSONL, '\n'],
    [JSONL, '[1]\n'],
    [JSONL, '"x"'],
    [CSV, '__proto__,constructor\n,\n'],
    [CSV, 'a b\n1\n'],
    [CSV, '\u0000\n'],
  ])('of %s gets 400 for %j', async (type, body) => expectProblem(await post('/members', type, body), 400));

  test('of names such as constructor keeps them as data', async () => {
    const answer = await post('/members', CSV, 'name,constructor,toJSON,then\nx,a,b,c\n');
    expect([answer.status, answer.json().items]).toEqual([201, expect.any(Array)]);
    expect(answer.text).toContain('"constructor":"a","toJSON":"b","then":"c"');
  });

  test('has one effect with an Idempotency-Key, and can be an operation', async () => {
    const key = { 'Idempotency-Key': unique('key') };
    const first = await post('/members', CSV, 'name\nx\n', key);
    const again = await post('/members', CSV, 'name\nx\n', key);
    expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', first.text]);
    expectProblem(await post('/members', CSV, 'name\ny\n', key), 422);
    for (const [type, body] of [
      [CSV, `name\n${'many\n'.repeat(120)}`],
      [JSONL, '{"name":"many"}\n'.repeat(120)],
    ] as const) {
      const done = await ended(await post('/members', type, body));
      expect(done.json()).toMatchObject({ status: 'Succeeded', progress: { done: 120, total: 120 } });
    }
  });

  test('is in Accept-Post of collections, and in no other', async () => {
    for (const path of ['/members', '/customers', '/products', '/orders']) {
      const { headers } = await send('OPTIONS', path);
      expect(headers['accept-post']?.split(', ')).toEqual(expect.arrayContaining(FORMATS));
    }
    const refused = await post('/members', 'text/plain', 'x');
    expectProblem(refused, 415);
    expect(refused.headers['accept-post']).toContain(CSV);
    const { path } = await create('/members', { name: 'x' });
    for (const method of ['PUT', 'POST']) {
      const one = await send(method, path, { body: 'name\nx\n', headers: { 'Content-Type': CSV } });
      expectProblem(one, 415);
    }
    expectProblem(await post('/members', 'text/csv; header=absent', 'x\n'), 415);
    expect((await post('/members', 'text/csv; charset=UTF-8; header=present', 'name\nx\n')).status).toBe(201);
  });
});
