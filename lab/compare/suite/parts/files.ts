import { createHash, randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Api, unique } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, present, refusal, same } from '../verdict.ts';

const TEXT = '0123456789abcdefghij';
const stored = (api: Api, body: Buffer | string = TEXT) => api.file(body);
const pathIn = (api: Api) => {
  const path = present(
    present(api.adapter.files, 'files').path,
    'PUT of a file at a URI that the client chooses',
  );
  return path(unique());
};
const put = (api: Api, path: string, body: Buffer | string, headers: OutgoingHttpHeaders = {}) =>
  api.ask('PUT', path, { body, headers: { 'Content-Type': 'application/octet-stream', ...headers } });
const tagOf = async (api: Api, path: string) => present(ok(await api.get(path), 200).headers.etag, 'ETag');
const sha256 = (bytes: Buffer | string) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** A range, and the bytes of the text that the 206 must have. */
const RANGES: readonly (readonly [range: string, first: number, last: number, what: string])[] = [
  ['bytes=0-4', 0, 4, 'the first five bytes'],
  ['bytes=0-0', 0, 0, 'the first byte alone'],
  ['bytes=5-', 5, 19, 'all bytes from the sixth on'],
  ['bytes=-3', 17, 19, 'the last three bytes'],
  ['bytes=-99', 0, 19, 'more last bytes than there are'],
  ['bytes=15-99', 15, 19, 'an end after the last byte'],
  ['bytes=19-19', 19, 19, 'the last byte alone'],
  ['BYTES=0-4', 0, 4, 'a unit in capitals'],
];

/** Values of Range that do not count. */
const IGNORED: readonly (readonly [range: string, what: string])[] = [
  ['bytes=4-2', 'an end before its start'],
  ['bytes=a-b', 'letters'],
  ['lines=0-1', 'another unit'],
  ['bytes 0-4', 'no ='],
];

/** A stored file of an API with ranges. @throws NotOffered */
async function rangedFile(api: Api, body: Buffer | string = TEXT): Promise<string> {
  const path = await stored(api, body);
  const { status } = await api.get(path, { Range: 'bytes=0-4' });
  present(status === 200 ? undefined : status, 'ranges');
  return path;
}
const ranged = async (api: Api, headers: OutgoingHttpHeaders, ...statuses: readonly number[]) => {
  const path = await rangedFile(api);
  return ok(await api.get(path, headers), ...statuses);
};

export const files = part('files and ranges', [
  met('the bytes of a file come back', 'C.66', async (api) => {
    const bytes = randomBytes(70_000);
    must(ok(await api.get(await stored(api, bytes)), 200).bytes.equals(bytes), 'the bytes differ');
  }),
  met('a file keeps its media type', 'RFC 9110 §8.3', async (api) => {
    const path = await api.file('{"a":1}', 'application/json', `${unique()}.json`);
    must(
      /^application\/json/.test(ok(await api.get(path), 200).headers['content-type'] ?? ''),
      'another type',
    );
  }),
  met('a file has Content-Length', 'RFC 9110 §8.6', async (api) =>
    same(ok(await api.get(await stored(api)), 200).headers['content-length'], '20'),
  ),
  met('HEAD of a file has its total size and no content', 'C.101', async (api) => {
    const { headers, text } = ok(await api.ask('HEAD', await stored(api)), 200);
    same([headers['content-length'], text], ['20', '']);
  }),
  met('a file has an entity tag', 'RFC 9110 §8.8.3', async (api) => tagOf(api, await stored(api))),
  met('a file has Last-Modified', 'RFC 9110 §8.8.2', async (api) => {
    const path = await stored(api);
    // An API may give no date in the second of a change (RFC 9110 §8.8.2.2).
    await setTimeout(1100);
    present(ok(await api.get(path), 200).headers['last-modified'], 'Last-Modified');
  }),
  met('a file with its tag in If-None-Match gets 304', 'RFC 9110 §13.1.2', async (api) => {
    const path = await stored(api);
    ok(await api.get(path, { 'If-None-Match': await tagOf(api, path) }), 304);
  }),
  met('a page of HTML in a file cannot run as a page of the API', '5.21', async (api) => {
    const { headers } = ok(
      await api.get(await api.file('<script>1</script>', 'text/html', `${unique()}.html`)),
      200,
    );
    const policy = headers['content-security-policy'] ?? '';
    const safe =
      /sandbox|default-src 'none'/.test(policy) || /^attachment/.test(headers['content-disposition'] ?? '');
    must(safe, 'neither a policy nor an attachment');
  }),
  met('a file has X-Content-Type-Options: nosniff', '5.21', async (api) =>
    same(ok(await api.get(await stored(api)), 200).headers['x-content-type-options'], 'nosniff'),
  ),
  met('a file has a digest of its bytes', 'RFC 9530 §3', async (api) => {
    const { headers } = ok(await api.get(await stored(api)), 200);
    const digest = headers['repr-digest'] ?? headers['content-digest'];
    must(present(digest, 'digest').includes(sha256(TEXT)), `the digest is ${digest}`);
  }),
  met('files have a list', 'C.65', async (api) => {
    const path = present(present(api.adapter.files, 'files').list, 'list of files');
    await stored(api);
    must(ok(await api.get(path), 200).text.length > 20, 'the list is empty');
  }),
  refuses(
    'GET of a missing file with 404',
    'RFC 9110 §15.5.5',
    async (api) => ok(await api.get(await stored(api)), 200),
    async (api) => refusal(await api.get(`${await stored(api)}x`), 404),
  ),
  met('a file can have a name in any script', '5.2', async (api) => {
    const path = await api.file(TEXT, 'text/plain', `${unique()} Łódź 東京.txt`);
    same(ok(await api.get(path), 200).text, TEXT);
  }),
  met('a client creates a file by PUT at its own URI: 201', 'C.67, C.111', async (api) =>
    ok(await put(api, pathIn(api), TEXT), 201),
  ),
  met('a second PUT replaces the file: 200 or 204', 'C.67, C.112', async (api) => {
    const path = pathIn(api);
    ok(await put(api, path, TEXT), 201);
    ok(await put(api, path, 'other'), 200, 204);
    same(ok(await api.get(path), 200).text, 'other');
  }),
  met('DELETE removes a file: 204, then 404', 'C.68', async (api) => {
    const path = pathIn(api);
    ok(await put(api, path, TEXT), 201);
    ok(await api.ask('DELETE', path), 204);
    refusal(await api.get(path), 404, 410);
  }),
  ...(
    [
      [
        'PUT with If-None-Match: * over a file',
        async () => ({ 'If-None-Match': '*' }),
        412,
        'RFC 9110 §13.1.2',
      ],
      ['PUT with If-Match and another tag', async () => ({ 'If-Match': '"1234"' }), 412, 'RFC 9110 §13.1.1'],
      [
        'PUT with a wrong Content-Digest',
        async () => ({ 'Content-Digest': sha256('other') }),
        400,
        'RFC 9530 §2, 5.8',
      ],
      ['PUT with Content-Range', async () => ({ 'Content-Range': 'bytes 0-1/20' }), 400, 'RFC 9110 §14.5'],
    ] as const
  ).map(([what, fields, status, source]) =>
    refuses(
      `${what}: ${status}`,
      source,
      async (api) => ok(await put(api, pathIn(api), TEXT), 201),
      async (api) => {
        const path = pathIn(api);
        ok(await put(api, path, TEXT), 201);
        refusal(await put(api, path, 'xy', await fields()), status);
        same(ok(await api.get(path), 200).text, TEXT);
      },
    ),
  ),
  met('PUT with If-Match and the tag replaces the file', 'RFC 9110 §13.1.1', async (api) => {
    const path = pathIn(api);
    ok(await put(api, path, TEXT), 201);
    ok(await put(api, path, 'other', { 'If-Match': await tagOf(api, path) }), 200, 204);
  }),
  met('a form registers several files by one request', 'C.69', async (api) => {
    const list = present(present(api.adapter.files, 'files').list, 'list of files');
    const [one, two, mark] = [unique(), unique(), unique()];
    const partOf = (name: string) =>
      `--${mark}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${name}\r\n`;
    const body = `${partOf(one)}${partOf(two)}--${mark}--\r\n`;
    const headers = { 'Content-Type': `multipart/form-data; boundary=${mark}` };
    ok(await api.ask('POST', list, { body, headers }), 200, 201);
    const path = present(present(api.adapter.files, 'files').path, 'URI of a file by its name');
    for (const name of [one, two]) same(ok(await api.get(path(name)), 200).text, name);
  }),
  met('a file has Accept-Ranges: bytes', 'RFC 9110 §14.3, C.100', async (api) =>
    same(ok(await api.get(await stored(api)), 200).headers['accept-ranges'], 'bytes'),
  ),
  ...RANGES.map(([Range, first, last, what]) =>
    met(`a range with ${what} gets 206`, 'RFC 9110 §14.1.2, C.102', async (api) => {
      const { headers, text } = ok(await api.get(await rangedFile(api), { Range }), 206);
      same([text, headers['content-range']], [TEXT.slice(first, last + 1), `bytes ${first}-${last}/20`]);
    }),
  ),
  met('a 206 has the number of its own bytes as Content-Length', 'C.103', async (api) =>
    same((await ranged(api, { Range: 'bytes=0-4' }, 206)).headers['content-length'], '5'),
  ),
  ...IGNORED.map(([Range, what]) =>
    met(`a Range with ${what} gets no 206 and no 5xx`, 'RFC 9110 §14.2', async (api) =>
      ranged(api, { Range }, 200, 400, 416),
    ),
  ),
  ...[
    ['bytes=20-', 'that begins after the last byte'],
    ['bytes=-0', 'of the last 0 bytes'],
  ].map(([Range, what]) =>
    refuses(
      `a range ${what}: 416 with the size`,
      'RFC 9110 §15.5.17, §14.4',
      async (api) => ranged(api, { Range: 'bytes=0-4' }, 206),
      async (api) =>
        same(
          refusal(await api.get(await stored(api), { Range }), 416).headers['content-range'],
          'bytes */20',
        ),
    ),
  ),
  met('two ranges get multipart/byteranges with both', 'RFC 9110 §14.6', async (api) => {
    const { headers, text } = await ranged(api, { Range: 'bytes=0-1,5-6' }, 206);
    must(/^multipart\/byteranges; *boundary=/.test(headers['content-type'] ?? ''), 'no multipart/byteranges');
    for (const range of ['bytes 0-1/20', 'bytes 5-6/20']) must(text.includes(range), `no ${range}`);
  }),
  met(
    '100 overlapping ranges do not make a longer response than the file',
    'RFC 9110 §14.2, §17.15',
    async (api) => {
      const bytes = randomBytes(100_000);
      const path = await rangedFile(api, bytes);
      const Range = `bytes=${Array.from({ length: 100 }, () => '0-').join(',')}`;
      must((await api.get(path, { Range })).bytes.length < 3 * bytes.length, 'the response is much longer');
    },
  ),
  met('HEAD ignores Range', 'RFC 9110 §14.2, 15.5', async (api) => {
    const path = await rangedFile(api);
    same(
      ok(await api.ask('HEAD', path, { headers: { Range: 'bytes=0-4' } }), 200).headers['content-length'],
      '20',
    );
  }),
  ...(
    [
      ['the tag', 206, async (api: Api, path: string) => tagOf(api, path)],
      ['another tag', 200, async () => '"1234"'],
      ['the tag as a weak one', 200, async (api: Api, path: string) => `W/${await tagOf(api, path)}`],
      ['a date in the past', 200, async () => 'Thu, 01 Jan 2015 00:00:00 GMT'],
    ] as const
  ).map(([what, status, value]) =>
    met(`If-Range with ${what} gets ${status}`, 'RFC 9110 §13.1.5', async (api) => {
      const path = await rangedFile(api);
      ok(await api.get(path, { Range: 'bytes=0-4', 'If-Range': await value(api, path) }), status);
    }),
  ),
  met('If-None-Match comes before Range: 304', 'RFC 9110 §13.2.2', async (api) => {
    const path = await rangedFile(api);
    const tag = await tagOf(api, path);
    ok(await api.get(path, { Range: 'bytes=0-4', 'If-None-Match': tag }), 304);
  }),
]);
