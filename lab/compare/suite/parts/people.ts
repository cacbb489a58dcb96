import { type Api, unique } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, present, same } from '../verdict.ts';

const HTML = { Accept: 'text/html' };
const URLENCODED = 'application/x-www-form-urlencoded';

const page = async (api: Api, path: string) => {
  const answer = ok(await api.get(path, HTML), 200);
  if (!/^text\/html/.test(answer.headers['content-type'] ?? '')) present(undefined, 'pages');
  return answer;
};
const formsOf = (api: Api) => present(api.adapter.forms, 'forms');
const blank = async (api: Api) => page(api, present(formsOf(api).blank, 'form for a new item')('members'));

const urlencoded = (api: Api, fields: Record<string, string>, headers = {}) =>
  api.ask('POST', api.collection('members'), {
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': URLENCODED, ...headers },
  });
const multipart = (api: Api, fields: Record<string, string>) => {
  const mark = unique();
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${mark}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'Content-Type': `multipart/form-data; boundary=${mark}` };
  return api.ask('POST', api.collection('members'), { body: `${parts.join('')}--${mark}--\r\n`, headers });
};
const fields = () => ({ username: unique(), name: 'Łódź & <b>', email: 'a@example.org', age: '36' });

const creates = (send: typeof urlencoded | typeof multipart) => async (api: Api) => {
  const values = fields();
  const answer = ok(await send(api, values), 200, 201);
  const item = await api.values({ path: api.pathOf('members', answer) });
  same([item.username, item.name, item.age], [values.username, values.name, 36]);
};

export const people = part('forms and pages', [
  met('a form in application/x-www-form-urlencoded creates an item', 'C.72, C.78', creates(urlencoded)),
  met('a form in multipart/form-data creates an item', 'C.72, C.78, RFC 7578', creates(multipart)),
  refuses(
    'a form with an invalid value',
    '6.1',
    async (api) => ok(await urlencoded(api, fields()), 200, 201),
    async (api) => ok(await urlencoded(api, { ...fields(), age: 'old' }), 400, 422),
  ),
  refuses(
    'a multipart form without its last boundary',
    'RFC 2046 §5.1.1, RFC 7578 §4.1',
    async (api) => ok(await multipart(api, fields()), 200, 201),
    async (api) => {
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      const body = '--x\r\nContent-Disposition: form-data; name="username"\r\n\r\nada';
      ok(await api.ask('POST', api.collection('members'), { body, headers }), 400, 422);
    },
  ),
  met('a list is a page for people', 'C.70', async (api) => {
    await api.make('members');
    must(/<title>/i.test((await page(api, api.collection('members'))).text), 'no title');
  }),
  met('an item is a page for people', 'C.73', async (api) => {
    const { path, sent } = await api.make('members');
    must((await page(api, path)).text.includes(String(sent.username)), 'the page lacks the name');
  }),
  met('the page of an item shows markup in values as text', 'RFC 9110 §17.9, C.73', async (api) => {
    const { path } = await api.make('customers', { name: '<img src=x onerror=alert(1)>' });
    must(!(await page(api, path)).text.includes('<img src=x'), 'the page has the markup');
  }),
  met('a page has the form for a new item', 'C.71', async (api) => {
    const { text } = await blank(api);
    must(/<form[^>]*method="?post/i.test(text), 'no form with POST');
    must(/name="?username/.test(text), 'no input for username');
  }),
  met('the form for a new item works without script', 'C.77', async (api) => {
    const { text } = await blank(api);
    const [, form = ''] = /(<form[^>]*method="?post[\s\S]*?<\/form>)/i.exec(text) ?? [];
    must(/type="?submit|<button/i.test(form), 'no button');
  }),
  met('a page has the form that edits an item', 'C.74', async (api) => {
    const { path, sent } = await api.make('members');
    const { text } = await page(api, present(formsOf(api).edit, 'form of an item')(path));
    must(/<form/.test(text) && text.includes(String(sent.username)), 'the form lacks the present value');
  }),
  met('a form POST to an item changes it', 'C.75', async (api) => {
    const item = await api.make('members');
    const edit = present(formsOf(api).edit, 'form of an item')(item.path);
    const headers = { 'Content-Type': URLENCODED };
    const sent = new URLSearchParams({ username: String(item.sent.username), name: 'Bo' }).toString();
    ok(await api.ask('POST', edit, { body: sent, headers }), 200, 204, 303);
    same((await api.values(item)).name, 'Bo');
  }),
  met('a page asks before a deletion, and a form does it', 'C.76', async (api) => {
    const item = await api.make('members');
    const path = present(formsOf(api).remove, 'page before a deletion')(item.path);
    await page(api, path);
    await api.values(item);
    ok(await api.ask('POST', path, { body: '', headers: { 'Content-Type': URLENCODED } }), 200, 204, 303);
    ok(await api.get(item.path), 404, 410);
  }),
  met('a browser gets 303 to the new item', 'RFC 9110 §15.4.4, 6.6', async (api) => {
    const { headers } = ok(await urlencoded(api, fields(), HTML), 303);
    ok(await api.get(present(headers.location, 'Location')), 200);
  }),
  met('a browser gets its form back with the error', '6.6', async (api) => {
    const values = { ...fields(), age: 'old' };
    const { text } = ok(await urlencoded(api, values, HTML), 400, 422);
    must(text.includes(values.username), 'the form is empty');
  }),
]);
