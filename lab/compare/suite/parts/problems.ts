import type { Answer } from '../../../../test/support/client/client.ts';
import { type Api, sample } from '../api.ts';
import { met, part } from '../statement.ts';
import { must, present, refusal, same } from '../verdict.ts';

const member = (api: Api, type: string, body: string) =>
  api.ask('POST', api.collection('members'), { body, headers: { 'Content-Type': type } });

/** Ways to an error: its name, its status, and the request. */
const ERRORS: readonly (readonly [
  what: string,
  statuses: readonly number[],
  request: (api: Api) => Promise<Answer>,
])[] = [
  ['a malformed body', [400], (api) => member(api, 'application/json', '{')],
  ['an invalid value', [400, 422], (api) => api.post('members', { ...sample('members'), age: 'old' })],
  ['a missing item', [404], (api) => api.get(api.itemPath('members', '999999995'))],
  ['an unknown path', [404], (api) => api.get(`${api.collection('members')}x/y`)],
  ['a method that does not work', [405], (api) => api.ask('PATCH', api.collection('members'), { json: {} })],
  [
    'a type that does not exist',
    [406],
    async (api) => api.get((await api.make('members')).path, { Accept: 'video/mp4' }),
  ],
  [
    'a unique value that is taken',
    [400, 409, 422],
    async (api) => {
      const { sent } = await api.make('products');
      return api.post('products', { ...sample('products'), sku: sent.sku });
    },
  ],
  [
    'a precondition that fails',
    [412],
    async (api) => api.remove(await api.make('members'), { 'If-Match': '"1234"' }),
  ],
  [
    'a body that is too large',
    [413],
    (api) => api.post('members', { ...sample('members'), name: 'x'.repeat(30_000_000) }),
  ],
  ['an unknown media type', [415], (api) => member(api, 'application/x-unknown', '{}')],
  ['a range after the end', [416], async (api) => api.get(await api.file('text'), { Range: 'bytes=99-' })],
];

/** The problem document of an error. */
async function problem(request: (api: Api) => Promise<Answer>, statuses: readonly number[], api: Api) {
  const answer = refusal(await request(api), ...statuses);
  const type = answer.headers['content-type'] ?? '';
  if (!/^application\/problem\+json\b/.test(type))
    present(undefined, `problem document, but ${type || 'no content'}`);
  const document: Readonly<Record<string, unknown>> = JSON.parse(answer.text);
  return { answer, document };
}
const missing = (api: Api) => problem((one) => one.get(one.itemPath('members', '999999995')), [404], api);

export const problems = part('errors', [
  ...ERRORS.map(([what, statuses, request]) =>
    met(
      `${what} gets ${statuses.join(' or ')} with JSON that says so`,
      'RFC 9110 §15.5, C.126',
      async (api) => {
        const answer = refusal(await request(api), ...statuses);
        must(
          /json/.test(answer.headers['content-type'] ?? ''),
          `the type is ${answer.headers['content-type']}`,
        );
        must(Object.keys(JSON.parse(answer.text)).length > 0, 'the document is empty');
      },
    ),
  ),
  ...ERRORS.map(([what, statuses, request]) =>
    met(`${what} gets a problem document with its status`, 'RFC 9457 §3, 10.3', async (api) => {
      const { answer, document } = await problem(request, statuses, api);
      same(document.status, answer.status);
    }),
  ),
  met('a problem has a title', 'RFC 9457 §3.1.4', async (api) =>
    must(String((await missing(api)).document.title ?? '').length > 3, 'no title'),
  ),
  met('the type of a problem is a URI', 'RFC 9457 §3.1.1', async (api) => {
    const { type } = (await missing(api)).document;
    must(typeof type === 'string' && URL.canParse(type, api.url), `the type is ${type}`);
  }),
  met('the type of a problem leads to an explanation', 'RFC 9457 §3.1.1, 10.3', async (api) => {
    const { type } = (await missing(api)).document;
    const path = String(type);
    if (!path.startsWith('/') && !path.startsWith(api.url)) present(undefined, 'type that leads to this API');
    same((await api.get(path)).status, 200);
  }),
  met('an invalid value has a pointer to it', 'RFC 9457 §3.2, 2.50', async (api) => {
    const { answer } = await problem(
      (one) => one.post('members', { ...sample('members'), age: 'old' }),
      [400, 422],
      api,
    );
    must(/"#?\/age"/.test(answer.text), 'no pointer /age');
  }),
  met('an error shows no code, path or trace of the server', 'RFC 9457 §5', async (api) => {
    for (const [, , request] of ERRORS.filter(([what]) => !/range|large/.test(what))) {
      const { text } = await request(api);
      must(!/\bat .+:\d+:\d+|Traceback|\.java:\d+|node_modules|site-packages/.test(text), text.slice(0, 80));
    }
  }),
  met('no error of these is a 5xx', 'RFC 9110 §15.6', async (api) => {
    for (const [what, , request] of ERRORS.filter(([one]) => !/range/.test(one))) {
      const { status } = await request(api);
      must(status < 500 || status === 501, `${what}: ${status}`);
    }
  }),
]);
