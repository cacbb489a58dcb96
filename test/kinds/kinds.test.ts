import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { receiving } from '../delivery/received.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { ended } from '../support/client/operation.ts';
import { MERGE_PATCH } from '../support/client/patches.ts';
import { expectProblem } from '../support/client/problem.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';
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
});

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

describe.each(ROWS)(
  'the field $field',
  ({ field, json, text, xml: written = escaped(text), lines = text, shown = json, page, input, ...row }) => {
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
      const sent = `<sample><${field}>${written}</${field}></sample>`;
      const answer = await post('/samples', 'application/xml', sent);
      expect(answer.status).toBe(201);
      const path = answer.headers.location as string;
      expect(await shownBy(path, field)).toEqual(shown);
      const xml = await send('GET', path, { headers: { Accept: 'application/xml' } });
      expect(xml.text).toContain(
        `<${field}>${typeof shown === 'object' ? written : escaped(String(shown))}</${field}>`,
      );
      const back = { 'Content-Type': 'application/xml', 'If-Match': xml.headers.etag as string };
      expect((await send('PUT', path, { body: xml.text, headers: back })).status).toBe(200);
      expect(await shownBy(path, field)).toEqual(shown);
    });

    test('is read from CSV, and shown in CSV', async () => {
      const answer = await post('/samples', 'text/csv', `${field}\n"${text.replaceAll('"', '""')}"\n`);
      expect(answer.status).toBe(201);
      const [created] = answer.json().items as unknown as { id: number }[];
      const path = `/samples/${created?.id}`;
      expect(await shownBy(path, field)).toEqual(shown);
      const list = await send('GET', `/samples?id=${path.split('/').at(-1)}&fields=${field}`, {
        headers: { Accept: 'text/csv' },
      });
      expect(list.text.split('\r\n')[1]).toContain(
        typeof shown === 'object' ? text.replaceAll('"', '""') : String(shown),
      );
    });

    test('is an input of the form, which can be sent back, and a text on the page', async () => {
      const answer = await submit('/samples/new', { [field]: lines });
      expect(answer.status).toBe(303);
      const path = (answer.headers.location as string).split('?')[0] as string;
      expect(await shownBy(path, field)).toEqual(shown);
      const html = { Accept: 'text/html' };
      expect((await send('GET', path, { headers: html })).text).toContain(page ?? String(shown));
      const form = await send('GET', `${path}/edit`, { headers: html });
      const typed = /^value="(.*)"$/.exec(input ?? '')?.[1] ?? lines;
      expect(form.text).toContain(input ?? `value="${escaped(text)}"`);
      const saved = await submit(`${path}/edit`, { [field]: typed });
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

    if (row.filters.length > 0)
      test.each(row.filters)('orders lists, and the filter %s selects items', async (filter) => {
        const [first, second] = [await made({ [field]: json }), await made({ [field]: row.later })].map(
          (path) => Number(path.split('/').at(-1)),
        ) as [number, number];
        const ids = async (query: string) =>
          (await send('GET', `/samples?id=${first},${second}&${query}`))
            .json()
            .items.map(({ id }: { id: number }) => id);
        expect(await ids(`sort=${field}`)).toEqual([first, second]);
        expect(await ids(`sort=-${field}`)).toEqual([second, first]);
        expect(await ids(filter)).toEqual([first]);
        const all = await send('GET', `/samples?sort=${field}&limit=1000&${filter}`);
        const listed = all.json().items.map(({ id }: { id: number }) => id);
        expect(listed).toContain(first);
        expect(listed).not.toContain(second);
      });

    if (row.badFilters.length > 0)
      test.each(row.badFilters)('refuses the filter %s, whose value is of another kind', async (filter) => {
        expectProblem(await send('GET', `/samples?${filter}`), 400);
      });

    test.each(row.refused)('refuses %j: it %s', async (value, detail) => {
      const answer = await send('POST', '/samples', { json: { [field]: value } });
      expectProblem(answer, 400);
      expect(answer.json().errors).toEqual([{ pointer: `/${field}`, detail }]);
    });
  },
);

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

test('a faulty value inside a value has its own pointer', async () => {
  const json = { tags: ['a', 'more than nine'], address: { since: 'soon' } };
  const answer = await send('POST', '/samples', { json });
  expectProblem(answer, 400);
  expect(answer.json().errors).toEqual([
    { pointer: '/tags/1', detail: 'must have at most 9 characters' },
    { pointer: '/address/city', detail: 'must be given' },
    { pointer: '/address/since', detail: 'must be a date such as 2026-11-22' },
  ]);
});

test('an object leaves out null and what it does not declare', async () => {
  const path = await made({ address: { city: 'Rome', unknown: 1, rent: null } });
  expect(await shownBy(path, 'address')).toEqual({ city: 'Rome' });
});

test('a computed value follows the others on every path, orders lists, and no client sets it', async () => {
  const path = await made({ amount: 2.5, count: 4, total: 99 });
  const id = path.split('/').at(-1);
  expect(await shownBy(path, 'total')).toBe(10);
  const headers = MERGE_PATCH;
  expect((await send('PATCH', path, { headers, body: '{"count":5}' })).status).toBe(200);
  expect((await send('GET', `/samples?id=${id}&total=12.5&sort=total`)).json().items).toHaveLength(1);
  expect((await send('PATCH', path, { headers, body: '{"total":1}' })).status).toBe(409);
  const before = await send('GET', path);
  expect((await send('PATCH', path, { headers, body: '{"count":5}' })).headers.etag).toBe(
    before.headers.etag,
  );
  await submit(`${path}/edit`, { count: '2' });
  expect(await shownBy(path, 'total')).toBe(5);
  const all = await send('PUT', '/samples', { json: [{ id: Number(id), amount: 1.5, count: 2 }] });
  expect(all.status).toBe(200);
  expect(await shownBy(path, 'total')).toBe(3);
  expect((await send('PUT', path, { json: { name: 'Ada' } })).status).toBe(200);
  expect(await shownBy(path, 'total')).toBeUndefined();
});

describe('a value that cannot change after creation', () => {
  const headers = MERGE_PATCH;
  const created = () => made({ name: 'Ada', serial: 'a1' });

  test('is refused with 409 by PUT, PATCH and a form, also if it is removed', async () => {
    const path = await created();
    const answers = [
      await send('PUT', path, { json: { name: 'Bob', serial: 'a2' } }),
      await send('PUT', path, { json: { name: 'Bob' } }),
      await send('PATCH', path, { headers, body: '{"serial":"a2"}' }),
      await send('PATCH', path, { headers, body: '{"serial":null}' }),
      await send('POST', path, { json: { serial: 'a2' } }),
    ];
    for (const answer of answers) {
      expectProblem(answer, 409);
      expect(answer.json().errors).toEqual([{ pointer: '/serial', detail: 'cannot change after creation' }]);
    }
    expect((await submit(`${path}/edit`, { serial: 'a2' })).status).toBe(409);
    expect((await send('GET', path)).json()).toMatchObject({ name: 'Ada', serial: 'a1' });
  });

  test('stays when other values change, and a form does not show its input', async () => {
    const path = await created();
    expect((await send('PUT', path, { json: { name: 'Bob', serial: 'a1' } })).status).toBe(200);
    expect((await send('PATCH', path, { headers, body: '{"name":"Cleo"}' })).status).toBe(200);
    const form = await send('GET', `${path}/edit`, { headers: { Accept: 'text/html' } });
    expect(form.text).not.toContain('name="serial"');
    expect((await submit(`${path}/edit`, { name: 'Dora' })).status).toBe(303);
    expect((await send('GET', path)).json()).toMatchObject({ name: 'Dora', serial: 'a1' });
  });

  test('is refused in an array, and before an operation', async () => {
    const path = await created();
    const id = Number(path.split('/').at(-1));
    const several = await send('PUT', '/samples', { json: [{ id, serial: 'a2' }] });
    expect(several.status).toBe(409);
    const later = await send('PUT', path, {
      json: { serial: 'a2' },
      headers: { Prefer: 'respond-async' },
    });
    expect(later.status).toBe(409);
    expect(await shownBy(path, 'serial')).toBe('a1');
  });
});

// Specification 2.14, 2.15
describe('content without a property of the client', () => {
  test.each([{}, { name: null }, { unknown: 1 }, { id: 5 }, { total: 1 }])(
    'gets 400 in POST: %j',
    async (json) => {
      const path = await made({ name: 'Ada' });
      for (const answer of [
        await send('POST', '/samples', { json }),
        await send('POST', '/samples', { json, headers: { Prefer: 'respond-async' } }),
        await send('POST', '/samples', { json: [json] }),
        await send('POST', path, { json }),
      ])
        expectProblem(answer, 400, 'validation-error');
      expect(await shownBy(path, 'name')).toBe('Ada');
    },
  );

  test('gets 400 in PUT if it has no property at all', async () => {
    const path = await made({ name: 'Ada' });
    for (const json of [{}, { name: null }, { unknown: 1 }])
      expectProblem(await send('PUT', path, { json }), 400, 'validation-error');
    expectProblem(await send('PUT', '/samples', { json: [{}] }), 400, 'validation-error');
    expect(await shownBy(path, 'name')).toBe('Ada');
  });

  test('fails alone in a lenient list', async () => {
    const headers = { Prefer: 'handling=lenient' };
    const answer = await send('POST', '/samples', { json: [{}, { name: 'Ada' }], headers });
    expect(answer.json().items.map(({ status }) => status)).toEqual([400, 201]);
    const later = { Prefer: 'handling=lenient, respond-async' };
    const accepted = await send('POST', '/samples', { json: [{}, { name: 'Ada' }], headers: later });
    expect((await ended(accepted, send)).json().progress).toMatchObject({ done: 1, failed: 1 });
  });

  test('gets 400 in a form with only empty inputs', async () => {
    expect((await submit('/samples/new', { name: '', code: '' })).status).toBe(400);
  });

  test('empties the item in PUT, so that GET of an emptied item can be sent back', async () => {
    const path = await made({ name: 'Ada' });
    const { id, createdAt } = (await send('GET', path)).json();
    expect((await send('PUT', path, { json: { id, createdAt } })).status).toBe(200);
    expect((await send('GET', path)).json()).not.toHaveProperty('name');
    const named = await made({ name: 'Ada' });
    expect((await send('PUT', '/samples', { json: [{ id: Number(named.split('/').at(-1)) }] })).status).toBe(
      200,
    );
    expect(await shownBy(named, 'name')).toBeUndefined();
  });
});
