import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Kind } from '../adapter.ts';
import { type Api, sample } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, present, same } from '../verdict.ts';

/** Sends bytes on a connection of its own. Returns what comes back until the API closes it, or for 700 ms of silence. */
const raw = (api: Api, text: string): Promise<string> =>
  new Promise((done) => {
    const { protocol, hostname: host, port } = new URL(api.url);
    const write = () => socket.write(text, 'latin1');
    const socket =
      protocol === 'https:'
        ? connectSecurely({ host, port: Number(port || 443), servername: host }, write)
        : connect(Number(port || 80), host, write);
    let got = '';
    socket.setTimeout(700, () => socket.destroy());
    socket.on('data', (chunk) => (got += chunk.toString('latin1')));
    // A reset is an end too.
    socket.on('error', () => done(got));
    socket.on('close', () => done(got));
  });
const path = (api: Api, kind: Kind) => api.base + api.collection(kind);
const statusOf = (got: string) => Number(/^HTTP\/1\.[01] (\d{3})/.exec(got)?.[1] ?? 0);
const fieldsOf = (api: Api) =>
  Object.entries({ Accept: 'application/json', ...api.adapter.headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
const get = (api: Api, more = '', start = `GET ${path(api, 'orders')} HTTP/1.1`) =>
  `${start}\r\nHost: ${new URL(api.url).host}\r\n${fieldsOf(api)}${more}\r\n`;
const post = (api: Api, more: string, body: string) =>
  get(api, `Content-Type: application/json\r\n${more}`, `POST ${path(api, 'members')} HTTP/1.1`) + body;
const member = (api: Api) => JSON.stringify(api.body(sample('members')));
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

/** Messages with an error. The API must not serve them. */
const BROKEN: readonly (readonly [what: string, source: string, text: (api: Api) => string])[] = [
  [
    'a request without Host',
    'RFC 9112 §3.2',
    (api) => `GET ${path(api, 'orders')} HTTP/1.1\r\n${fieldsOf(api)}\r\n`,
  ],
  ['a request with two Hosts', 'RFC 9112 §3.2', (api) => get(api, 'Host: other.example\r\n')],
  ['a blank before a colon', 'RFC 9112 §5.1', (api) => get(api, 'X-A : b\r\n')],
  ['a malformed Content-Length', 'RFC 9112 §6.3', (api) => post(api, 'Content-Length: 2x\r\n', '{}')],
  [
    'two Content-Lengths that differ',
    'RFC 9112 §6.3',
    (api) => post(api, 'Content-Length: 2\r\nContent-Length: 3\r\n', '{} '),
  ],
  ['an unknown Transfer-Encoding', 'RFC 9112 §6.1', (api) => post(api, 'Transfer-Encoding: x-own\r\n', '{}')],
  [
    'a malformed size of a chunk',
    'RFC 9112 §7.1',
    (api) => post(api, 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'),
  ],
  ['a control character in a field', 'RFC 9110 §5.5', (api) => get(api, 'X-A: a\u0000b\r\n')],
];

const messages = [
  ...BROKEN.map(([what, source, text]) =>
    refuses(
      `${what}: 400, 501, or the end of the connection`,
      source,
      async (api) => same(statusOf(await raw(api, get(api))), 200),
      async (api) =>
        must([0, 400, 411, 501].includes(statusOf(await raw(api, text(api)))), 'the request is served'),
    ),
  ),
  met('two requests on one connection', 'RFC 9112 §9.3', async (api) => {
    const got = await raw(api, get(api) + get(api, 'Connection: close\r\n'));
    same(got.match(/HTTP\/1\.1 200/g)?.length, 2, 'the number of responses');
  }),
  met('a body in chunks is whole', 'RFC 9112 §7.1', async (api) => {
    const status = statusOf(
      await raw(api, post(api, 'Transfer-Encoding: chunked\r\n', chunked(member(api)))),
    );
    must(status === 201 || status === 200, `status ${status}`);
  }),
  met('Expect: 100-continue gets 100 or the response', 'RFC 9110 §10.1.1', async (api) => {
    const body = member(api);
    const status = statusOf(
      await raw(api, post(api, `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n`, body)),
    );
    must([100, 200, 201, 417].includes(status), `status ${status}`);
  }),
  met('a request for a whole URL as its target', 'RFC 9112 §3.2.2', async (api) =>
    same(statusOf(await raw(api, get(api, '', `GET ${api.url}${api.collection('orders')} HTTP/1.1`))), 200),
  ),
  met('a request of HTTP/1.0 gets a response and the end of the connection', 'RFC 9112 §9.3', async (api) =>
    same(statusOf(await raw(api, get(api, '', `GET ${path(api, 'orders')} HTTP/1.0`))), 200),
  ),
  met('Connection: close ends the connection', 'RFC 9112 §9.6', async (api) =>
    must(
      /\r\nconnection: close/i.test(await raw(api, get(api, 'Connection: close\r\n'))),
      'no Connection: close',
    ),
  ),
  met('a response has Date', 'RFC 9110 §6.6.1', async (api) => {
    const { date = '' } = (await api.get(api.collection('members'))).headers;
    same(new Date(date).toUTCString(), date);
  }),
];

const ORIGIN = { Origin: 'http://127.0.0.1:5173' };
const preflight = async (api: Api, method: string, more = {}) => {
  const { path } = await api.make('members');
  const headers = { ...ORIGIN, 'Access-Control-Request-Method': method, ...more };
  return ok(await api.ask('OPTIONS', path, { headers }), 200, 204).headers;
};
const allows = (list: string | undefined, name: string) =>
  new RegExp(`\\*|\\b${name}\\b`, 'i').test(list ?? '');
const FETCH = 'Fetch Standard, CORS protocol';

const browsers = [
  met('a page of another port may read', FETCH, async (api) => {
    const { headers } = ok(await api.get(api.collection('members'), ORIGIN), 200);
    must(
      ['*', ORIGIN.Origin].includes(present(headers['access-control-allow-origin'], 'CORS')),
      'another origin',
    );
  }),
  ...['PATCH', 'DELETE'].map((method) =>
    met(`a page of another port may send ${method}`, FETCH, async (api) =>
      must(
        allows(present((await preflight(api, method))['access-control-allow-methods'], 'CORS'), method),
        'not allowed',
      ),
    ),
  ),
  met('a page of another port may send If-Match and Content-Type', FETCH, async (api) => {
    const asked = { 'Access-Control-Request-Headers': 'if-match,content-type' };
    const list = present((await preflight(api, 'PATCH', asked))['access-control-allow-headers'], 'CORS');
    must(allows(list, 'if-match') && allows(list, 'content-type'), `allowed: ${list}`);
  }),
  met('a page of another port can read ETag and Location', FETCH, async (api) => {
    const { headers } = ok(await api.get(api.collection('members'), ORIGIN), 200);
    const list = present(headers['access-control-expose-headers'], 'Access-Control-Expose-Headers');
    must(allows(list, 'etag') && allows(list, 'location'), `exposed: ${list}`);
  }),
  met(
    'a response for one origin has Vary: Origin',
    'Fetch Standard, CORS protocol and HTTP caches',
    async (api) => {
      const { headers } = ok(await api.get(api.collection('members'), ORIGIN), 200);
      const origin = present(headers['access-control-allow-origin'], 'CORS');
      must(origin === '*' || allows(headers.vary, 'origin'), `Vary is ${headers.vary}`);
    },
  ),
  met('a response has X-Content-Type-Options: nosniff', 'Fetch Standard, nosniff', async (api) =>
    same(ok(await api.get(api.collection('members')), 200).headers['x-content-type-options'], 'nosniff'),
  ),
  met('a response does not name the version of its software', 'RFC 9110 §10.2.4', async (api) => {
    const { headers } = await api.get(api.collection('members'));
    must(
      !/\d/.test(headers.server ?? '') && headers['x-powered-by'] === undefined,
      `${headers.server} ${headers['x-powered-by']}`,
    );
  }),
  met('an item says how caches may store it', 'RFC 9111 §5.2, 3.8', async (api) =>
    present((await api.get((await api.make('members')).path)).headers['cache-control'], 'Cache-Control'),
  ),
];

const described = async (api: Api) => {
  const path = present(api.adapter.description, 'description in OpenAPI');
  const { text } = ok(await api.get(path, { Accept: '*/*' }), 200);
  must(/"(?:openapi|swagger)"/.test(text), 'it is not in OpenAPI');
  return text;
};

const discovery = [
  met('the API describes itself in OpenAPI', 'C.132, 12.5', described),
  met('the description has each resource', 'C.132, 12.5', async (api) => {
    const text = await described(api);
    for (const kind of ['members', 'customers', 'orders', 'products'])
      must(text.includes(kind), `no ${kind}`);
  }),
  met('a home document links the collections', 'C.132, 12.4', async (api) => {
    const { text } = ok(await api.get(api.adapter.home ?? '/'), 200);
    must(/members/.test(text), 'no link to members');
  }),
  met('an item links itself or its collection', 'C.35, RFC 8288', async (api) => {
    const { headers, text } = await api.get((await api.make('members')).path);
    must(
      /"self"|"url"|"_links"/.test(text) || /rel="?(?:self|collection)/.test(headers.link ?? ''),
      'no link',
    );
  }),
  met('a catalog of the API is at its well-known place', 'RFC 9727 §2', async (api) => {
    const answer = await api.get('/.well-known/api-catalog', { Accept: 'application/linkset+json' });
    if (answer.status !== 200) present(undefined, 'catalog');
  }),
];

export const wire = [
  ...part('messages of HTTP/1.1', messages),
  ...part('browsers, caches and discovery', [...browsers, ...discovery]),
];
