import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

const XML = { 'Content-Type': 'application/xml' };

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  send('POST', path, { body, headers: { ...XML, ...headers } });

/** The text of the first element with this name. */
const textOf = (document: string, name: string) =>
  new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(document)?.[1];

underTest();

describe('the XML format', () => {
  // Specification 2.36
  test.each(['application/xml', 'text/xml'])('writes and reads an item as %s', async (type) => {
    const name = unique('Zoë & <Co> "');
    const { path } = await create('/members', { name, age: 36 });
    const answer = await get(path, { Accept: type });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(new RegExp(`^${type}`));
    expect(answer.headers.vary).toMatch(/Accept/);
    expect(answer.text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*<member>/);
    expect(textOf(answer.text, 'age')).toBe('36');
    expect(answer.text).toContain(
      `<name>${name.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;').replace('"', '&quot;')}</name>`,
    );
  });

  // Specification 3.1, 3.2
  test('has its own ETag, and either ETag works as a precondition of a write', async () => {
    const { path, etag } = await create('/members', { name: 'a' });
    const tag = (await get(path, { Accept: 'application/xml' })).headers.etag as string;
    expect(tag).not.toBe(etag);
    expect((await get(path, { Accept: 'application/xml', 'If-None-Match': tag })).status).toBe(304);
    const put = await send('PUT', path, {
      json: { name: 'b' },
      headers: { 'If-Match': tag, Accept: 'application/xml' },
    });
    expect(put.status).toBe(200);
    expect(put.text).toContain('<name>b</name>');
  });

  // Specification 2.18
  test('can be sent back after a read, digit by digit', async () => {
    const values = {
      name: ' 007 ',
      lines: 'a\r\nb\rc',
      zip: '007',
      half: 0.5,
      yes: true,
      nothing: null,
      parts: { a: [1, { b: '<' }] },
      list: ['x'],
    };
    const { path } = await create('/members', values);
    const read = await get(path, { Accept: 'application/xml' });
    const written = await send('PUT', path, { body: read.text, headers: XML });
    expect(written.status).toBe(200);
    expect(written.json()).toMatchObject(values);
  });

  // Specification 2.41
  test('shows the types of undeclared properties', async () => {
    const answer = await post(
      '/members',
      '<any><zip>007</zip><n type="number">12345678901234567890.10</n><b type="boolean">false</b><o type="null"/><j type="json">[1,"&lt;"]</j></any>',
    );
    expect(answer.status).toBe(201);
    expect(answer.text).toContain('"zip":"007"');
    expect(answer.text).toContain('"n":12345678901234567890.10');
    expect(answer.json()).toMatchObject({ b: false, o: null, j: [1, '<'] });
  });

  // Specification 2.40
  test('removes a declared property by the type null', async () => {
    const { path } = await create('/customers', { name: 'a', email: 'a@b.example' });
    const put = await send('PUT', path, {
      body: '<customer><name>b</name><email type="null"/></customer>',
      headers: XML,
    });
    expect([put.status, put.json()]).toMatchObject([200, { name: 'b' }]);
    expect(put.json()).not.toHaveProperty('email');
  });

  // Specification 2.40
  test('is read by the declared types', async () => {
    const answer = await post('/products', '<product><name>42</name><price>99.90</price></product>');
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ name: '42', price: 99.9 });
    const wrong = await post('/members', '<member><age>old</age><email>wrong</email></member>');
    expect(wrong.status).toBe(400);
    expect(
      wrong
        .json()
        .errors.map(({ pointer }) => pointer)
        .sort(),
    ).toEqual(['/age', '/email']);
  });

  // Specification 2.38
  test('has the plural root with one element for each item of a list', async () => {
    const tag = unique('list');
    await create('/customers', { name: tag });
    const answer = await get('/customers?sort=-createdAt&limit=1', { Accept: 'application/xml' });
    expect(answer.text).toMatch(/<customers limit="1" offset="0"><customer><id>\d+<\/id>/);
    expect(answer.text.match(/<customer>/g)).toHaveLength(1);
    expect(answer.text).toContain(`<name>${tag}</name>`);
  });

  // Specification 2.41, 2.43, 9.1
  test('reads its own lists back, with nested values, in PUT and in POST', async () => {
    const values = {
      name: unique('xml'),
      tags: ['a', 1, []],
      parts: { größe: { 'a b': [null] }, item: true },
    };
    const made = [await create('/customers', values), await create('/customers', values)];
    const ids = made.map(({ id }) => id).join(',');
    for (const [method, status] of [
      ['PUT', 200],
      ['POST', 201],
    ] as const) {
      const texts = await Promise.all(
        made.map(async ({ path }) =>
          (await get(path, { Accept: 'application/xml' })).text.replace(/^<\?.*\?>/, ''),
        ),
      );
      const answer = await send(method, '/customers', {
        body: `<customers>${texts.join('')}</customers>`,
        headers: XML,
      });
      expect(answer.status).toBe(status);
      expect(answer.json().items).toMatchObject([values, values]);
      if (method === 'PUT')
        expect(
          answer
            .json()
            .items.map(({ id }) => id)
            .join(','),
        ).toBe(ids);
    }
    const body = `<any><items>${made.map(({ id }) => `<item><id>${id}</id><name>n</name></item>`).join('')}</items></any>`;
    const wrapped = await send('PUT', '/customers', { body, headers: XML });
    expect(wrapped.json().items).toMatchObject([{ name: 'n' }, { name: 'n' }]);
    expect(
      (await post('/customers', '<any><items><item><name>x</name></item></items></any>')).json(),
    ).toMatchObject({
      items: [{ name: 'x' }],
    });
  });

  // Specification 2.41, 9.4
  test('shows the items in the results of a lenient request like items of a list', async () => {
    const json = [{ name: 'x', open: { 'a b': 1, c: [] } }, { age: 'wrong' }];
    const headers = { Prefer: 'handling=lenient', Accept: 'application/xml' };
    const answer = await send('POST', '/members', { json, headers });
    expect(answer.status).toBe(207);
    expect(answer.text).toContain('<open type="json">{&quot;a b&quot;:1,&quot;c&quot;:[]}</open>');
    expect(answer.text).toContain('<status>400</status>');
  });

  // Specification 2.42
  test('of the release before is still readable', async () => {
    const answer = await post('/members', '<member><v type="json">{"a":[1,{"b":null}]}</v></member>');
    expect(answer.json()).toMatchObject({ v: { a: [1, { b: null }] } });
  });

  // Specification 2.36
  test('is available for problems', async () => {
    const answer = await get('/members/1', { Accept: 'application/xml' });
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('application/problem+xml');
    expect(answer.text).toContain('<problem xmlns="urn:ietf:rfc:7807">');
    expect(textOf(answer.text, 'status')).toBe('404');
  });

  // Specification 2.43, 2.49
  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY e "x">]><a><name>&e;</name></a>'],
    ['an undefined entity', '<a><name>&nbsp;</name></a>'],
    ['wrong nesting', '<a><name></a></name>'],
    ['an open element', '<a><name>x</name>'],
    ['two roots', '<a><name>x</name></a><a/>'],
    ['no element', 'text'],
    ['nothing', ' '],
    ['an element twice', '<a><name>x</name><name>y</name></a>'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><a><name>x</name></a>'],
    ['a control character', '<a><name>\u0001</name></a>'],
    ['a type that lies', '<a><x type="number">one</x></a>'],
    ['too deep', `<a><x>${'<item>'.repeat(100)}${'</item>'.repeat(100)}</x></a>`],
    ['100,000 levels', '<a>'.repeat(100_000)],
    ['text beside elements', '<a><x>text<b/></x></a>'],
  ])('refuses %s', async (_what, body) => {
    const answer = await post('/members', body);
    expect(answer.status).toBe(400);
    expect(answer.json().type).toMatch(/\/problems\/malformed-body$/);
  });

  test('has the properties of an order once and is well-formed', async () => {
    for (const body of [
      '<order><productId>1</productId><productId>2</productId></order>',
      '<order><productId>1</productId>text</order>',
      '<order><productId>1</productId><foo>&nbsp;</foo></order>',
      `<order><productId>1</productId>${'<foo>'.repeat(100)}${'</foo>'.repeat(100)}</order>`,
    ])
      expect((await post('/orders', body)).status).toBe(400);
  });

  // Specification 2.50
  test.each([
    ['/members', '<m><name>a</name><name>b</name></m>', '/name'],
    ['/members', '<m><own type="boolean">yes</own></m>', '/own'],
    ['/members', '<m><own><a/><b><c type="number">x</c></b></own></m>', '/own/b/c'],
    ['/members', '<m><own><item>1</item><item type="boolean">x</item></own></m>', '/own/1'],
    ['/members', '<members><member><name>a</name></member><member>text</member></members>', '/1'],
  ])('sent to %s with a fault gets the pointer of the property: %s', async (path, body, pointer) => {
    const answer = await post(path, body);
    expectProblem(answer, 400, 'malformed-body');
    expect(answer.json().errors).toMatchObject([{ pointer }]);
  });

  // Specification 2.45
  test.each([
    ['application/xml', 'application/xml'],
    ['application/json;q=0.5, application/xml', 'application/xml'],
    ['application/xml, application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/xml'],
    ['application/json;q=0, */*', 'application/xml'],
    // RFC 7231 §5.3.2: parameters that extended Accept after the weight. They have no meaning today.
    ['application/xml;q=0.5;ext=1', 'application/xml'],
  ])('and Accept: %s give %s', async (accept, type) => {
    expect((await get('/members?limit=1', { Accept: accept })).headers['content-type']).toContain(type);
  });
});

// Specification 2.39
test('XML may have any root, and prefixes have no effect', async () => {
  for (const [root, prefix] of [
    ['anything', ''],
    ['member', 'm:'],
    ['any.thing', 'ns1:'],
  ] as const) {
    const declaration = prefix ? ` xmlns:${prefix.slice(0, -1)}="urn:any"` : '';
    const elements = `<${prefix}name>Ada</${prefix}name><${prefix}age>36</${prefix}age><${prefix}own>x</${prefix}own>`;
    const body = `<${prefix}${root}${declaration}>${elements}</${prefix}${root}>`;
    const answer = await post('/members', body);
    expect([answer.status, answer.json()]).toMatchObject([201, { name: 'Ada', age: 36, own: 'x' }]);
  }
});
