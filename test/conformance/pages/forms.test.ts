import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { form as multipart } from '../../support/client/form.ts';
import { BROWSER, formOf, headingOf, numbered, unescaped, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** HTML form style. Source: Specification C.70 to C.79, 6.1 to 6.8. */
underTest();

const URLENCODED = 'application/x-www-form-urlencoded';
type Inputs = Readonly<Record<string, string>>;

const post = (path: string, inputs: Inputs, headers: Record<string, string> = {}): Promise<Answer> =>
  send('POST', path, {
    headers: { 'Content-Type': URLENCODED, ...headers },
    body: urlencoded(Object.entries(inputs)),
  });
const browse = (path: string) => get(path, BROWSER);

/** The inputs that each resource's form needs, and the resulting properties. */
const RESOURCES: [string, Inputs, Record<string, unknown>][] = [
  ['members', { username: 'ada', age: '36' }, { username: 'ada', age: 36 }],
  ['customers', { name: 'Blue Door', address: 'Quay 1' }, { name: 'Blue Door', address: 'Quay 1' }],
  ['products', { name: 'Mug', price: '14.50' }, { name: 'Mug', price: 14.5 }],
  [
    'orders',
    { productId: '1', quantity: '2', orderValue: '0.10' },
    { productId: 1, quantity: 2, orderValue: 0.1 },
  ],
];
const idOf = (answer: Answer) => answer.json().id ?? answer.json().orderId;

describe.each(RESOURCES)('%s', (name, inputs, values) => {
  // Specification C.71, 6.4
  test('have a form for a new item with a label for each input', async () => {
    const page = await get(`/${name}/new`);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const form = formOf(page.text);
    expect(form).toMatchObject({ method: 'post', action: `/${name}/new` });
    for (const input of Object.keys(inputs)) {
      expect([...form.inputs.keys()]).toContain(input);
      const id = new RegExp(`<input[^>]* id="([^"]+)"[^>]* name="${input}"`).exec(page.text)?.[1];
      expect(page.text).toContain(`<label for="${id}">`);
    }
    expect((await get(`/${name}/new`, { Accept: '*/*' })).status).toBe(200);
    const refused = await get(`/${name}/new`, { Accept: 'image/png' });
    expectProblem(refused, 406);
    expect(refused.json().available).toEqual([
      'text/html',
      'application/json',
      'application/xml',
      'text/xml',
    ]);
  });

  // Specification C.72, 6.5
  test.each([`/${name}/new`, `/${name}`])('are created by POST %s', async (path) => {
    const answer = await post(path, inputs);
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject(values);
    expect(answer.headers.location).toBe(`/${name}/${idOf(answer)}`);
    expect((await get(answer.headers.location as string)).json()).toMatchObject(values);
  });

  // Specification 6.6
  test('can be created, changed and deleted in a browser through forms alone', async () => {
    const empty = formOf((await browse(`/${name}/new`)).text);
    const made = await post(empty.action, { ...Object.fromEntries(empty.inputs), ...inputs }, BROWSER);
    expect([made.status, made.text]).toEqual([303, '']);
    const [item = '', query] = (made.headers.location as string).split('?');
    expect(query).toBe(':done=created');
    const page = await browse(item);
    expect(page.status).toBe(200);
    for (const text of atLeastOne(Object.values(values))) expect(page.text).toContain(String(text));

    const edit = formOf((await browse(`${item}/edit`)).text);
    const [first = ''] = Object.keys(inputs);
    expect(numbered(edit.inputs).get(first)).toBe(String(values[first]));
    const changed = await post(edit.action, { ...Object.fromEntries(edit.inputs), [first]: '77' }, BROWSER);
    expect([changed.status, changed.headers.location]).toEqual([303, `${item}?:done=saved`]);
    expect(String((await get(item)).json()[first])).toBe('77');

    const confirm = formOf((await browse(`${item}/delete`)).text);
    expect((await get(item)).status).toBe(200);
    const gone = await post(confirm.action, Object.fromEntries(confirm.inputs), BROWSER);
    expect(gone.status).toBe(303);
    // The list offers to restore the version that the form showed. Specification 16.9
    const sort = name === 'orders' ? '-orderId' : '-id';
    expect(gone.headers.location).toBe(
      `/${name}?sort=${sort}&:done=deleted&:made=2.${item.split('/').at(-1)}`,
    );
    expectProblem(await get(item), 404);
  });

  // Specification 6.5
  test('return 201, 200 and 204 to API clients that send forms', async () => {
    const item = (await post(`/${name}`, inputs)).headers.location as string;
    const [first = ''] = Object.keys(inputs);
    const changed = await post(`${item}/edit`, { ...inputs, [first]: '78' });
    expect(changed.status).toBe(200);
    expect(changed.json()).toMatchObject({ ...values, [first]: expect.anything() });
    expect((await post(`${item}/delete`, {})).status).toBe(204);
    expectProblem(await post(`${item}/delete`, {}), 404);
    expectProblem(await post(`${item}/edit`, { [first]: '79' }), 404);
  });

  // Specification 6.7
  test('accept GET and POST only on control URIs', async () => {
    const { path } = await create(`/${name}`, { ...values, name: 'x' });
    for (const control of [`${path}/edit`, `${path}/delete`, `/${name}/new`]) {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const answer = await send(method, control, { json: {} });
        expectProblem(answer, 405);
        expect(answer.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
      }
    }
  });
});

describe('the content of a form', () => {
  // Specification 6.1, 6.2
  test('changes the inputs that it sends, and an empty one removes the property', async () => {
    const { path } = await create('/members', { username: 'a', name: 'b', age: 5, own: 'c', list: [1] });
    const answer = await post(path, { name: '', age: '6', own: 'd' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ username: 'a', age: 6, own: 'd', list: [1] });
    expect(answer.json()).not.toHaveProperty('name');
  });

  test('converts text to numbers, and JSON does not', async () => {
    expect((await post('/members', { age: '7' })).json().age).toBe(7);
    expectProblem(await send('POST', '/members', { json: { age: '7' } }), 400);
  });

  test('keeps every digit of a price', async () => {
    const answer = await post('/products', { price: '123456789012345.000000000000000000001' });
    expect(answer.status).toBe(201);
    expect(answer.text).toContain('"price":123456789012345.000000000000000000001');
  });

  test('can be multipart', async () => {
    const parts = [
      ['username', 'grüße'],
      ['age', '8'],
    ].map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    const answer = await send('POST', '/members', {
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: `${parts.join('')}--b--\r\n`,
    });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ username: 'grüße', age: 8 });
  });

  test.each([
    ['an invalid percent-encoding', URLENCODED, 'name=%zz'],
    ['invalid UTF-8', URLENCODED, 'name=%ff'],
    ['a declared input twice', URLENCODED, 'name=a&name=b'],
    ['a property of the service twice', URLENCODED, 'name=a&links=b&links=c'],
    ['no input at all', URLENCODED, ''],
    ['half a multipart body', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-da'],
    ['no boundary', 'multipart/form-data', 'x'],
    ['an invalid number', URLENCODED, 'age=1e'],
    ['an invalid property name', URLENCODED, 'a+b=1'],
    ['an invalid property name without a value', URLENCODED, 'name=a&a+b='],
    ['an empty property name', URLENCODED, 'name=a&='],
  ])('gets 400 for %s', async (_, type, body) => {
    expectProblem(await send('POST', '/members', { headers: { 'Content-Type': type }, body }), 400);
  });

  // Specification 6.2
  test('makes an array of an undeclared input that is repeated', async () => {
    const parts = ['a', '', 'b\r\nc'].map((tag) => ({ name: 'tags', content: tag }));
    for (const sent of [
      { headers: { 'Content-Type': URLENCODED }, body: 'tags=a&tags=&tags=b%0D%0Ac&one=1' },
      multipart({ name: 'one', content: '1' }, ...parts),
    ]) {
      const created = await send('POST', '/members', sent);
      expect(created.status).toBe(201);
      expect(created.json()).toMatchObject({ tags: ['a', '', 'b\nc'], one: '1' });
      const path = created.headers.location as string;
      const headers = { 'Content-Type': URLENCODED };
      const edited = await send('POST', path, { headers, body: 'tags=x&tags=y' });
      expect(edited.json()).toMatchObject({ tags: ['x', 'y'], one: '1' });
    }
    const refused = await send('POST', '/members', {
      headers: { 'Content-Type': URLENCODED },
      body: 'age=1&age=2',
    });
    expect(refused.json().errors).toEqual([{ pointer: '/age', detail: 'must be given once' }]);
    // Specification 2.50
    const { path, etag } = await create('/members', { name: unique('twice') });
    const changed = await send('POST', path, {
      headers: { 'Content-Type': URLENCODED },
      body: 'age=x&username=a&username=b',
    });
    expectProblem(changed, 400, 'validation-error');
    expect(changed.json().errors?.map(({ pointer }) => pointer)).toEqual(['/username', '/age']);
    expect((await get(path)).headers.etag).toBe(etag);
  });

  // Specification 1.8
  test('gets 405 on an item that takes no form', async () => {
    const { path } = await create('/customers', { name: unique('c') });
    expectProblem(await post(path, { name: 'x' }), 405);
  });

  test('gets 415 in a PUT', async () => {
    const { path } = await create('/members', { name: unique('m') });
    const answer = await send('PUT', path, { headers: { 'Content-Type': URLENCODED }, body: 'name=x' });
    expectProblem(answer, 415);
  });

  test('is not read as UTF-8 if it declares another encoding', async () => {
    const headers = { 'Content-Type': `${URLENCODED}; charset=iso-8859-1` };
    expectProblem(await send('POST', '/members', { headers, body: 'name=%e4' }), 415);
    const utf8 = { 'Content-Type': `${URLENCODED}; charset=UTF-8` };
    expect((await send('POST', '/members', { headers: utf8, body: 'name=%C3%A4' })).json().name).toBe('ä');
  });

  test('is named in Accept-Post of OPTIONS', async () => {
    const { headers } = await send('OPTIONS', '/members');
    expect(headers['accept-post']).toMatch(/^application\/json, application\/xml, text\/xml, /);
    expect(headers['accept-post']).toMatch(/, application\/x-www-form-urlencoded, multipart\/form-data$/);
  });
});

// Specification 6.6
describe('a refused form', () => {
  test('shows the sent values again with each message at its input', async () => {
    const sent = { username: '<b>"x"</b>', age: 'old', email: 'wrong' };
    const answer = await post('/members/new', sent, BROWSER);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(Object.fromEntries(formOf(answer.text).inputs)).toMatchObject(sent);
    for (const name of ['age', 'email']) {
      const input = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(answer.text)?.[0] ?? '';
      expect(input).toContain('aria-invalid="true"');
      const ids = (/aria-describedby="([^"]+)"/.exec(input)?.[1] ?? '').split(' ');
      expect(ids.map((id) => answer.text.includes(` id="${id}"`))).not.toContain(false);
      expect(answer.text).toContain(`href="#input-${name}"`);
    }
    expect(answer.text).toMatch(/<p class="error"[^>]*>must be a whole number<\/p>/);
    expect(answer.text).toMatch(/<div class="refused" role="alert" tabindex="-1" autofocus>/);
    expect(answer.text).not.toContain('<b>');
    expect(answer.headers.etag).toBeUndefined();
  });

  test('keeps properties that an edit did not send, so a corrected form removes nothing', async () => {
    const { path } = await create('/members', { name: 'kept', age: 5, note: 'mine' });
    const bodies: Inputs[] = [{ age: 'abc' }, { age: '1', 'a b': 'x' }];
    for (const body of bodies) {
      const refused = await post(`${path}/edit`, body, BROWSER);
      expect(refused.status).toBe(400);
      const form = formOf(refused.text);
      expect(Object.fromEntries(form.inputs)).toMatchObject({ name: 'kept', note: 'mine' });
    }
    const twice = await send('POST', `${path}/edit`, {
      headers: { ...BROWSER, 'Content-Type': URLENCODED },
      body: 'age=1&age=2',
    });
    expect(Object.fromEntries(formOf(twice.text).inputs)).toMatchObject({ name: 'kept', note: 'mine' });
  });

  test('keeps undeclared properties and the address it was sent to', async () => {
    const refused = await post('/members/new', { nick: 'zed', age: 'x' }, BROWSER);
    expect(formOf(refused.text).inputs.get('nick')).toBe('zed');
    const { path } = await create('/customers', { name: unique('c') });
    const order = await post(`${path}/orders`, { productId: '', quantity: '2' }, BROWSER);
    expect([order.status, formOf(order.text).action]).toEqual([400, `${path}/orders`]);
    const list = await browse(`${path}/orders`);
    expect(list.text).toContain(`href="/orders/new?customerId=${path.split('/').at(-1)}"`);
  });

  test('leaves the item as it is', async () => {
    const { path } = await create('/orders', { productId: 1, orderValue: 5 });
    const answer = await post(`${path}/edit`, { productId: '', quantity: '0' }, BROWSER);
    expect(answer.status).toBe(400);
    expect(headingOf(answer.text)).toContain('Edit order');
    expect((await get(path)).json()).toMatchObject({ productId: 1, quantity: 1, orderValue: 5 });
  });

  test('shows conflicts with the current state too', async () => {
    const answer = await post('/orders/new', { productId: '1', orderValue: '1', customerId: '5' }, BROWSER);
    expect(answer.status).toBe(409);
    expect(unescaped(answer.text)).toContain('names an item that does not exist');
    expect(formOf(answer.text).inputs.get('customerId')).toBe('5');
  });

  test('returns a problem to API clients', async () => {
    const answer = await post('/members', { age: 'x' });
    expectProblem(answer, 400);
    expect(answer.json().errors).toEqual([{ pointer: '/age', detail: expect.any(String) }]);
  });
});

// Specification 6.8
describe('the protection from cross-site forms', () => {
  const types = [
    URLENCODED,
    'multipart/form-data; boundary=b',
    'text/plain',
    // Browsers read it as text/plain, although it is not a valid media type.
    'text/plain;x',
    'text/plain; charset',
    'TEXT/PLAIN ; a=b c',
  ];
  test.each(types)('refuses a POST of %s on every path', async (type) => {
    const { path } = await create('/members', { name: unique('m') });
    for (const target of ['/members', '/members/new', path, `${path}/edit`, `${path}/delete`, '/orders']) {
      for (const from of [
        { 'Sec-Fetch-Site': 'cross-site' },
        // A sibling domain.
        { 'Sec-Fetch-Site': 'same-site', Origin: 'https://sibling.example' },
        { 'Sec-Fetch-Site': 'x' },
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
      ]) {
        const headers = { 'Content-Type': type, ...from };
        expectProblem(await send('POST', target, { headers, body: 'name=x' }), 403, 'forbidden');
      }
    }
    expect((await get(path)).status).toBe(200);
  });

  test('refuses a deletion without a body', async () => {
    const { path } = await create('/members', { name: unique('m') });
    expectProblem(await send('POST', `${path}/delete`, { headers: { 'Sec-Fetch-Site': 'cross-site' } }), 403);
    expect((await get(path)).status).toBe(200);
  });

  test('allows the same origin, the address bar and API clients', async () => {
    const origins: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      {},
    ];
    for (const from of origins) expect((await post('/members', { name: 'x' }, from)).status).toBe(201);
  });

  test.each(['http://localhost:5173', 'http://127.0.0.1:4777'])(
    'allows every content from %s, an allowed origin',
    async (Origin) => {
      for (const site of ['cross-site', 'same-site']) {
        const headers = { Origin, 'Sec-Fetch-Site': site };
        expect((await send('POST', '/members', { headers, json: { name: 'x' } })).status).toBe(201);
        expect((await post('/members', { name: 'x' }, headers)).status).toBe(201);
        const sent = multipart({ name: 'name', content: 'x' });
        const parts = { ...sent, headers: { ...sent.headers, ...headers } };
        expect((await send('POST', '/members', parts)).status).toBe(201);
        const { path } = await create('/orders', { productId: 1, orderValue: 1 });
        const paid = await send('POST', `${path}/pay`, { headers });
        expect([paid.status, paid.json().status]).toEqual([200, 'paid']);
        const text = { headers: { ...headers, 'Content-Type': 'text/plain' }, body: 'x' };
        expectProblem(await send('POST', '/members', text), 415);
      }
    },
  );
});

// Specification 6.7
describe('a double click', () => {
  test('creates one member', async () => {
    const form = formOf((await browse('/members/new')).text);
    const name = unique('double');
    const inputs = { ...Object.fromEntries(form.inputs), username: name };
    const [one, two] = await Promise.all([
      post(form.action, inputs, BROWSER),
      post(form.action, inputs, BROWSER),
    ]);
    expect([one.status, two.status]).toEqual([303, 303]);
    expect(one.headers.location).toBe(two.headers.location);
  });

  test('says that the person has sent the form before, and the form is ready to be sent again', async () => {
    const form = formOf((await browse('/members/new')).text);
    const inputs = { ...Object.fromEntries(form.inputs), username: unique('again') };
    const first = await post(form.action, inputs, BROWSER);
    const other = { ...inputs, username: unique('again') };
    const refused = await post(form.action, other, BROWSER);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('You have sent this form before');
    expect(refused.text).not.toMatch(/idempotency key/i);
    const made = first.headers.location?.replace(/\?.*/, '');
    expect(refused.text).toContain(`<a href="${made}">Show what you sent first</a>`);
    const again = Object.fromEntries(formOf(refused.text).inputs);
    expect(again.username).toBe(other.username);
    expect((await post(form.action, again, BROWSER)).status).toBe(303);
  });

  test('deletes once, and both responses succeed', async () => {
    const { path } = await create('/members', { name: unique('m') });
    const form = formOf((await browse(`${path}/delete`)).text);
    for (let click = 0; click < 2; click += 1)
      expect((await post(form.action, Object.fromEntries(form.inputs), BROWSER)).status).toBe(303);
  });

  test("never gets a cached form, because the form's key is used up", async () => {
    expect((await browse('/members/new')).headers['cache-control']).toBe('no-store');
  });
});
