import { describe, expect, test } from '@jest/globals';
import { listed, put } from '../../support/client/files.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('names', () => {
  // Specification 5.1, 5.2
  const u = unique('n');
  test.each([
    [`${u} with space`],
    [`${u}+plus`],
    [`${u}%2F`],
    [`${u}%`],
    [`${u}?query`],
    [`${u}#hash`],
    [`${u};semi,comma&and=`],
    [`${u}"quote'`],
    [`${u}<b>`],
    [`ü${u}`],
    [`ậ${u}`],
    [`🚀${u}`],
    [`.${u}`],
    [`...${u}`],
    [`${u}.`],
    [`-${u}`],
    [`${u}~!*()`],
    [`${u}{}|[]^\``],
    [`${u}:colon@`],
    [`${u}\u200fמסמך`],
    [`photo_\u202egpj.${u}`],
    [u.padEnd(255, 'x')],
    [u.padEnd(253, 'ü').slice(0, u.length + Math.floor((255 - u.length) / 2))],
  ])('are stored exactly as %s', async (name) => {
    const path = `/files/${encodeURIComponent(name)}`;
    const made = await put(path, `bytes of ${name}`);
    expect(made.status).toBe(201);
    expect(made.json().filename).toBe(name);
    expect((await get(path)).text).toBe(`bytes of ${name}`);
    expect((await get(made.headers.location as string)).text).toBe(`bytes of ${name}`);
    const row = await listed(name);
    expect(row).toMatchObject({ filename: name });
    const self = row?.links.find(({ rel }) => rel === 'self')?.href as string;
    expect((await get(self)).text).toBe(`bytes of ${name}`);
    expect((await send('DELETE', path)).status).toBe(204);
    expectProblem(await get(path), 404);
    expect(await listed(name)).toBeUndefined();
  });

  // Unicode Standard Annex 15: both spellings are the same text.
  describe('the composed and the decomposed spelling name one file', () => {
    const both = (of: string) => [`/files/${u}${of}%C3%BC`, `/files/${u}${of}u%CC%88`] as const;

    test.each([0, 1])('which is stored composed, and every method finds: form %i', async (form) => {
      const spellings = both(`one${form}`);
      const [composed] = spellings;
      const [sent, other] = form === 0 ? spellings : [...spellings].reverse();
      const made = await put(sent as string, 'first');
      expect([made.status, made.headers.location]).toEqual([201, composed]);
      expect(made.json().filename).toBe(decodeURIComponent(composed).slice('/files/'.length));
      for (const path of [sent as string, other as string]) {
        expect([(await get(path)).text, (await send('HEAD', path)).status]).toEqual(['first', 200]);
        expectProblem(await put(path, 'second', { 'If-None-Match': '*' }), 412);
      }
      expect((await put(other as string, 'second')).status).toBe(200);
      expect((await get(sent as string)).text).toBe('second');
      expect((await get(`${other}/versions`)).json().items).toHaveLength(2);
      expect((await send('DELETE', other as string)).status).toBe(204);
      expectProblem(await get(sent as string), 404);
    });

    test('also when both are made at once', async () => {
      const once = { 'If-None-Match': '*' };
      const answers = await Promise.all(both('race').map((path) => put(path, path, once)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 412]);
    });

    test('also in one request for several, and in a manifest', async () => {
      const names = both('several').map((path) => decodeURIComponent(path.slice('/files/'.length)));
      const [composed = '', decomposed = ''] = names;
      const twice = await send('POST', '/files', {
        json: names.map((filename) => ({ filename, content: 'x' })),
      });
      expectProblem(twice, 400);
      const announced = await send('POST', '/files', {
        json: names.map((filename) => ({ filename, size: 1 })),
      });
      expectProblem(announced, 400);
      const form = new FormData();
      form.append('file', new Blob(['x']), decomposed);
      const body = new Response(form);
      const headers = { 'Content-Type': body.headers.get('Content-Type') ?? '' };
      const sent = await send('POST', '/files', { headers, body: Buffer.from(await body.arrayBuffer()) });
      expect([sent.status, sent.headers.location]).toEqual([201, `/files/${encodeURIComponent(composed)}`]);
      const manifest = { filename: decomposed, size: 1 };
      const again = await send('POST', '/files', { json: manifest, headers: { 'If-None-Match': '*' } });
      expectProblem(again, 412);
      const links = (await send('POST', '/files', { json: manifest })).json().uploads as {
        filename: string;
      }[];
      expect(links).toMatchObject([{ filename: composed }]);
    });
  });

  test('"new", "edit" and numbers are ordinary filenames', async () => {
    for (const name of ['new', 'edit', 'delete', '1', 'index.html', '__proto__', 'constructor']) {
      const path = `/files/${name}`;
      expect([200, 201]).toContain((await put(path, name)).status);
      expect((await get(path)).text).toBe(name);
      expect((await send('DELETE', path)).status).toBe(204);
    }
  });

  // Specification 5.2. A library may normalize such a path, or the path may match no route: then 404 is right.
  test.each([
    ['%2F', 400],
    ['a%2Fb', 400],
    ['a%5Cb', 400],
    ['a\\b', 400],
    ['a%00', 400],
    ['a%0Ab', 400],
    ['a%1F', 400],
    ['a%7F', 400],
    ['%2E', 400],
    ['%2E%2E', 400],
    ['.', 400],
    ['..', 400],
    ['..%2F..%2Fetc%2Fpasswd', 400],
    ['x'.repeat(256), 400],
    [encodeURIComponent('ü'.repeat(128)), 400],
    ['%', 400],
    ['%zz', 400],
    ['%c3', 400],
    ['%ff%fe', 400],
    ['%ed%a0%80', 400],
    ['%c0%af', 400],
  ])('/files/%s gets %i', async (name, status) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await send(method, `/files/${name}`, method === 'PUT' ? { body: 'x' } : {});
      expectProblem(answer, status);
    }
  });

  test('several segments are not a filename and get 404', async () => {
    expectProblem(await put(`/files/${u}/b`, 'x'), 404);
    expectProblem(await get('/files/a/../b'), 404);
  });
});
