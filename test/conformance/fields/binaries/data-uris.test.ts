import { describe, expect, test } from '@jest/globals';
import { JSON_PATCH, MERGE_PATCH } from '../../../support/client/patches.ts';
import { expectProblem } from '../../../support/client/problem.ts';
import { create, get, send, underTest } from '../../../support/service/under-test.ts';
import { bytesAt, FACTS, member, PNG, SVG, shownIn } from './photos.ts';

underTest();

// Specification 2.25
describe('a data: URI', () => {
  const uri = `data:image/png;base64,${PNG.toString('base64')}`;

  test.each([
    ['PUT', { name: 'x', photo: uri }, {}],
    ['POST', { photo: uri }, {}],
    ['PATCH', { photo: uri }, MERGE_PATCH],
    ['PATCH', [{ op: 'add', path: '/photo', value: uri }], JSON_PATCH],
  ])('sets the bytes: %s', async (method, json, headers) => {
    const one = await member();
    const answer = await send(method, one.path, { json, headers });
    expect([answer.status, answer.json().photo]).toEqual([200, expect.objectContaining(FACTS)]);
    expect((await get(bytesAt(one))).bytes.equals(PNG)).toBe(true);
  });

  test('sets the bytes of a new item', async () => {
    const answer = await send('POST', '/members', { json: { photo: uri } });
    expect([answer.status, answer.json().photo]).toEqual([201, expect.objectContaining(FACTS)]);
    const xml = `<member><photo>${uri}</photo></member>`;
    const other = await send('POST', '/members', {
      body: xml,
      headers: { 'Content-Type': 'application/xml' },
    });
    expect([other.status, other.json().photo]).toEqual([201, expect.objectContaining(FACTS)]);
  });

  test('can have text that is percent-encoded', async () => {
    const one = await create('/members', {
      photo: `data:image/svg+xml,${encodeURIComponent(SVG.toString())}`,
    });
    expect((await get(bytesAt(one))).bytes.equals(SVG)).toBe(true);
  });

  test.each([
    'ada.png',
    'https://example.org/ada.png',
    '',
    'data:text/plain;base64,aGk=',
    'data:,hi',
    'data:image/png;base64,!!!',
    'data:image/png;base64',
    'data:image/,x',
    'data:image/svg+xml,%zz',
    7,
    true,
    [uri],
    { data: uri },
    { href: '/members/1', contentType: 'image/png' },
  ])('is the only value that sets bytes: %j gets 400 with its pointer', async (photo) => {
    const one = await member();
    const errors = [{ pointer: '/photo', detail: expect.any(String) }];
    const requests = [
      await send('POST', '/members', { json: { name: 'x', photo } }),
      await send('PUT', one.path, { json: { name: 'x', photo } }),
      await send('POST', one.path, { json: { photo } }),
      await send('PATCH', one.path, {
        json: [{ op: 'add', path: '/photo', value: photo }],
        headers: JSON_PATCH,
      }),
    ];
    for (const answer of requests) {
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual(errors);
    }
    expect((await get(one.path)).headers.etag).toBe(one.etag);
  });

  test('sets bytes in a patch, and a changed object of a representation gets 400', async () => {
    const one = await member();
    await send('PATCH', one.path, { json: { photo: uri }, headers: MERGE_PATCH });
    const shown = await get(one.path);
    for (const photo of [{ size: 9 }, { contentType: 'text/html' }, { href: null }]) {
      const answer = await send('PATCH', one.path, { json: { photo }, headers: MERGE_PATCH });
      expectProblem(answer, 400, 'validation-error');
      expect(answer.json().errors).toEqual([{ pointer: '/photo', detail: expect.any(String) }]);
    }
    const same = { photo: shown.json().photo, name: 'same' };
    expect((await send('PATCH', one.path, { json: same, headers: MERGE_PATCH })).status).toBe(200);
    expect((await get(bytesAt(one))).bytes.equals(PNG)).toBe(true);
  });

  test('in an undeclared property is a text', async () => {
    const one = await create('/members', { name: 'x', logo: uri });
    expect(await shownIn(one, 'logo')).toBe(uri);
  });

  test('is part of the items of a list', async () => {
    const answer = await send('POST', '/members', { json: [{ name: 'a', photo: uri }, { name: 'b' }] });
    expect(answer.status).toBe(201);
    const [one, other] = answer.json().items;
    expect(one?.photo).toMatchObject(FACTS);
    expect(other?.photo).toBeUndefined();
    expect((await get(`/members/${one?.id}?fields=photo`)).bytes.equals(PNG)).toBe(true);
    const faulty = await send('POST', '/members', { json: [{ name: 'a' }, { photo: 'x' }] });
    expectProblem(faulty, 400);
    expect(faulty.json().errors).toEqual([{ pointer: '/1/photo', detail: expect.any(String) }]);
  });
});
