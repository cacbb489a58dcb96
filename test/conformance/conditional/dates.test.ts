import { expect, test } from '@jest/globals';
import { create, dated, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const PNG = { 'Content-Type': 'image/png' };

/** For each kind of representation with a date: its path, and a change of it. */
const KINDS = {
  item: async () => {
    const { path } = await create('/members', { name: unique('date') });
    return {
      path,
      body: () => JSON.stringify({ name: unique('date') }),
      headers: { 'Content-Type': 'application/json' },
    };
  },
  file: async () => ({ path: `/files/${unique('date')}`, body: () => unique('bytes'), headers: {} }),
  photo: async () => {
    const { path } = await create('/members', { name: unique('date') });
    return { path: `${path}?fields=photo`, body: () => unique('bytes'), headers: PNG };
  },
};

// RFC 9110 §8.8.2.2. Specification 3.10
test.each(['item', 'file', 'photo'] as const)(
  'of two changes of the %s, the second one is never hidden from a client with dates',
  async (kind) => {
    const { path, body, headers } = await KINDS[kind]();
    const change = (more: object = {}) =>
      send('PUT', path, { body: body(), headers: { ...headers, ...more } });
    expect([200, 201]).toContain((await change()).status);
    const first = await get(path);
    expect([200, 201]).toContain((await change()).status);
    for (const date of new Set([first.headers['last-modified'] ?? first.headers.date, first.headers.date])) {
      for (const method of ['GET', 'HEAD'])
        expect((await send(method, path, { headers: { 'If-Modified-Since': date ?? '' } })).status).toBe(200);
      expect((await get(path, { 'If-Unmodified-Since': date ?? '' })).status).toBe(412);
      expect((await change({ 'If-Unmodified-Since': date ?? '' })).status).toBe(412);
    }
    const settled = await dated(path);
    const date = settled.headers['last-modified'] ?? '';
    // RFC 9110 §8.8.2.1: not later than the message.
    expect(Date.parse(date)).toBeLessThanOrEqual(Date.parse(settled.headers.date ?? ''));
    const unchanged = await get(path, { 'If-Modified-Since': date });
    expect([unchanged.status, unchanged.headers['last-modified']]).toEqual([304, date]);
    expect((await change({ 'If-Unmodified-Since': date })).status).toBe(200);
  },
);

// Specification 3.10
test('the return of earlier bytes is a change for a client with dates', async () => {
  const { path } = await create('/members', { name: unique('date') });
  const photo = `${path}?fields=photo`;
  for (const body of ['one', 'two'])
    expect([200, 201]).toContain((await send('PUT', photo, { body, headers: PNG })).status);
  const date = (await dated(photo)).headers['last-modified'] ?? '';
  expect((await send('POST', `${path}/versions/2/restore`)).status).toBe(200);
  expect((await get(photo, { 'If-Unmodified-Since': date })).status).toBe(412);
  const seen = await get(photo, { 'If-Modified-Since': date });
  expect([seen.status, seen.text]).toEqual([200, 'one']);
});
