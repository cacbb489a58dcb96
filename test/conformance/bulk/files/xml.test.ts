import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../../support/client/problem.ts';
import { get, underTest, unique } from '../../../support/service/under-test.ts';
import { items, pathOf, post, XML } from './requests.ts';

underTest();

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
    ['an unknown property', file('never', '<content/><mediaType>a/b</mediaType>'), ['/mediaType']],
    ['another size', file('never', '<content>ab</content><size>3</size>'), ['/size']],
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
