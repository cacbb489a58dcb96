import { describe, expect, test } from '@jest/globals';
import { JSON_PATCH, MERGE_PATCH } from '../../../support/client/patches.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { get, send, underTest } from '../../../support/service/under-test.ts';
import { bytesAt, FACTS, member, put, shownIn, withPhoto } from './photos.ts';

underTest();

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
    expect(
      (await send('PATCH', one.path, { json: { ...shown, name: 'd' }, headers: MERGE_PATCH })).status,
    ).toBe(200);
    expect((await send('POST', one.path, { json: { photo: shown.photo, age: 3 } })).status).toBe(200);
    expect((await get(bytesAt(one))).headers.etag).toBe(etag);
    expect((await get(bytesAt(one, 'scan'))).status).toBe(200);
  });

  // Specification 2.25. The image would be lost in silence.
  test.each([
    ['POST', '/members', (photo: unknown) => ({ name: 'copy', photo })],
    ['POST', '/members', (photo: unknown) => [{ name: 'copy', photo }]],
    ['PUT', '', (photo: unknown) => ({ name: 'copy', photo })],
    ['POST', '', (photo: unknown) => ({ photo })],
  ])('with the object of another item gets 400: %s %s', async (method, path, json) => {
    const [one, other] = [await withPhoto(), await withPhoto()];
    const answer = await send(method, path || other.path, { json: json(await shownIn(one)) });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([
      {
        pointer: Array.isArray(json(1)) ? '/0/photo' : '/photo',
        detail: 'must be a data: URI, null, or the object that GET of this item shows',
      },
    ]);
    expect(await shownIn(other)).toMatchObject(FACTS);
  });

  // Specification 2.24
  test('with an undeclared object of this form keeps it as data, unless the item has such bytes', async () => {
    const one = await member();
    await put(bytesAt(one, 'scan'));
    const scan = await shownIn(one, 'scan');
    const copy = await send('POST', '/members', { json: { name: 'copy', scan } });
    expect([copy.status, copy.json().scan]).toEqual([201, scan]);
    const other = await member();
    const changed = await send('PATCH', other.path, { json: { scan }, headers: MERGE_PATCH });
    expect([changed.status, changed.json().scan]).toEqual([200, scan]);
    const wrong = { scan: { contentType: 'text/html' } };
    const refused = await send('PATCH', one.path, { json: wrong, headers: MERGE_PATCH });
    expectProblem(refused, 400, 'validation-error');
    expect(refused.json().errors).toMatchObject([{ pointer: '/scan' }]);
    expect(await shownIn(one, 'scan')).toEqual(scan);
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
    ['PATCH', { photo: null }, MERGE_PATCH],
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

  test('with null changes nothing if the item has no bytes', async () => {
    const one = await member();
    expect(
      (await send('PATCH', one.path, { json: { photo: null }, headers: MERGE_PATCH })).headers.etag,
    ).toBe(one.etag);
    expect((await send('POST', '/members', { json: { name: 'x', photo: null } })).status).toBe(201);
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

// Specification 2.50
test.each(['POST', 'PUT', 'merge patch', 'change', 'element'])(
  'a faulty binary property in a %s does not hide other faults',
  async (kind) => {
    const { path } = await member();
    const json = { age: 'x', username: 4, photo: 'q' };
    const answer =
      kind === 'POST'
        ? await send('POST', '/members', { json })
        : kind === 'element'
          ? await send('POST', '/members', { json: [{ name: 'a' }, json] })
          : kind === 'merge patch'
            ? await send('PATCH', path, { json, headers: MERGE_PATCH })
            : await send(kind === 'PUT' ? 'PUT' : 'POST', path, { json });
    expectProblem(answer, 400, 'validation-error');
    const at = kind === 'element' ? '/1' : '';
    expect(
      answer
        .json()
        .errors?.map(({ pointer }) => pointer)
        .sort(),
    ).toEqual([`${at}/age`, `${at}/photo`, `${at}/username`]);
  },
);
