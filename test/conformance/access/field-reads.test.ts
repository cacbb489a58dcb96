import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../../support/client/client.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { type Closed, clientAs, closed } from '../../support/service/closed.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/*
 * Fields that a caller sees only with a scope (decision 57): the salary of an employee, what follows from it, and a
 * contract in PDF. `ada` has all scopes, and `bob` has those of the paths alone.
 */
const PATHS = 'employees:read employees:write reviews:read reviews:write';
const FIELDS = 'salaries:read salaries:write contacts:read reviews:score';
const UNSEEN = ['phone', 'salary', 'bonus', 'contract'];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const PDF = { 'Content-Type': 'application/pdf' };

let service: Closed;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  service = await closed(withFixture('guarded'));
  ada = await clientAs(service, 'ada', `${PATHS} ${FIELDS}`);
  bob = await clientAs(service, 'bob', PATHS);
}, 40_000);

const WHOLE = { name: 'Grace', phone: '555 0199', salary: 7654, grade: 'b' };

/** A new employee with a value in each field. */
async function employee(values: object = WHOLE): Promise<string> {
  const answer = await ada('POST', '/employees', { json: values });
  expect(answer.status).toBe(201);
  const path = answer.headers.location as string;
  const { status } = await ada('PUT', `${path}?fields=contract`, { body: '%PDF-secret', headers: PDF });
  expect(status).toBe(201);
  return path;
}

const idOf = (path: string): number => Number(path.split('/').at(-1));

/** Identifiers of items and idempotency keys: their digits may contain those of a value. */
const IDENTIFIER = /\d{15}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\.\d{3}Z/g;

/** A response has neither the names nor the values of fields that the caller does not see. */
function expectNothing({ text }: Answer): void {
  expect(text.replaceAll(IDENTIFIER, 'ID')).not.toMatch(/salary|bonus|phone|contract|7654|765|555 0199/i);
}

describe('a caller without the scope of a field', () => {
  test.each(['application/json', 'application/xml', 'text/csv', 'application/jsonl', 'text/html'])(
    'does not see it in %s',
    async (Accept) => {
      const path = await employee();
      const list = `/employees?id=${idOf(path)}`;
      const shown = await bob('GET', list, { headers: { Accept } });
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('Grace');
      expectNothing(shown);
      expect((await ada('GET', list, { headers: { Accept } })).text).toContain('7654');
      if (Accept === 'text/csv' || Accept === 'application/jsonl') return;
      const one = await bob('GET', path, { headers: { Accept } });
      expect(one.status).toBe(200);
      expectNothing(one);
      expect((await ada('GET', path, { headers: { Accept } })).text).toContain('7654');
    },
  );

  test('does not see it in the responses to writes', async () => {
    const path = await employee();
    const json = { name: 'Hopper' };
    for (const answer of [
      await bob('PUT', path, { json }),
      await bob('PATCH', path, { json: { name: 'G' }, headers: MERGE_PATCH }),
      await bob('POST', path, { json: { name: 'H' } }),
      await bob('PUT', '/employees', { json: [{ id: idOf(path), name: 'I' }] }),
      await bob('PUT', '/employees', {
        json: [{ id: idOf(path), name: 'J' }],
        headers: { Prefer: 'handling=lenient' },
      }),
      await bob('PUT', path, { json, headers: { Prefer: 'respond-async, wait=10' } }),
    ]) {
      expect([200, 207]).toContain(answer.status);
      expectNothing(answer);
    }
    expect((await ada('GET', path)).json()).toMatchObject({ salary: 7654, bonus: 765, phone: '555 0199' });
  });

  test('does not see it inside a related item', async () => {
    const path = await employee();
    const json = { employeeId: idOf(path), score: 3 };
    const review = (await ada('POST', '/reviews', { json })).headers.location as string;
    for (const uri of [`${review}?expand=employee`, `/reviews?expand=employee&employeeId=${idOf(path)}`]) {
      const [one, all] = [await bob('GET', uri), await ada('GET', uri)];
      expect(one.text).toContain('Grace');
      expectNothing(one);
      expect(all.text).toContain('7654');
      expect(one.headers.etag).not.toBe(all.headers.etag);
    }
  });

  test.each(UNSEEN)('cannot select %s by fields', async (name) => {
    const path = await employee();
    const refused = await bob('GET', `/employees?fields=${name}`);
    expectProblem(refused, 400, 'validation-error');
    expect(refused.json().errors[0]?.detail).toMatch(/is not a field: use id, name, grade, createdAt/);
    expect((await ada('GET', `/employees?fields=${name}`)).status).toBe(200);
    if (name !== 'contract') expectProblem(await bob('GET', `${path}?fields=name,${name}`), 400);
  });

  test.each(['phone', 'salary', 'bonus'])('cannot sort by %s', async (name) => {
    const refused = await bob('GET', `/employees?sort=-${name}`);
    expectProblem(refused, 400, 'validation-error');
    expectNothing({ ...refused, text: refused.json().errors[0]?.detail.split('use ')[1] ?? '' });
    expect((await ada('GET', `/employees?sort=-${name}`)).status).toBe(200);
  });

  test.each(['salary=7654', 'minSalary=9'])('cannot filter by %s', async (query) => {
    await employee();
    const all = (await bob('GET', '/employees?limit=1000')).json().items.length;
    const filtered = await bob('GET', `/employees?limit=1000&${query}`);
    expect(filtered.json().items).toHaveLength(all);
    const strict = await bob('GET', `/employees?${query}`, { headers: { Prefer: 'handling=strict' } });
    expectProblem(strict, 400);
    expect((await ada('GET', `/employees?${query}`)).status).toBe(200);
  });

  // Specification 4.13: a name with a dot gets the refusal of an undeclared one.
  test.each(['salary.gte=1', 'bonus.lt=9', 'phone.prefix=5', 'minSalary.gt=1'])(
    'cannot filter by %s, and gets the names that it sees',
    async (query) => {
      const detailOf = async (asked: string) => {
        const answer = await bob('GET', `/employees?${asked}`);
        expectProblem(answer, 400, 'validation-error');
        return answer.json().errors.map(({ detail }) => detail);
      };
      expect(await detailOf(query)).toEqual(await detailOf('undeclared.gte=1'));
      expectNothing({ ...(await bob('GET', '/employees')), text: (await detailOf(query)).join() });
    },
  );

  test('gets a list template without its filters', async () => {
    const template = (client: Client) =>
      client('GET', '/employees').then((one) => one.headers['link-template']);
    expect(await template(bob)).not.toMatch(/salary|bonus|phone/i);
    expect(await template(ada)).toMatch(/salary\.gte/);
    expect(await template(ada)).toMatch(/minSalary/);
  });

  test.each(['salary', 'phone', 'bonus'])('cannot test %s in a JSON Patch', async (name) => {
    const path = await employee();
    const value = (await ada('GET', path)).json()[name];
    const json = [
      { op: 'test', path: `/${name}`, value },
      { op: 'add', path: '/name', value: 'tested' },
    ];
    expectProblem(await bob('PATCH', path, { json, headers: JSON_PATCH }), 409, 'patch-conflict');
    const copied = [{ op: 'copy', from: `/${name}`, path: '/name' }];
    expectProblem(await bob('PATCH', path, { json: copied, headers: JSON_PATCH }), 409, 'patch-conflict');
    expect((await ada('PATCH', path, { json, headers: JSON_PATCH })).status).toBe(200);
  });

  test.each(['GET', 'HEAD'])('cannot read the bytes of a binary field by %s', async (method) => {
    const path = await employee();
    for (const address of [`${path}?fields=contract`, `${path}/contract`]) {
      const refused = await bob(method, address);
      expect(refused.status).toBe(403);
      expect(refused.headers['x-amzn-remapped-www-authenticate']).toBe(
        'Bearer error="insufficient_scope", scope="salaries:read"',
      );
    }
    expect((await ada('GET', `${path}?fields=contract`)).text).toBe('%PDF-secret');
  });

  test('gets another entity tag, and 304 for the own one only', async () => {
    const path = await employee();
    for (const uri of [path, `/employees?id=${idOf(path)}`]) {
      const [one, all] = [await bob('GET', uri), await ada('GET', uri)];
      const given = ({ headers }: Answer) => ({ headers: { 'If-None-Match': headers.etag as string } });
      expect(one.headers.etag).not.toBe(all.headers.etag);
      expect((await bob('GET', uri, given(one))).status).toBe(304);
      expect((await bob('GET', uri, given(all))).status).toBe(200);
      expect((await ada('GET', uri, given(one))).status).toBe(200);
      for (const { headers } of [one, all]) expect(headers['cache-control']).toBe('private, no-cache');
    }
  });

  test('gets 304 by a date, and callers with the scope get 200', async () => {
    const path = await employee();
    const review = await ada('POST', '/reviews', { json: { employeeId: idOf(path), score: 3 } });
    for (const uri of [path, `${review.headers.location}?expand=employee`]) {
      const all = await ada('GET', uri);
      const headers = { 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() };
      expect((await bob('GET', uri, { headers })).status).toBe(304);
      expect((await ada('GET', uri, { headers })).status).toBe(200);
      expect(all.headers).not.toHaveProperty('last-modified');
    }
  });

  test('sees it neither in forms nor on the page that confirms a removal', async () => {
    const path = await employee();
    for (const page of ['/employees/new', `${path}/edit`, `${path}/delete`]) {
      const shown = await bob('GET', page, { headers: { Accept: 'text/html' } });
      expect(shown.status).toBe(200);
      if (!page.endsWith('new')) expectNothing(shown);
      const data = await bob('GET', page, { headers: { Accept: 'application/json' } });
      expect(data.text).not.toMatch(/salary|bonus|contract|7654/);
      expect(shown.text).not.toMatch(/name="(?:salary|bonus|contract)"/);
    }
    expect((await bob('GET', `${path}/edit`, { headers: { Accept: 'text/html' } })).text).not.toMatch(
      /grade/i,
    );
    const whole = await ada('GET', `${path}/edit`, { headers: { Accept: 'text/html' } });
    expect(whole.text).toMatch(/name="salary"/);
    expect(whole.text).toMatch(/name="grade"/);
  });

  test('can write under the entity tag that another caller gave', async () => {
    const path = await employee();
    const headers = { 'If-Match': (await ada('GET', path)).headers.etag as string };
    expect((await bob('PUT', path, { json: { name: 'x' }, headers })).status).toBe(200);
    expectProblem(await bob('PUT', path, { json: { name: 'y' }, headers }), 412);
  });
});

describe('a caller who cannot see a field', () => {
  const changes: readonly (readonly [string, (path: string) => Promise<Answer>])[] = [
    ['PUT', (path) => bob('PUT', path, { json: { name: 'new' } })],
    [
      'PUT of XML',
      (path) =>
        bob('PUT', path, {
          body: '<employee><name>new</name></employee>',
          headers: { 'Content-Type': 'application/xml' },
        }),
    ],
    [
      'a merge patch with an idempotency key',
      (path) =>
        bob('PATCH', path, { json: { name: 'new' }, headers: { ...MERGE_PATCH, 'Idempotency-Key': path } }),
    ],
    [
      'PUT under a precondition',
      (path) => bob('PUT', path, { json: { name: 'new' }, headers: { 'If-Match': '*' } }),
    ],
    [
      'an asynchronous PUT',
      (path) => bob('PUT', path, { json: { name: 'new' }, headers: { Prefer: 'respond-async, wait=10' } }),
    ],
    ['a merge patch', (path) => bob('PATCH', path, { json: { name: 'new' }, headers: MERGE_PATCH })],
    [
      'a JSON Patch',
      (path) =>
        bob('PATCH', path, { json: [{ op: 'replace', path: '/name', value: 'new' }], headers: JSON_PATCH }),
    ],
    [
      'a JSON Patch of the whole item',
      (path) =>
        bob('PATCH', path, {
          json: [{ op: 'replace', path: '', value: { id: idOf(path), name: 'new', grade: 'b' } }],
          headers: JSON_PATCH,
        }),
    ],
    ['a change', (path) => bob('POST', path, { json: { name: 'new' } })],
    ['a form', (path) => bob('POST', `${path}/edit`, { body: 'name=new', headers: FORM })],
    ['PUT of the list', (path) => bob('PUT', '/employees', { json: [{ id: idOf(path), name: 'new' }] })],
    [
      'PUT of the list for each element',
      (path) =>
        bob('PUT', '/employees', {
          json: [{ id: idOf(path), name: 'new' }],
          headers: { Prefer: 'handling=lenient' },
        }),
    ],
    [
      'an asynchronous PUT of the list',
      (path) =>
        bob('PUT', '/employees', {
          json: [{ id: idOf(path), name: 'new' }],
          headers: { Prefer: 'respond-async, wait=10' },
        }),
    ],
    [
      'an asynchronous PUT of the list for each element',
      (path) =>
        bob('PUT', '/employees', {
          json: [{ id: idOf(path), name: 'new' }],
          headers: { Prefer: 'respond-async, wait=10, handling=lenient' },
        }),
    ],
  ];

  test.each(changes)('keeps all of it after %s', async (_, change) => {
    const path = await employee();
    expect((await change(path)).status).toBeLessThan(400);
    const shown = (await ada('GET', path)).json();
    expect(shown).toMatchObject({ ...WHOLE, name: 'new', bonus: 765 });
    expect(shown.contract).toHaveProperty('href');
    const sorted = await ada('GET', `/employees?sort=-salary&id=${idOf(path)}`);
    expect(sorted.json().items).toHaveLength(1);
  });

  test('sets it without seeing it, if it needs no scope to be set', async () => {
    const path = await employee();
    expect((await bob('PUT', path, { json: { name: 'n', phone: '1' } })).text).not.toContain('phone');
    expect((await ada('GET', path)).json()).toMatchObject({ phone: '1', salary: 7654 });
    await bob('PATCH', path, { json: { phone: '2' }, headers: MERGE_PATCH });
    expect((await ada('GET', path)).json()).toMatchObject({ name: 'n', phone: '2' });
  });

  test('replaces an item that changes meanwhile without loss', async () => {
    const path = await employee();
    const turns = Array.from({ length: 6 }, (_, at) => at);
    const answers = await Promise.all(
      turns.flatMap((at) => [
        bob('PUT', path, { json: { name: `n${at}` } }),
        ada('PATCH', path, { json: { salary: 100 + at }, headers: MERGE_PATCH }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { salary, bonus } = (await ada('GET', path)).json();
    expect(salary).toBeGreaterThanOrEqual(100);
    expect(salary).toBeLessThan(106);
    expect(bonus).toBe(10);
  });
});
