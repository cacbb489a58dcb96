import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { receiving } from '../delivery/received.ts';
import { type Client, clientOf } from '../support/client.ts';
import { MERGE_PATCH } from '../support/patches.ts';
import { expectProblem } from '../support/problem.ts';
import { type Run, run, temporary } from '../support/service.ts';
import { withFixture } from '../support/with-fixture.ts';
import { ROWS } from './rows.ts';

/*
 * Samples have a field of each kind. The rows of one table hold for every format and for every path (decision 53).
 */
let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;
let send: Client;

beforeAll(async () => {
  place = await temporary();
  const directory = join(place.directory, 'data');
  service = await run({ directory, args: ['--empty'], environment: withFixture('kinds') });
  send = clientOf(service.url as string);
}, 40_000);

afterAll(async () => {
  await service.stop();
  await place.remove();
}, 20_000);

const made = async (json: object): Promise<string> => {
  const answer = await send('POST', '/samples', { json });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
};

const shownBy = async (path: string, field: string) => (await send('GET', path)).json()[field];

const post = (path: string, type: string, body: string) =>
  send('POST', path, { body, headers: { 'Content-Type': type } });

/** Sends a form as a browser does. */
const submit = (path: string, inputs: Record<string, string>) =>
  send('POST', path, {
    body: String(new URLSearchParams(inputs)),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
  });

const escaped = (text: string) => text.replaceAll('&', '&amp;');

describe.each(ROWS)('the field $field', ({ field, json, text, shown = json, page, input, ...row }) => {
  test('has the same value in JSON, a merge patch and a JSON Patch', async () => {
    const path = await made({ [field]: json });
    expect(await shownBy(path, field)).toEqual(shown);
    const patched = await send('PATCH', path, {
      headers: MERGE_PATCH,
      body: JSON.stringify({ [field]: row.later }),
    });
    expect(patched.status).toBe(200);
    expect(await shownBy(path, field)).not.toEqual(shown);
    const operations = [
      { op: 'replace', path: `/${field}`, value: json },
      { op: 'test', path: '/id', value: Number(path.split('/').at(-1)) },
    ];
    const headers = { 'Content-Type': 'application/json-patch+json' };
    expect((await send('PATCH', path, { headers, body: JSON.stringify(operations) })).status).toBe(200);
    expect(await shownBy(path, field)).toEqual(shown);
  });

  test('is read from XML, and the representation in XML can be sent back', async () => {
    const sent = `<sample><${field}>${escaped(text)}</${field}></sample>`;
    const answer = await post('/samples', 'application/xml', sent);
    expect(answer.status).toBe(201);
    const path = answer.headers.location as string;
    expect(await shownBy(path, field)).toEqual(shown);
    const xml = await send('GET', path, { headers: { Accept: 'application/xml' } });
    expect(xml.text).toContain(`<${field}>${escaped(String(shown))}</${field}>`);
    const back = { 'Content-Type': 'application/xml', 'If-Match': xml.headers.etag as string };
    expect((await send('PUT', path, { body: xml.text, headers: back })).status).toBe(200);
    expect(await shownBy(path, field)).toEqual(shown);
  });

  test('is read from CSV, and shown in CSV', async () => {
    const answer = await post('/samples', 'text/csv', `${field}\n"${text}"\n`);
    expect(answer.status).toBe(201);
    const [created] = answer.json().items as unknown as { id: number }[];
    const path = `/samples/${created?.id}`;
    expect(await shownBy(path, field)).toEqual(shown);
    const list = await send('GET', `/samples?id=${path.split('/').at(-1)}&fields=${field}`, {
      headers: { Accept: 'text/csv' },
    });
    expect(list.text.split('\r\n')[1]).toContain(String(shown));
  });

  test('is an input of the form, which can be sent back, and a text on the page', async () => {
    const answer = await submit('/samples/new', { [field]: text });
    expect(answer.status).toBe(303);
    const path = answer.headers.location as string;
    expect(await shownBy(path, field)).toEqual(shown);
    const html = { Accept: 'text/html' };
    expect((await send('GET', path, { headers: html })).text).toContain(page ?? String(shown));
    const form = await send('GET', `${path}/edit`, { headers: html });
    const written = /^value="(.*)"$/.exec(input ?? '')?.[1] ?? text;
    expect(form.text).toContain(input ?? `value="${escaped(text)}"`);
    const saved = await submit(`${path}/edit`, { [field]: written });
    expect(saved.status).toBe(303);
    expect(await shownBy(path, field)).toEqual(shown);
  });

  test('is in the event of the change', async () => {
    const path = await made({ [field]: json });
    const events = receiving(join(place.directory, 'data'));
    const { data } = await events.until(({ subject }) => subject === path);
    await events.stop();
    expect(data[field]).toEqual(shown);
  });

  test('orders lists, and its filters select items', async () => {
    const [first, second] = [await made({ [field]: json }), await made({ [field]: row.later })].map((path) =>
      Number(path.split('/').at(-1)),
    ) as [number, number];
    const ids = async (query: string) =>
      (await send('GET', `/samples?id=${first},${second}&${query}`))
        .json()
        .items.map(({ id }: { id: number }) => id);
    expect(await ids(`sort=${field}`)).toEqual([first, second]);
    expect(await ids(`sort=-${field}`)).toEqual([second, first]);
    for (const filter of row.filters) {
      expect(await ids(filter)).toEqual([first]);
      const all = await send('GET', `/samples?sort=${field}&limit=1000&${filter}`);
      const listed = all.json().items.map(({ id }: { id: number }) => id);
      expect(listed).toContain(first);
      expect(listed).not.toContain(second);
    }
  });

  test('does not compare with what is no value of its kind', async () => {
    for (const filter of row.badFilters) expectProblem(await send('GET', `/samples?${filter}`), 400);
  });

  test.each(row.refused)('refuses %j: it %s', async (value, detail) => {
    const answer = await send('POST', '/samples', { json: { [field]: value } });
    expectProblem(answer, 400);
    expect(answer.json().errors).toEqual([{ pointer: `/${field}`, detail }]);
  });
});

test('a field that the client leaves out has its default', async () => {
  const path = await made({ name: 'Ada' });
  expect((await send('GET', path)).json()).toMatchObject({ size: 'small', count: 3, paid: false });
});

test('the form of a new item has the defaults and the help', async () => {
  const { text } = await send('GET', '/samples/new', { headers: { Accept: 'text/html' } });
  expect(text).toContain('<option selected>small</option>');
  expect(text).toContain('Two letters and a number.');
  expect(text).toContain('A whole number from 1 to 9');
  expect(text).toMatch(/type="date"/);
  expect(text).toMatch(/type="datetime-local" step="any"/);
});
