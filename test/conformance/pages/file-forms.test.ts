import { expect, test } from '@jest/globals';
import { BROWSER, formsOf, headingOf, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Forms for files. Source: Specification 5.5. */
underTest();

/** A multipart body in the form that browsers send. */
function upload(key: string | undefined, files: Record<string, string>) {
  const disposition = (more: string) => `--b\r\nContent-Disposition: form-data; ${more}`;
  const parts = [
    ...(key === undefined ? [] : [`${disposition('name=":idempotency-key"')}\r\n\r\n${key}\r\n`]),
    ...Object.entries(files).map(
      ([name, text]) =>
        `${disposition(`name="file"; filename="${name}"`)}\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`,
    ),
  ];
  const headers = { ...BROWSER, 'Content-Type': 'multipart/form-data; boundary=b' };
  return send('POST', '/files', { headers, body: `${parts.join('')}--b--\r\n` });
}

const browse = (path: string) => get(path, BROWSER);

test('the page of /files has forms for upload and deletion', async () => {
  const name = `${unique('ü')} & "b".txt`.replaceAll('"', '%22');
  const form = formsOf((await browse('/files')).text).find(({ action }) => action === '/files');
  expect(form).toMatchObject({ method: 'post', enctype: 'multipart/form-data' });
  const stored = await upload(form?.inputs.get(':idempotency-key'), { [name]: 'hello' });
  expect([stored.status, stored.headers.location]).toEqual([303, '/files?:done=stored&:made=1']);

  const encoded = encodeURIComponent(name.replaceAll('%22', '"'));
  const path = `/files/${encoded}`;
  expect((await browse(path)).text).toBe('hello');
  expect((await browse(`/files?filename=${encoded}`)).text).toContain(`<td><a href="${path}/delete">Delete<`);
  const remove = formsOf((await browse(`${path}/delete`)).text).find(
    ({ action }) => action === `${path}/delete`,
  );
  const gone = await send('POST', remove?.action ?? '', {
    headers: { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: urlencoded(remove?.inputs ?? []),
  });
  expect([gone.status, gone.headers.location]).toEqual([303, '/files?:done=deleted']);
  expectProblem(await get(path), 404);
});

test('a browser confirms a deletion first, and an API client gets 204, then 404', async () => {
  const path = `/files/${unique('f')}`;
  await send('PUT', path, { body: 'x' });
  const page = await get(`${path}/delete`);
  expect(headingOf(page.text)).toBe(`Delete ${path.slice('/files/'.length)}?`);
  expect((await get(path)).text).toBe('x');
  expectProblem(await get(`${path}/delete`, { Accept: 'image/png' }), 406);
  expect((await send('POST', `${path}/delete`)).status).toBe(204);
  expectProblem(await send('POST', `${path}/delete`), 404);
  expectProblem(await get(`${path}/delete`), 404);
});

test('a double click uploads or deletes once, and both responses succeed', async () => {
  const [key, name] = [unique('k'), unique('f')];
  const both = await Promise.all([upload(key, { [name]: 'x' }), upload(key, { [name]: 'x' })]);
  for (const { status } of both) expect([303, 409]).toContain(status);
  expect((await upload(key, { [name]: 'x' })).headers['idempotency-replayed']).toBe('true');
  expect((await upload(key, { [name]: 'y' })).status).toBe(422);
  expect((await get(`/files/${name}`)).text).toBe('x');
  const headers = { 'Idempotency-Key': unique('k') };
  for (let click = 0; click < 2; click += 1)
    expect((await send('POST', `/files/${name}/delete`, { headers })).status).toBe(204);
});

test('a failed upload gets a page with the error', async () => {
  const refused = await upload(undefined, { 'a/..': 'x' });
  expect([refused.status, refused.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
  expect((await upload(undefined, { '': '' })).status).toBe(400);
});

test('/files/new is a file of that name and not a form', async () => {
  expectProblem(await get('/files/new'), 404);
  expect((await send('PUT', '/files/new', { body: 'x' })).status).toBe(201);
  expect((await browse('/files/new')).text).toBe('x');
  await send('DELETE', '/files/new');
});

// Specification 2.48
test('a text in UTF-8 from a page gets this charset, and other bytes and requests of API clients get none', async () => {
  const typeOf = async (name: string) => (await get(`/files/${name}`)).headers['content-type'];
  const [page, api] = [unique('page'), unique('api')];
  await upload(unique('k'), { [page]: '“hello”' });
  expect(await typeOf(page)).toBe('text/plain; charset=utf-8');
  await upload(undefined, { [api]: '“hello”' });
  expect(await typeOf(api)).toBe('text/plain');
  const body = Buffer.concat(
    [
      '--b\r\nContent-Disposition: form-data; name=":idempotency-key"\r\n\r\nk',
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${api}"\r\nContent-Type: text/markdown\r\n\r\n`,
    ]
      .map((text) => Buffer.from(text))
      .flatMap((one, at) =>
        at === 0 ? [one, Buffer.from('\r\n')] : [one, Buffer.from([0xe9]), Buffer.from('\r\n--b--\r\n')],
      ),
  );
  await send('POST', '/files', {
    headers: { ...BROWSER, 'Content-Type': 'multipart/form-data; boundary=b' },
    body,
  });
  expect(await typeOf(api)).toBe('text/markdown');
});
