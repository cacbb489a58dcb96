import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { listed, put } from '../../../support/client/files.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { get, underTest, unique } from '../../../support/service/under-test.ts';
import { base64, items, pathOf, post } from './requests.ts';

underTest();

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
    // The bytes or the type would be others than the client means.
    [
      'an unknown property',
      [{ filename: 'never', content, contentEncoding: 'base64' }],
      ['/0/contentEncoding'],
    ],
    [
      'other unknown ones',
      { filename: 'never', content, mediaType: 'a/b', base64: true, type: 'a/b' },
      ['/mediaType', '/base64', '/type'],
    ],
    ['an unknown one in a manifest', [{ filename: 'never', size: 1, mediaType: 'a/b' }], ['/0/mediaType']],
    ['another size', [{ filename: 'never', content: 'eA==', encoding: 'base64', size: 4 }], ['/0/size']],
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

  test('with neither content nor size gets 400, which names both', async () => {
    const answer = await post({ json: { filename: 'never' } });
    expectProblem(answer, 400, 'validation-error');
    const detail = expect.stringMatching(/send the bytes in content, or .* size/);
    expect(answer.json().errors).toEqual([{ pointer: '/content', detail }]);
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
