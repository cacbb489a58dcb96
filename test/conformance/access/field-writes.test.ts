import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { formOf, urlencoded } from '../../support/client/page.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { type Closed, clientAs, closed } from '../../support/service/closed.ts';
import { opened } from '../../support/service/opened.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/*
 * Fields that a caller sets only with a scope (decision 57). `ada` has all scopes. `eve` sees all fields and cannot
 * set those.
 */
const PATHS = 'employees:read employees:write reviews:read reviews:write';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const PDF = { 'Content-Type': 'application/pdf' };
const DATA = 'data:application/pdf;base64,JVBERg==';

let service: Closed;
let ada: Client;
let eve: Client;

beforeAll(async () => {
  service = await closed(withFixture('guarded'));
  ada = await clientAs(service, 'ada', `${PATHS} salaries:read salaries:write contacts:read reviews:score`);
  eve = await clientAs(service, 'bob', `${PATHS} salaries:read contacts:read`);
}, 40_000);

const WHOLE = { name: 'Grace', salary: 5000, grade: 'b' };

const made = async (path: string, json: object): Promise<string> => {
  const answer = await ada('POST', path, { json });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
};
const employee = (): Promise<string> => made('/employees', WHOLE);
const idOf = (path: string): number => Number(path.split('/').at(-1));

/** A refusal that names the field and its scope. */
function expectForbidden(answer: Answer, pointer: string, scope = 'salaries:write'): void {
  expectProblem(answer, 403, 'forbidden');
  expect(answer.json().errors).toContainEqual({ pointer, detail: `needs the scope ${scope}` });
  expect(answer.headers['x-amzn-remapped-www-authenticate']).toBe(
    `Bearer error="insufficient_scope", scope="${scope}"`,
  );
}

describe('a new item with a field that the caller cannot set', () => {
  const json = { name: 'Grace', salary: 1 };
  const XML = { 'Content-Type': 'application/xml' };
  const CSV = { 'Content-Type': 'text/csv' };
  const rows: readonly (readonly [string, string, () => Promise<Answer>])[] = [
    ['POST', '/salary', () => eve('POST', '/employees', { json })],
    [
      'POST of XML',
      '/salary',
      () =>
        eve('POST', '/employees', {
          body: '<employee><name>a</name><salary>1</salary></employee>',
          headers: XML,
        }),
    ],
    [
      'POST with a data: URI',
      '/contract',
      () => eve('POST', '/employees', { json: { name: 'a', contract: DATA } }),
    ],
    [
      'a form',
      '/salary',
      () =>
        eve('POST', '/employees', {
          body: 'name=a&salary=1',
          headers: { ...FORM, Accept: 'application/json' },
        }),
    ],
    ['POST of an array', '/1/salary', () => eve('POST', '/employees', { json: [{ name: 'a' }, json] })],
    [
      'POST of CSV',
      '/1/salary',
      () => eve('POST', '/employees', { body: 'name,salary\r\na,\r\nb,1\r\n', headers: CSV }),
    ],
    [
      'an asynchronous POST',
      '/salary',
      () => eve('POST', '/employees', { json, headers: { Prefer: 'respond-async' } }),
    ],
    [
      'an asynchronous POST of an array',
      '/0/salary',
      () => eve('POST', '/employees', { json: [json], headers: { Prefer: 'respond-async' } }),
    ],
  ];

  test.each(rows)('gets 403 by %s', async (_, pointer, send) => expectForbidden(await send(), pointer));

  test('gets 403 for its element alone if the request is lenient', async () => {
    const headers = { Prefer: 'handling=lenient' };
    const answer = await eve('POST', '/employees', { json: [{ name: 'a' }, json], headers });
    expect(answer.status).toBe(207);
    expect(answer.json().items.map(({ status }) => status)).toEqual([201, 403]);
  });

  test('gets 403 with the fields of all elements, and without their other faults', async () => {
    const answer = await eve('POST', '/employees', { json: [{ name: 5 }, json, { ...json, grade: 'c' }] });
    expectProblem(answer, 403, 'forbidden');
    expect(answer.json().errors).toEqual(
      ['/1/salary', '/2/salary', '/2/grade'].map((pointer) => ({
        pointer,
        detail: 'needs the scope salaries:write',
      })),
    );
  });

  test('is made without the field, which gets its default', async () => {
    const answer = await eve('POST', '/employees', { json: { name: 'a', salary: null } });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ name: 'a', grade: 'a' });
  });

  test('gets 403 if the field is required and absent', async () => {
    expectForbidden(await eve('POST', '/reviews', { json: { employeeId: 1 } }), '/score', 'reviews:score');
    expectForbidden(
      await eve('POST', '/reviews', { json: [{ employeeId: 1 }] }),
      '/0/score',
      'reviews:score',
    );
  });
});

describe('a change of a field that the caller cannot set', () => {
  const item = (path: string, more: object = {}) => ({ id: idOf(path), ...WHOLE, ...more });
  const rows: readonly (readonly [string, string, (path: string) => Promise<Answer>])[] = [
    ['PUT', '/salary', (path) => eve('PUT', path, { json: { ...WHOLE, salary: 1 } })],
    [
      'PUT that leaves nothing else out',
      '/grade',
      (path) => eve('PUT', path, { json: { name: 'a', grade: 'c' } }),
    ],
    [
      'PUT under a precondition',
      '/salary',
      (path) => eve('PUT', path, { json: { ...WHOLE, salary: 1 }, headers: { 'If-Match': '*' } }),
    ],
    ['PUT with a data: URI', '/contract', (path) => eve('PUT', path, { json: { ...WHOLE, contract: DATA } })],
    ['a merge patch', '/salary', (path) => eve('PATCH', path, { json: { salary: 1 }, headers: MERGE_PATCH })],
    [
      'a merge patch that removes it',
      '/salary',
      (path) => eve('PATCH', path, { json: { salary: null }, headers: MERGE_PATCH }),
    ],
    [
      'a JSON Patch',
      '/salary',
      (path) =>
        eve('PATCH', path, { json: [{ op: 'replace', path: '/salary', value: 1 }], headers: JSON_PATCH }),
    ],
    [
      'a JSON Patch that removes it',
      '/grade',
      (path) => eve('PATCH', path, { json: [{ op: 'remove', path: '/grade' }], headers: JSON_PATCH }),
    ],
    ['a change', '/salary', (path) => eve('POST', path, { json: { salary: 1 } })],
    [
      'a form',
      '/salary',
      (path) =>
        eve('POST', `${path}/edit`, {
          body: 'name=a&salary=1',
          headers: { ...FORM, Accept: 'application/json' },
        }),
    ],
    [
      'a form with an empty input',
      '/salary',
      (path) =>
        eve('POST', `${path}/edit`, { body: 'salary=', headers: { ...FORM, Accept: 'application/json' } }),
    ],
    [
      'PUT of the list',
      '/0/salary',
      (path) => eve('PUT', '/employees', { json: [item(path, { salary: 1 })] }),
    ],
    [
      'PUT of an object with the list',
      '/items/0/salary',
      (path) => eve('PUT', '/employees', { json: { items: [item(path, { salary: 1 })] } }),
    ],
    [
      'an asynchronous PUT',
      '/salary',
      (path) => eve('PUT', path, { json: { ...WHOLE, salary: 1 }, headers: { Prefer: 'respond-async' } }),
    ],
    [
      'an asynchronous PUT of the list',
      '/0/salary',
      (path) =>
        eve('PUT', '/employees', { json: [item(path, { salary: 1 })], headers: { Prefer: 'respond-async' } }),
    ],
  ];

  test.each(rows)('gets 403 by %s', async (_, pointer, change) => {
    const path = await employee();
    expectForbidden(await change(path), pointer);
    expect((await ada('GET', path)).json()).toMatchObject(WHOLE);
  });

  test('gets 403 for its element alone if the request is lenient', async () => {
    const [one, other] = [await employee(), await employee()];
    const answer = await eve('PUT', '/employees', {
      json: [item(one, { salary: 1 }), item(other, { name: 'b' })],
      headers: { Prefer: 'handling=lenient' },
    });
    expect(answer.json().items.map(({ status }) => status)).toEqual([403, 200]);
    expect((await ada('GET', other)).json()).toMatchObject({ ...WHOLE, name: 'b' });
  });

  test('gets 403 with the fields of all elements, and without their other faults', async () => {
    const [one, other] = [await employee(), await employee()];
    const answer = await eve('PUT', '/employees', {
      json: [{ id: 1, name: 'a' }, item(one, { salary: 1 }), item(other, { salary: 1, grade: 'c' })],
    });
    expectProblem(answer, 403, 'forbidden');
    expect(answer.json().errors.map(({ pointer }) => pointer)).toEqual([
      '/1/salary',
      '/2/salary',
      '/2/grade',
    ]);
  });

  // The service checks at most 100 elements before it accepts a request.
  test('gets 403 with its scope if the client waits for the operation', async () => {
    const path = await employee();
    const others = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: 'a' }));
    const answer = await eve('PUT', '/employees', {
      json: [item(path, { salary: 1 }), ...others],
      headers: { Prefer: 'respond-async, wait=10' },
    });
    expectForbidden(answer, '/0/salary');
  });

  test('is a failure of an operation that is lenient', async () => {
    const [one, other] = [await employee(), await employee()];
    const accepted = await eve('PUT', '/employees', {
      json: [item(one, { salary: 1 }), item(other, { name: 'b' })],
      headers: { Prefer: 'respond-async, handling=lenient' },
    });
    const { result } = (await ended(accepted, eve)).json();
    expect(result).toMatchObject({ failures: [{ problem: { status: 403 } }] });
    expect((await ada('GET', one)).json()).toMatchObject(WHOLE);
    expect((await ada('GET', other)).json()).toMatchObject({ ...WHOLE, name: 'b' });
  });

  test('gets 403 by a form that removes its bytes', async () => {
    const path = await employee();
    await ada('PUT', `${path}?fields=contract`, { body: '%PDF', headers: PDF });
    const headers = { ...FORM, Accept: 'application/json' };
    expectForbidden(await eve('POST', `${path}/edit`, { body: 'contract=', headers }), '/contract');
    expect((await eve('GET', `${path}?fields=contract`)).text).toBe('%PDF');
  });

  test('gets a page that names the scope, and changes nothing', async () => {
    const path = await employee();
    const answer = await eve('POST', `${path}/edit`, { body: 'name=b&salary=1', headers: FORM });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('salaries:write');
    expect((await ada('GET', path)).json()).toMatchObject(WHOLE);
  });

  test.each(['PUT', 'DELETE'])('gets 403 by %s of its bytes', async (method) => {
    const path = `${await employee()}?fields=contract`;
    expect((await ada('PUT', path, { body: '%PDF', headers: PDF })).status).toBe(201);
    const answer = await eve(method, path, method === 'PUT' ? { body: '%PDF-2', headers: PDF } : {});
    expectProblem(answer, 403, 'forbidden');
    expect(answer.headers['x-amzn-remapped-www-authenticate']).toContain('scope="salaries:write"');
    expect((await eve('GET', path)).text).toBe('%PDF');
  });
});

describe('a caller who cannot set a field', () => {
  test.each([
    ['the present value', WHOLE],
    ['the field left out', { name: 'Grace' }],
    ['null', { ...WHOLE, salary: null }],
  ])('can send a PUT with %s', async (_, json) => {
    const path = await employee();
    const answer = await eve('PUT', path, { json: { ...json, phone: '1' } });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ ...WHOLE, phone: '1', bonus: 500 });
  });

  test('can send the representation of the item back', async () => {
    const path = await employee();
    await ada('PUT', `${path}?fields=contract`, { body: '%PDF', headers: PDF });
    const json = (await eve('GET', path)).json();
    const answer = await eve('PUT', path, { json });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ ...WHOLE, contract: { contentType: 'application/pdf' } });
  });

  test('can leave a required field out of a PUT', async () => {
    const path = await made('/reviews', { employeeId: 1, score: 4 });
    expect((await eve('PUT', path, { json: { employeeId: 2 } })).json()).toMatchObject({
      employeeId: 2,
      score: 4,
    });
    const list = await eve('PUT', '/reviews', { json: [{ id: idOf(path), employeeId: 3 }] });
    expect(list.json().items).toMatchObject([{ employeeId: 3, score: 4 }]);
    expectProblem(await ada('PUT', path, { json: { employeeId: 2 } }), 400, 'validation-error');
    expectProblem(await eve('PUT', path, { json: {} }), 400, 'validation-error');
  });

  test('gets a form without an input for it, and changes the others', async () => {
    const path = await employee();
    const form = await eve('GET', `${path}/edit`, { headers: { Accept: 'text/html' } });
    expect(form.text).not.toMatch(/salary|grade/i);
    expect((await eve('POST', `${path}/edit`, { body: 'name=b&phone=1', headers: FORM })).status).toBe(303);
    expect((await ada('GET', path)).json()).toMatchObject({ ...WHOLE, name: 'b', phone: '1' });
    const page = await eve('GET', path, { headers: { Accept: 'text/html' } });
    expect(page.text).toContain('5000');
  });

  test('gets the form again without the input that the caller cannot set', async () => {
    const path = await employee();
    const answer = await eve('POST', `${path}/edit`, { body: 'name=Lin&salary=1', headers: FORM });
    expect([answer.status, answer.headers['x-amzn-remapped-www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="salaries:write"',
    ]);
    expect(answer.text).toContain('<li>Salary: needs the scope salaries:write</li>');
    expect(answer.text).not.toContain('/salary');
    const { action, inputs } = formOf(answer.text);
    expect([action, inputs.get('name'), inputs.has('salary')]).toEqual([`${path}/edit`, 'Lin', false]);
    expect((await eve('POST', action, { body: urlencoded(inputs), headers: FORM })).status).toBe(303);
    expect((await ada('GET', path)).json()).toMatchObject({ name: 'Lin', salary: 5000 });
  });

  test('gets 404, not 403, for a missing item', async () => {
    expectProblem(await eve('PUT', '/employees/1', { json: { ...WHOLE, salary: 1 } }), 404);
  });

  test('can test the field in a JSON Patch', async () => {
    const json = [
      { op: 'test', path: '/salary', value: 5000 },
      { op: 'replace', path: '/salary', value: 5000 },
      { op: 'add', path: '/name', value: 'tested' },
    ];
    const answer = await eve('PATCH', await employee(), { json, headers: JSON_PATCH });
    expect(answer.json()).toMatchObject({ name: 'tested', salary: 5000 });
  });
});

describe('an open service', () => {
  test('shows and sets every field', async () => {
    const { send } = await opened('guarded');
    const { headers } = await send('POST', '/employees', { json: WHOLE });
    const path = headers.location as string;
    expect((await send('GET', path)).json()).toMatchObject({ ...WHOLE, bonus: 500 });
    expect((await send('PUT', path, { json: { name: 'a', salary: 8191 } })).json()).toMatchObject({
      salary: 8191,
    });
    expect((await send('GET', '/employees?salary=8191')).json().items).toHaveLength(1);
    expect((await send('GET', path)).text).not.toContain('createdBy');
  }, 40_000);
});
