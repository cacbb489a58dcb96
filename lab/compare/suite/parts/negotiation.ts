import { gunzipSync, gzipSync } from 'node:zlib';
import { type Api, sample } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, present, refusal, same } from '../verdict.ts';

const typeOf = (answer: { headers: Readonly<Record<string, string | undefined>> }): string =>
  answer.headers['content-type'] ?? '';
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
const XML_TYPE = /^(?:application|text)\/xml\b/i;

const getWith = async (api: Api, accept: string | undefined) =>
  api.get((await api.make('members')).path, { Accept: accept });

/** @throws NotOffered if the API sends another type than XML */
async function offersXml(api: Api): Promise<void> {
  const { headers } = ok(await getWith(api, 'application/xml'), 200);
  present(XML_TYPE.exec(headers['content-type'] ?? ''), 'XML');
}

/** Values of Accept, and the type that a response of the API must then have. */
const ACCEPTED: readonly (readonly [
  accept: string | undefined,
  type: RegExp,
  says: string,
  source: string,
])[] = [
  [undefined, JSON_TYPE, 'no Accept gets JSON', '2.46'],
  ['*/*', JSON_TYPE, 'Accept: */* gets JSON', 'RFC 9110 §12.5.1'],
  ['application/*', JSON_TYPE, 'Accept: application/* gets JSON', 'RFC 9110 §12.5.1'],
  ['APPLICATION/JSON', JSON_TYPE, 'the names of media types have no case', 'RFC 9110 §8.3.1'],
  ['application/json; q=0.1', JSON_TYPE, 'a low q-value is still accepted', 'RFC 9110 §12.4.2'],
  ['video/mp4, application/json', JSON_TYPE, 'one known type in a list is enough', 'RFC 9110 §12.5.1'],
  [
    'application/json;q=0.5,video/mp4;q=0.9',
    JSON_TYPE,
    'an unknown type with a higher q-value does not matter',
    'RFC 9110 §12.5.1',
  ],
  [' application/json ,, ', JSON_TYPE, 'a list may have empty elements', 'RFC 9110 §5.6.1.2'],
  ['application/json;charset=utf-8', JSON_TYPE, 'a parameter charset does not matter', 'RFC 8259 §11'],
  ['application/xml', XML_TYPE, 'Accept: application/xml gets XML', 'C.91'],
  ['application/xml, application/json;q=0.5', XML_TYPE, 'the higher q-value wins (XML)', 'RFC 9110 §12.4.2'],
  [
    'application/xml;q=0.5, application/json',
    JSON_TYPE,
    'the higher q-value wins (JSON)',
    'RFC 9110 §12.4.2',
  ],
  ['application/json;q=0, */*', XML_TYPE, 'q=0 excludes JSON, so the response is XML', 'RFC 9110 §12.4.2'],
  ['text/html', /^text\/html\b/i, 'Accept: text/html gets a page', '2.37'],
];

const UNTYPED: readonly (readonly [what: string, type: string | undefined])[] = [
  ['text/plain', 'text/plain'],
  ['an unknown type', 'application/x-unknown'],
  ['no Content-Type', undefined],
  ['a malformed Content-Type', 'json'],
];

const many = async (api: Api) => {
  for (let at = 0; at < 25; at += 1) await api.make('customers', { name: 'x'.repeat(200) });
  return api.collection('customers');
};
const coded = async (api: Api, coding: string) => {
  const answer = ok(await api.get(await many(api), { 'Accept-Encoding': coding }), 200);
  present(answer.headers['content-encoding'], `content in ${coding}`);
  return answer;
};
const posting = (api: Api, type: string | undefined, body: string | Buffer, headers = {}) =>
  api.ask('POST', api.collection('members'), { body, headers: { 'Content-Type': type, ...headers } });
const member = (api: Api) => JSON.stringify(api.body(sample('members')));

export const negotiation = part('negotiation', [
  ...ACCEPTED.map(([accept, type, says, source]) =>
    met(says, source, async (api) => {
      if (type === XML_TYPE) await offersXml(api);
      const found = typeOf(ok(await getWith(api, accept), 200));
      if (accept === 'text/html' && JSON_TYPE.test(found)) present(undefined, 'pages');
      must(type.test(found), `the type is ${found}`);
    }),
  ),
  refuses(
    'a media type that it does not have with 406',
    'RFC 9110 §15.5.7, 2.46',
    async (api) => ok(await getWith(api, 'application/json'), 200),
    async (api) => refusal(await getWith(api, 'video/mp4'), 406),
  ),
  refuses(
    'application/json;q=0 alone with 406',
    'RFC 9110 §12.4.2, 2.46',
    async (api) => ok(await getWith(api, 'application/json'), 200),
    async (api) => refusal(await getWith(api, 'application/json;q=0'), 406),
  ),
  met('a malformed Accept gets no 5xx', 'RFC 9110 §12.5.1', async (api) => {
    const { status } = await getWith(api, 'application/json;q=,;;');
    must(status < 500, `status ${status}`);
  }),
  met('an error does not become a 406', '2.46', async (api) =>
    refusal(await api.get(api.itemPath('members', '999999998'), { Accept: 'video/mp4' }), 404),
  ),
  met('a response in one of several types has Vary: Accept', 'RFC 9110 §12.5.5', async (api) => {
    await offersXml(api);
    const { headers } = ok(await getWith(api, 'application/json'), 200);
    must(/\baccept\b(?!-)/i.test(headers.vary ?? ''), `Vary is ${headers.vary}`);
  }),
  met('a client can create an item in XML', 'C.91', async (api) =>
    ok(
      await posting(api, 'application/xml', '<member><username>ada</username><name>Ada</name></member>'),
      201,
    ),
  ),
  met('a list is available in XML', 'C.91', async (api) => {
    const found = typeOf(ok(await api.get(api.collection('members'), { Accept: 'application/xml' }), 200));
    if (!XML_TYPE.test(found)) present(undefined, 'XML');
  }),
  met('an error is available in XML', '2.36', async (api) => {
    await offersXml(api);
    const answer = await api.get(api.itemPath('members', '999999998'), { Accept: 'application/xml' });
    must(/xml/.test(typeOf(refusal(answer, 404))), `the type is ${typeOf(answer)}`);
  }),
  met('a list is available as CSV', '2.53', async (api) => {
    const found = typeOf(ok(await api.get(api.collection('members'), { Accept: 'text/csv' }), 200));
    if (!/^text\/csv/.test(found)) present(undefined, 'CSV');
  }),
  met('a list is available as JSON Lines', '2.53', async (api) => {
    const found = typeOf(ok(await api.get(api.collection('members'), { Accept: 'application/jsonl' }), 200));
    if (!/jsonl/.test(found)) present(undefined, 'JSON Lines');
  }),
  met('a response with content has a Content-Type', 'RFC 9110 §8.3', async (api) =>
    must(typeOf(await getWith(api, undefined)), 'no Content-Type'),
  ),
  ...UNTYPED.map(([what, type]) =>
    refuses(
      `a body with ${what}: 415`,
      'RFC 9110 §15.5.16, C.120',
      async (api) => ok(await posting(api, 'application/json', member(api)), 200, 201),
      async (api) => refusal(await posting(api, type, member(api)), 415),
    ),
  ),
  refuses(
    'a PATCH with an unknown patch format: 415 with Accept-Patch',
    'RFC 5789 §2.2, C.121',
    async (api) => ok(await api.merge(await api.make('members'), { name: 'Bo' })),
    async (api) => {
      const { path } = await api.make('members');
      const headers = { 'Content-Type': 'application/x-unknown' };
      const answer = refusal(await api.ask('PATCH', path, { body: '{"name":"Bo"}', headers }), 415);
      must(answer.headers['accept-patch'], 'no Accept-Patch');
    },
  ),
  refuses(
    'an unknown media type with a field that names the known ones',
    'RFC 9110 §12.5.1, 2.47',
    async (api) => ok(await posting(api, 'application/json', member(api)), 200, 201),
    async (api) => {
      const { headers } = refusal(await posting(api, 'application/x-unknown', member(api)), 415);
      must(headers.accept ?? headers['accept-post'], 'neither Accept nor Accept-Post');
    },
  ),
  ...['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'].map((type) =>
    met(`a body with Content-Type: ${type} is JSON`, 'RFC 9110 §8.3.1', async (api) => {
      const answer = ok(await posting(api, type, member(api)), 200, 201);
      const item = { path: api.pathOf('members', answer) };
      same((await api.values(item)).name, 'Ada Byron');
    }),
  ),
  met('Accept-Encoding: gzip gets a large list in gzip', 'RFC 9110 §12.5.3', async (api) => {
    const { headers, bytes } = await coded(api, 'gzip');
    same(headers['content-encoding'], 'gzip');
    must(gunzipSync(bytes).length > bytes.length, 'the content is not shorter');
  }),
  met('Accept-Encoding: br gets a large list in Brotli', 'RFC 9110 §12.5.3, RFC 7932', async (api) =>
    same((await coded(api, 'br')).headers['content-encoding'], 'br'),
  ),
  met('Accept-Encoding: zstd gets a large list in Zstandard', 'RFC 9110 §12.5.3, RFC 8878', async (api) =>
    same((await coded(api, 'zstd')).headers['content-encoding'], 'zstd'),
  ),
  met('gzip;q=0 excludes gzip', 'RFC 9110 §12.4.2', async (api) => {
    await coded(api, 'gzip');
    const { headers } = ok(
      await api.get(api.collection('customers'), { 'Accept-Encoding': 'gzip;q=0' }),
      200,
    );
    same(headers['content-encoding'], undefined, 'Content-Encoding');
  }),
  met('without Accept-Encoding the content has no coding', 'RFC 9110 §12.5.3', async (api) => {
    await coded(api, 'gzip');
    same(ok(await api.get(api.collection('customers')), 200).headers['content-encoding'], undefined);
  }),
  met('a response that may be coded has Vary: Accept-Encoding', 'RFC 9110 §12.5.5', async (api) => {
    await coded(api, 'gzip');
    const { vary } = ok(await api.get(api.collection('customers')), 200).headers;
    must(/accept-encoding/i.test(vary ?? ''), `Vary is ${vary}`);
  }),
  met(
    'a coded response has a strong entity tag of its own, or a weak one',
    'RFC 9110 §8.8.3.3',
    async (api) => {
      const tag = present((await coded(api, 'gzip')).headers.etag, 'ETag');
      const { etag } = ok(await api.get(api.collection('customers')), 200).headers;
      must(tag.startsWith('W/') || tag !== etag, 'both codings have the same strong entity tag');
    },
  ),
  met('a body may have Content-Encoding: gzip', 'RFC 9110 §8.4, 2.48', async (api) => {
    const answer = await posting(api, 'application/json', gzipSync(member(api)), {
      'Content-Encoding': 'gzip',
    });
    if (answer.status === 400) present(undefined, 'content in gzip');
    ok(answer, 200, 201);
  }),
  refuses(
    'a body with an unknown Content-Encoding: 415',
    'RFC 9110 §8.4, RFC 7694 §3',
    async (api) => ok(await posting(api, 'application/json', member(api)), 200, 201),
    async (api) =>
      refusal(await posting(api, 'application/json', member(api), { 'Content-Encoding': 'x-own' }), 415),
  ),
  met('Accept-Language and Accept-Charset break nothing', 'RFC 9110 §12.5.2, §12.5.4', async (api) => {
    const { path } = await api.make('members');
    ok(await api.get(path, { 'Accept-Language': 'xx', 'Accept-Charset': 'utf-16' }), 200);
  }),
  met('an unknown header field breaks nothing', 'RFC 9110 §5.1', async (api) => {
    const { path } = await api.make('members');
    ok(await api.get(path, { 'X-Unknown-Field': 'a' }), 200);
  }),
]);
