import { describe, expect, test } from '@jest/globals';
import { type FormPart, form } from '../../../support/client/form.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { get, underTest, unique } from '../../../support/service/under-test.ts';
import { items, pathOf, post } from './requests.ts';

underTest();

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
    expectProblem(await post(others), 413);
    expectProblem(await get(pathOf(`${more}2`)), 404);
    const lenient = await post(others, { Prefer: 'handling=lenient' });
    expect(items(lenient).map(({ status }) => status)).toEqual([413, 201]);
    expectProblem(await get(pathOf(more)), 404);
  });
});
