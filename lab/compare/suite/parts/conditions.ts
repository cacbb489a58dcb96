import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Answer } from '../../../../test/support/client/client.ts';
import type { Api, Item } from '../api.ts';
import { type Check, met, part, refuses } from '../statement.ts';
import { must, ok, present, refusal, same } from '../verdict.ts';

const METHODS = ['PUT', 'PATCH', 'DELETE'] as const;
type Method = 'GET' | 'HEAD' | (typeof METHODS)[number];

function send(api: Api, method: Method, item: Item, headers: OutgoingHttpHeaders): Promise<Answer> {
  if (method === 'PUT') return api.put(item, { ...item.sent, name: 'Bo' }, headers);
  if (method === 'PATCH') return api.merge(item, { name: 'Bo' }, headers);
  return api.ask(method, item.path, { headers });
}

/** An item, its entity tag, the one that it had before its last change, and its Last-Modified. */
async function known(api: Api, isDated = false) {
  const item = await api.make('members');
  const stale = await api.tag(item);
  ok(await api.merge(item, { age: 37 }));
  let { headers } = ok(await api.get(item.path), 200);
  if (isDated && headers['last-modified'] === undefined) {
    // An API may give no date in the second of a change (RFC 9110 §8.8.2.2).
    await setTimeout(1100);
    ({ headers } = ok(await api.get(item.path), 200));
  }
  return { item, stale, tag: present(headers.etag, 'ETag'), date: headers['last-modified'] };
}
type Known = Awaited<ReturnType<typeof known>>;
const dated = ({ date }: Known) => present(date, 'Last-Modified');

/** True if fields have a date, which says little about an API without Last-Modified. */
const needsDate = (text: string): boolean => /DATE|PAST|GMT|1994/.test(text);

const PAST = 'Thu, 01 Jan 2015 00:00:00 GMT';
/** The header fields in a text. TAG, OLD, WEAK, DATE and PAST stand for values of the item. */
function fieldsOf(text: string, one: Known): OutgoingHttpHeaders {
  const filled = text.split('; ').map((field) => {
    const [name = '', value = ''] = field.split(/: (.*)/);
    if (needsDate(value)) dated(one);
    const words: Readonly<Record<string, string | undefined>> = {
      TAG: one.tag,
      OLD: one.stale,
      WEAK: `W/${one.tag.replace(/^W\//, '')}`,
      DATE: one.date,
      PAST,
    };
    return [name, value.replace(/\b[A-Z]{3,4}\b/g, (word) => words[word] ?? word)];
  });
  return Object.fromEntries(filled);
}

const sends =
  (method: Method, text: string, ...statuses: readonly number[]): Check =>
  async (api) => {
    const one = await known(api, needsDate(text));
    return ok(await send(api, method, one.item, fieldsOf(text, one)), ...statuses);
  };

/** A refused write must also leave the item as it is. */
const refusesWrite =
  (method: Method, text: string, ...statuses: readonly number[]): Check =>
  async (api) => {
    const one = await known(api, needsDate(text));
    refusal(await send(api, method, one.item, fieldsOf(text, one)), ...statuses);
    same((await api.values(one.item)).name, one.item.sent.name, 'name after the refusal');
  };

const OTHER = '"1234"';
/** What GET responds with to header fields. */
const READS: readonly (readonly [fields: string, status: number, section: string])[] = [
  ['If-None-Match: TAG', 304, '§13.1.2'],
  ['If-None-Match: "1", TAG, "2"', 304, '§13.1.2'],
  ['If-None-Match: WEAK', 304, '§13.1.2, §8.8.3.2'],
  ['If-None-Match: *', 304, '§13.1.2'],
  ['If-None-Match: OLD', 200, '§13.1.2'],
  [`If-None-Match: ${OTHER}`, 200, '§13.1.2'],
  ['If-Modified-Since: DATE', 304, '§13.1.3'],
  ['If-Modified-Since: PAST', 200, '§13.1.3'],
  [`If-Modified-Since: DATE; If-None-Match: ${OTHER}`, 200, '§13.1.3'],
  ['If-Match: TAG', 200, '§13.1.1'],
  ['If-Match: TAG; If-None-Match: TAG', 304, '§13.2.2'],
];

/** Conditions of a write that hold. */
const HOLD = ['If-Match: TAG', 'If-Match: *', 'If-Match: "1", TAG'];

/** Conditions of a write that fail, and similar ones that hold. */
const FAIL: readonly (readonly [bad: string, good: string, section: string])[] = [
  ['If-Match: OLD', 'If-Match: TAG', '§13.1.1'],
  [`If-Match: ${OTHER}`, 'If-Match: TAG', '§13.1.1'],
  ['If-None-Match: *', 'If-None-Match: OLD', '§13.1.2'],
  ['If-None-Match: TAG', 'If-None-Match: OLD', '§13.1.2'],
  ['If-Unmodified-Since: PAST', 'If-Unmodified-Since: DATE', '§13.1.4'],
];

/** Further refusals of PATCH. */
const PATCHES: readonly (readonly [bad: string, good: string, section: string])[] = [
  ['If-Match: WEAK', 'If-Match: TAG', '§13.1.1, §8.8.3.2'],
  ['If-Unmodified-Since: Thursday, 01-Jan-15 00:00:00 GMT', 'If-Unmodified-Since: DATE', '§5.6.7'],
  ['If-Unmodified-Since: Sun Nov  6 08:49:37 1994', 'If-Unmodified-Since: DATE', '§5.6.7'],
];

export const conditions = part('preconditions', [
  met('an item has an entity tag in the form of the RFC', 'RFC 9110 §8.8.3, 3.1', async (api) => {
    const tag = await api.tag(await api.make('members'));
    must(/^(?:W\/)?"[!#-~\x80-\xff]*"$/.test(tag), `the tag is ${tag}`);
  }),
  met('the entity tag is strong', 'RFC 9110 §8.8.1, 3.1', async (api) =>
    must(!(await api.tag(await api.make('members'))).startsWith('W/'), 'the tag is weak'),
  ),
  met('a change gives another entity tag', 'RFC 9110 §8.8.3', async (api) => {
    const { tag, stale } = await known(api);
    must(tag !== stale, 'the tag is the same');
  }),
  met('without a change the entity tag stays', 'RFC 9110 §8.8.3', async (api) => {
    const item = await api.make('members');
    same(await api.tag(item), await api.tag(item));
  }),
  met('HEAD has the entity tag of GET', 'RFC 9110 §9.3.2', async (api) => {
    const item = await api.make('members');
    same(ok(await api.ask('HEAD', item.path), 200).headers.etag, await api.tag(item));
  }),
  met('an item has Last-Modified, which is an HTTP-date', 'RFC 9110 §8.8.2, §5.6.7', async (api) => {
    const date = dated(await known(api, true));
    same(new Date(date).toUTCString(), date);
  }),
  met('Last-Modified is not after Date', 'RFC 9110 §8.8.2.1', async (api) => {
    const { item } = await known(api, true);
    const { headers } = await api.get(item.path);
    const modified = Date.parse(present(headers['last-modified'], 'Last-Modified'));
    must(modified <= Date.parse(headers.date ?? '') + 1000, 'it is in the future');
  }),
  met('the tag in the response to POST is the one of GET', 'RFC 9110 §8.8.3, 3.4', async (api) => {
    const item = await api.make('members');
    same(present(item.created.headers.etag, 'ETag of POST'), await api.tag(item));
  }),
  met('the tag in the response to PATCH is the one of GET', 'RFC 9110 §8.8.3, 3.4', async (api) => {
    const item = await api.make('members');
    const { headers } = ok(await api.merge(item, { name: 'Bo' }));
    same(present(headers.etag, 'ETag of PATCH'), await api.tag(item));
  }),
  ...READS.map(([fields, status, section]) =>
    met(`GET with ${fields} gets ${status}`, `RFC 9110 ${section}`, sends('GET', fields, status)),
  ),
  met('HEAD with If-None-Match: TAG gets 304', 'RFC 9110 §13.1.2', sends('HEAD', 'If-None-Match: TAG', 304)),
  met('a 304 has the ETag of the 200, and no content', 'RFC 9110 §15.4.5', async (api) => {
    const { item, tag } = await known(api);
    const { headers, text } = ok(await api.get(item.path, { 'If-None-Match': tag }), 304);
    same([headers.etag, text], [tag, '']);
  }),
  met('a list has an entity tag, and 304 for it', 'RFC 9110 §13.1.2, 3.7', async (api) => {
    const path = api.collection('members');
    const tag = present(ok(await api.get(path), 200).headers.etag, 'ETag of a list');
    ok(await api.get(path, { 'If-None-Match': tag }), 304);
  }),
  met('a new item gives its list another entity tag', 'RFC 9110 §8.8.3, 3.7', async (api) => {
    const path = api.collection('orders');
    const tag = present(ok(await api.get(path), 200).headers.etag, 'ETag of a list');
    await api.make('orders');
    must((await api.get(path)).headers.etag !== tag, 'the tag is the same');
  }),
  ...METHODS.flatMap((method) => [
    ...HOLD.map((text) =>
      met(`${method} with ${text} succeeds`, 'RFC 9110 §13.1.1', async (api) => {
        // An API that ignores the field would succeed too.
        await refusesWrite(method, `If-Match: ${OTHER}`, 412)(api);
        await sends(method, text)(api);
      }),
    ),
    ...FAIL.map(([bad, good, section]) =>
      refuses(
        `${method} with ${bad}: 412`,
        `RFC 9110 ${section}`,
        sends(method, good),
        refusesWrite(method, bad, 412),
      ),
    ),
  ]),
  ...PATCHES.map(([bad, good, section]) =>
    refuses(
      `PATCH with ${bad}: 412`,
      `RFC 9110 ${section}`,
      sends('PATCH', good),
      refusesWrite('PATCH', bad, 412),
    ),
  ),
  refuses(
    'PATCH with a malformed If-Match: 400 or 412',
    'RFC 9110 §13.1.1',
    sends('PATCH', 'If-Match: TAG'),
    refusesWrite('PATCH', 'If-Match: no quotes', 400, 412),
  ),
  refuses(
    `GET with If-Match: ${OTHER}: 412`,
    'RFC 9110 §13.1.1',
    sends('GET', 'If-Match: TAG', 200),
    refusesWrite('GET', `If-Match: ${OTHER}`, 412),
  ),
  met('If-Unmodified-Since does not count beside If-Match', 'RFC 9110 §13.1.4', async (api) => {
    await refusesWrite('PATCH', `If-Match: ${OTHER}`, 412)(api);
    await sends('PATCH', 'If-Match: TAG; If-Unmodified-Since: PAST')(api);
  }),
  met(
    'If-Modified-Since does not count for a write',
    'RFC 9110 §13.1.3',
    sends('PATCH', 'If-Modified-Since: DATE'),
  ),
  met('of two clients with the same tag, the second one gets 412', 'RFC 9110 §13.1.1', async (api) => {
    const { item, tag } = await known(api);
    ok(await api.merge(item, { name: 'First' }, { 'If-Match': tag }));
    refusal(await api.merge(item, { name: 'Second' }, { 'If-Match': tag }), 412);
    same((await api.values(item)).name, 'First');
  }),
  met('a 412 has the current entity tag', '3.6', async (api) => {
    const { item, tag } = await known(api);
    same(refusal(await api.merge(item, { name: 'Bo' }, { 'If-Match': OTHER }), 412).headers.etag, tag);
  }),
  met('a PATCH that changes nothing keeps the entity tag', '3.6', async (api) => {
    const { item, tag } = await known(api);
    ok(await api.merge(item, { age: 37 }));
    same(await api.tag(item), tag);
  }),
]);
