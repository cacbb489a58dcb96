import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { onAws } from '../../support/differences.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

// Specification 16.11 to 16.13
underTest();

const put = async (path: string, text: string, type = 'text/plain') => {
  const { status } = await send('PUT', path, { headers: { 'Content-Type': type }, body: Buffer.from(text) });
  expect([200, 201]).toContain(status);
};

/** A file with two versions: `one`, then `two`. */
async function changed(): Promise<string> {
  const path = `/files/${encodeURIComponent(`${unique('ä file')}.txt`)}`;
  await put(path, 'one');
  await put(path, 'two');
  return path;
}

/** The entries of the list, newest first. */
const entriesOf = async (path: string) =>
  (await get(`${path}/versions`)).json().items.map(({ version, href, change, size, time }) => ({
    version: String(version),
    href: href === undefined ? '' : String(href),
    change,
    size,
    time: String(time),
  }));

const linksOf = (header: string | undefined): string[] => (header ?? '').split(/,\s*(?=<)/);

// Specification 16.11
describe('the list of versions of a file', () => {
  const hasAll = onAws('a list of versions continues after a removal');
  hasAll('has the newest version first, and continues at next', async () => {
    const path = await changed();
    const entries = await entriesOf(path);
    expect(entries).toMatchObject([
      { change: 'updated', size: 3 },
      { change: 'created', size: 3 },
    ]);
    for (const { version, href } of entries) expect(href).toBe(`${path}/versions/${version}`);
    expect((await send('DELETE', path)).status).toBe(204);
    const seen: unknown[] = [];
    for (let next: string | undefined = `${path}/versions?limit=1`; next && seen.length < 9; ) {
      const { items, links } = (await get(next)).json();
      seen.push(...items.map(({ change }) => change));
      next = links.find(({ rel }) => rel === 'next')?.href;
    }
    expect(seen).toEqual(['removed', 'updated', 'created']);
  });

  test('has no versions of a file with a longer name', async () => {
    const path = await changed();
    await put(`${path}.copy`, 'other');
    expect(await entriesOf(path)).toHaveLength(2);
    expect(await entriesOf(`${path}.copy`)).toHaveLength(1);
  });

  // RFC 7089 §5
  test('is a TimeMap in application/link-format', async () => {
    const path = await changed();
    const { headers, text } = await get(`${path}/versions`, { Accept: 'application/link-format' });
    expect(headers['content-type']).toBe('application/link-format');
    expect(text).toContain(`<${path}>; rel="original timegate"`);
    expect(text.match(/rel="memento"; datetime="[A-Z][a-z]{2}, [^"]+ GMT"/g)).toHaveLength(2);
  });

  test('is missing if there never was such a file, and a query without meaning gets 400', async () => {
    expectProblem(await get(`/files/${unique('never')}/versions`), 404);
    const path = await changed();
    expectProblem(await get(`${path}/versions?limit=x`), 400);
    expectProblem(await get(`${path}/versions?after=${encodeURIComponent('ä')}`), 400);
    expectProblem(await send('POST', `${path}/versions`), 405);
  });
});

// Specification 16.11
describe('a version of a file', () => {
  test('has the bytes of that time for ever, with Memento-Datetime and links', async () => {
    const path = await changed();
    const [, first] = await entriesOf(path);
    await put(path, '<p>', 'text/html');
    const { status, text, headers } = await get(first?.href ?? '');
    expect({ status, text }).toEqual({ status: 200, text: 'one' });
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'private, max-age=31536000, immutable',
      'memento-datetime': new Date(first?.time ?? '').toUTCString(),
    });
    expect(linksOf(headers.link)).toEqual([
      `<${path}/versions>; rel="version-history timemap"`,
      `<${path}>; rel="original timegate"`,
    ]);
    const unchanged = await get(first?.href ?? '', { 'If-None-Match': headers.etag });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers['cache-control']).toContain('immutable');
    const part = await get(first?.href ?? '', { Range: 'bytes=1-1' });
    expect([part.status, part.text]).toEqual([206, 'n']);
    expect((await send('HEAD', first?.href ?? '')).headers['content-length']).toBe('3');
  });

  test('is missing under another text, and after a removal under its number', async () => {
    const path = await changed();
    expect((await send('DELETE', path)).status).toBe(204);
    const [removal] = await entriesOf(path);
    for (const version of ['null', '1', 'other', removal?.version])
      expectProblem(await get(`${path}/versions/${version}`), 404);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expectProblem(await send(method, `${path}/versions/1`), 405);
  });
});

// Specification 16.12
describe('Accept-Datetime on a file', () => {
  test('leads to the version of that time', async () => {
    const path = await changed();
    const now = new Date(Date.now() + 1000).toUTCString();
    const present = await get(path);
    expect(linksOf(present.headers.link)).toContain(`<${path}/versions>; rel="version-history timemap"`);
    expect(present.headers.vary).toContain('Accept-Datetime');
    // RFC 9110 §15.4.5
    const unchanged = await get(path, { 'If-None-Match': present.headers.etag });
    expect([unchanged.status, unchanged.headers.vary]).toEqual([304, present.headers.vary]);
    const { status, headers } = await get(path, { 'Accept-Datetime': now });
    expect(status).toBe(302);
    expect(headers.vary).toContain('Accept-Datetime');
    expect((await get(headers.location ?? '')).text).toBe('two');
    const before = await get(path, { 'Accept-Datetime': 'Sun, 06 Nov 1994 08:49:37 GMT' });
    expectProblem(before, 404);
    expect(before.headers.link).toContain(`<${path}/versions>; rel="version-history"`);
    expectProblem(await get(path, { 'Accept-Datetime': 'yesterday' }), 400);
  });
});

// Specification 16.13
describe('restoration of a file', () => {
  test('stores the bytes and the media type as a new version', async () => {
    const path = await changed();
    await put(path, '<p>', 'text/html');
    const [, , first] = await entriesOf(path);
    const { headers: present } = await get(path);
    const stale = { headers: { 'If-Match': '"0"' } };
    expectProblem(await send('POST', `${first?.href}/restore`, stale), 412);
    const { status, headers, json } = await send('POST', `${first?.href}/restore`, {
      headers: { 'If-Match': present.etag },
    });
    expect(status).toBe(200);
    expect(json()).toMatchObject({ size: 3, contentType: 'text/plain' });
    const after = await get(path);
    expect([after.text, after.headers['content-type']]).toEqual(['one', 'text/plain']);
    expect(after.headers.etag).toBe(headers.etag);
    expect(await entriesOf(path)).toHaveLength(4);
  });

  test('undoes a removal at once', async () => {
    const path = await changed();
    expect((await send('DELETE', path)).status).toBe(204);
    const gone = await get(path);
    expectProblem(gone, 404);
    expect(gone.headers.link).toBe(`<${path}/versions>; rel="version-history"`);
    const [, last] = await entriesOf(path);
    const conditional = { headers: { 'If-Match': '"0"' } };
    expectProblem(await send('POST', `${last?.href}/restore`, conditional), 412);
    const key = { headers: { 'Idempotency-Key': `"${unique('undo')}"` } };
    const { status, headers } = await send('POST', `${last?.href}/restore`, key);
    expect([status, headers.location]).toEqual([201, path]);
    expect((await send('POST', `${last?.href}/restore`, key)).headers['idempotency-replayed']).toBe('true');
    expect((await get(path)).text).toBe('two');
    expect((await get(`/files?filename=${path.slice('/files/'.length)}`)).json().items).toHaveLength(1);
    expect(await entriesOf(path)).toMatchObject([
      { change: 'created' },
      { change: 'removed' },
      { change: 'updated' },
      { change: 'created' },
    ]);
  });

  test('of an unknown version gets 404', async () => {
    const path = await changed();
    expectProblem(await send('POST', `${path}/versions/1/restore`), 404);
  });
});

// Specification 16.13
test('pages: a file has a history with buttons that restore, and the list leads there', async () => {
  const path = await changed();
  const html = { Accept: 'text/html' };
  const list = await get(`/files?filename=${path.slice('/files/'.length)}`, html);
  expect(list.text).toContain(`<a href="${path}/versions">History`);
  const { status, text } = await get(`${path}/versions`, html);
  expect(status).toBe(200);
  const [, first] = await entriesOf(path);
  expect(text).toContain(`action="${first?.href}/restore"`);
  expect(text).toContain('ä file');
  const form = { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' };
  const sent = await send('POST', `${first?.href}/restore`, { headers: form, body: '' });
  expect(sent.status).toBe(303);
  expect(sent.headers.location).toMatch(/^\/files\?/);
  expect((await get(path)).text).toBe('one');
});
