import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/* Documents of .NET, JAXB and other clients that keep to the standards of XML. */
underTest();

const post = (path: string, body: string | Buffer, type = 'application/xml') =>
  send('POST', path, { body, headers: { 'Content-Type': type } });

const NIL = 'xmlns:n="http://www.w3.org/2001/XMLSchema-instance" n:nil';

// RFC 7303 §3; Specification 2.43
describe('the encoding of a document', () => {
  const written = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><customer><name>é</name></customer>`;

  test.each(['application/xml; charset=utf-8', 'text/xml; charset="UTF-8"', 'application/xml;charset=utf8'])(
    'is the charset of %s, before that of the declaration',
    async (type) => {
      for (const encoding of ['iso-8859-15', 'utf-16', 'UTF-8']) {
        const answer = await post('/customers', written(encoding), type);
        expect([answer.status, answer.json().name]).toEqual([201, 'é']);
      }
    },
  );

  test('is UTF-8 by a byte order mark', async () => {
    const answer = await post('/customers', `\uFEFF${written('iso-8859-15')}`);
    expect([answer.status, answer.json().name]).toEqual([201, 'é']);
  });

  test('is that of the declaration without both', async () => {
    expect((await post('/customers', written('utf-8'))).status).toBe(201);
    expectProblem(await post('/customers', written('iso-8859-15')), 400, 'malformed-body');
  });

  test.each(['/customers', '/files'])('UTF-16 gets 415 with the way: %s', async (path) => {
    const little = Buffer.from(`\uFEFF${written('utf-16')}`, 'utf16le');
    for (const [body, type] of [
      [little, 'application/xml'],
      [Buffer.from(little).swap16(), 'text/xml'],
      [little, 'application/xml; charset=utf-16'],
    ] as const) {
      const answer = await post(path, body, type);
      expectProblem(answer, 415, 'unsupported-media-type');
      expect(answer.json().detail).toMatch(/in UTF-8$/);
      expect(answer.headers['accept-post']).toContain('application/xml');
    }
  });

  test('of files obeys the same rule', async () => {
    const filename = unique('encoding');
    const body = `<?xml version="1.0" encoding="iso-8859-15"?><file><filename>${filename}</filename><content>é</content></file>`;
    expect((await post('/files', body, 'application/xml; charset=utf-8')).status).toBe(201);
    expectProblem(await post('/files', body), 400, 'malformed-body');
  });
});

// Specification 2.42
describe('an attribute', () => {
  test.each(['id="5"', 'limit="5"', 'x:limit="5" xmlns:x="urn:x"', 'Type="number"'])(
    'without a meaning gets 400 with its name: %s',
    async (attribute) => {
      for (const body of [
        `<customer><name ${attribute}>a</name></customer>`,
        `<customers><customer ${attribute}><name>a</name></customer></customers>`,
        `<customer><any><item ${attribute}>a</item></any></customer>`,
      ]) {
        const answer = await post('/customers', body);
        expectProblem(answer, 400, 'malformed-body');
        expect(answer.json().errors?.[0]?.detail).toMatch(
          new RegExp(
            `^The attribute ${attribute.split('=')[0]} of (name|customer|item) has no meaning: send`,
          ),
        );
      }
    },
  );

  test('that tools and this service write has no effect', async () => {
    const name = unique('xml');
    const schema =
      'xmlns="urn:a" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a a.xsd" xsi:noNamespaceSchemaLocation="a.xsd" xml:lang="de"';
    const body = `<customer ${schema}><name xml:space="preserve" xsi:type="xs:string">${name}</name></customer>`;
    expect((await post('/customers', body)).status).toBe(201);
    const Accept = 'application/xml';
    const list = await get(`/customers?name=${name}`, { Accept });
    expect(list.text).toContain('<customers limit="100" offset="0">');
    const sent = { body: list.text, headers: { 'Content-Type': Accept } };
    expect((await send('PUT', '/customers', sent)).status).toBe(200);
  });
});

// XML Schema 1.0 Part 1 §2.6.2; Specification 2.42
describe('xsi:nil', () => {
  test.each([
    ['true', 'address'],
    ['1', 'creditLimit'],
    [' true ', 'email'],
  ])('="%s" leaves out the declared %s', async (value, name) => {
    const { path } = await create('/customers', {
      name: unique('nil'),
      [name]: name === 'creditLimit' ? 1 : 'a@b.example',
    });
    const body = `<customer><name>n</name><${name} ${NIL}="${value}"/></customer>`;
    for (const answer of [
      await post('/customers', body),
      await send('PUT', path, { body, headers: { 'Content-Type': 'application/xml' } }),
    ]) {
      expect(answer.json()).toMatchObject({ name: 'n' });
      expect(answer.json()).not.toHaveProperty(name);
    }
  });

  test('is null in an undeclared property', async () => {
    const answer = await post('/customers', `<customer><name>n</name><vat ${NIL}="1"/></customer>`);
    expect(answer.json()).toMatchObject({ vat: null });
  });

  test('="false" has no effect, and xsi:type of an undeclared property has none', async () => {
    const more = `<a ${NIL}="false">1</a><b xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:type="x:int">7</b>`;
    const answer = await post('/customers', `<customer><name>n</name>${more}</customer>`);
    expect(answer.json()).toMatchObject({ a: '1', b: '7' });
  });
});

// Specification 2.39
describe('a root with the name of another resource gets 400 with its path', () => {
  test.each([
    ['/orders', '<product><productId>1</productId><orderValue>1</orderValue></product>', '/products'],
    ['/customers', '<x:member xmlns:x="urn:x"><name>a</name></x:member>', '/members'],
    ['/customers', '<orders><order><productId>1</productId></order></orders>', '/orders'],
  ])('%s %s', async (path, body, other) => {
    const answer = await post(path, body);
    expectProblem(answer, 400, 'malformed-body');
    expect(answer.json().errors[0]?.detail).toMatch(new RegExp(` is of ${other}: send it there$`));
  });

  test.each(['customer', 'x', 'item', 'Product', 'root'])('and the root %s is allowed', async (root) => {
    expect((await post('/customers', `<${root}><name>a</name></${root}>`)).status).toBe(201);
  });
});
