import { describe, expect, test } from '@jest/globals';
import { type FormPart, form } from '../../../support/client/form.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../../support/service/under-test.ts';
import { bytesAt, FACTS, GIF, PNG, put, shownIn, withPhoto } from './photos.ts';

underTest();

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
    ['bytes of no picture without a type', [{ name: 'photo', filename: 'a', content: 'x' }], 415, '/photo'],
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

  // Specification 2.48
  test.each([
    ['no type, and an ending', { filename: 'a.PNG', content: 'x' }, 'image/png'],
    ['no type, and the first bytes of a picture', { filename: 'a', content: PNG }, 'image/png'],
    ['an unknown type', { filename: 'a.gif', content: PNG, type: 'application/octet-stream' }, 'image/gif'],
    [
      'an unknown type, and no name',
      { filename: 'blob', content: GIF, type: 'Application/Octet-Stream' },
      'image/gif',
    ],
  ])('takes a picture with %s', async (_what, part, contentType) => {
    const answer = await post('/members/new', { name: 'photo', ...part });
    expect([answer.status, answer.json().photo]).toMatchObject([201, { contentType }]);
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
    expect(list.text).toContain(
      `${image} alt="Photo of ${one.answer.json().name}" width="320" height="240" loading="lazy">`,
    );
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
