import { describe, expect, test } from '@jest/globals';
import type { Answer, SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withConstraints } from '../../support/service/constrained.ts';
import { unique } from '../../support/service/under-test.ts';

/*
 * A resource with unique fields: DynamoDB refuses a second item with the value on every path (decision 54).
 */
const { send } = withConstraints();
const post = (json: unknown, headers = {}) => send('POST', '/companies', { json, headers });

/** A company with a tax number that no other test uses. */
async function company(more: object = {}): Promise<{ path: string; id: number; taxNumber: string }> {
  const taxNumber = unique('tax ');
  const answer = await post({ name: 'a', taxNumber, ...more });
  expect(answer.status).toBe(201);
  return { path: answer.headers.location as string, id: answer.json().id, taxNumber };
}

const expectTaken = (answer: Answer, pointer = '/taxNumber') => {
  expectProblem(answer, 409, 'conflict');
  expect(answer.json().errors).toEqual([{ pointer, detail: 'is the value of another company' }]);
};

const ASYNC = { Prefer: 'respond-async' };
const LENIENT = { Prefer: 'handling=lenient' };
const key = () => ({ 'Idempotency-Key': `"${crypto.randomUUID()}"` });

describe('a value that another item has', () => {
  test.each([
    ['POST', (taxNumber: string) => post({ taxNumber })],
    ['POST with a key', (taxNumber: string) => post({ taxNumber }, key())],
    ['POST that responds later', (taxNumber: string) => post({ taxNumber }, ASYNC)],
  ])('gets 409 for %s', async (_, create) => expectTaken(await create((await company()).taxNumber)));

  const changes: readonly (readonly [string, string, (taxNumber: string) => SentRequest])[] = [
    ['PUT', 'PUT', (taxNumber) => ({ json: { taxNumber } })],
    ['PUT with a key', 'PUT', (taxNumber) => ({ json: { taxNumber }, headers: key() })],
    ['PUT that responds later', 'PUT', (taxNumber) => ({ json: { taxNumber }, headers: ASYNC })],
    ['a merge patch', 'PATCH', (taxNumber) => ({ json: { taxNumber }, headers: MERGE_PATCH })],
    [
      'a JSON patch',
      'PATCH',
      (value) => ({
        body: JSON.stringify([{ op: 'replace', path: '/taxNumber', value }]),
        headers: JSON_PATCH,
      }),
    ],
    ['POST of a change', 'POST', (taxNumber) => ({ json: { taxNumber } })],
  ];
  test.each(changes)('gets 409 for %s, which changes nothing', async (_, method, sent) => {
    const [{ taxNumber }, { path }] = [await company(), await company()];
    const before = await send('GET', path);
    expectTaken(await send(method, path, sent(taxNumber)));
    expect((await send('GET', path)).text).toBe(before.text);
  });

  test('appears with its message in the form again', async () => {
    const { taxNumber } = await company();
    const answer = await send('POST', '/companies/new', {
      body: `taxNumber=${encodeURIComponent(taxNumber)}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
    });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('is the value of another company');
    expect(answer.text).toContain(`value="${taxNumber}"`);
  });

  test('gets 409 in an array, and nothing is created', async () => {
    const { taxNumber } = await company();
    const name = unique('bulk');
    const answer = await post([{ name }, { name, taxNumber }]);
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().errors).toEqual([
      { pointer: '/1/taxNumber', detail: 'is the value of another company' },
    ]);
    expect((await send('GET', `/companies?name=${name}`)).json().items).toEqual([]);
  });

  test('gets 409 twice in one array', async () => {
    const taxNumber = unique('tax ');
    const answer = await post([{ taxNumber }, { taxNumber }]);
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().errors).toHaveLength(1);
  });

  test('is the problem of one element in a lenient array', async () => {
    const taxNumber = unique('tax ');
    const answer = await post([{ taxNumber }, { taxNumber }, { taxNumber: unique('tax ') }], LENIENT);
    expect(answer.status).toBe(207);
    expect(answer.text.match(/is the value of another company/g)).toHaveLength(1);
    expect(
      (await send('GET', `/companies?taxNumber=${encodeURIComponent(taxNumber)}`)).json().items,
    ).toHaveLength(1);
  });

  test('gets 409 in a PUT of the collection', async () => {
    const [one, two] = [await company(), await company()];
    const answer = await send('PUT', '/companies', { json: [{ id: two.id, taxNumber: one.taxNumber }] });
    expectProblem(answer, 409, 'conflict');
    expect(answer.json().errors).toEqual([
      { pointer: '/0/taxNumber', detail: 'is the value of another company' },
    ]);
  });

  test('gets 409 as a number, however it is written', async () => {
    await company({ number: 12, rate: 0.5 });
    expectTaken(await post({ number: 12 }), '/number');
    const body = '{"rate": 5e-1}';
    const headers = { 'Content-Type': 'application/json' };
    expectTaken(await send('POST', '/companies', { body, headers }), '/rate');
  });

  test('fails an accepted operation if another request took it meanwhile', async () => {
    const values = Array.from({ length: 150 }, () => ({ taxNumber: unique('tax ') }));
    const accepted = await post(values, ASYNC);
    const last = values.at(-1)?.taxNumber;
    const rival = await post({ taxNumber: last });
    const operation = await ended(accepted, send);
    const found = await send('GET', `/companies?taxNumber=${encodeURIComponent(last as string)}`);
    expect(found.json().items).toHaveLength(1);
    expect([201, 409]).toContain(rival.status);
    expect([200, 303]).toContain(operation.status);
  });
});

describe('a value', () => {
  test('may differ by case, and may be absent from many items', async () => {
    const { taxNumber } = await company();
    expect((await post({ taxNumber: taxNumber.toUpperCase() })).status).toBe(201);
    expect((await post([{ name: 'x' }, { name: 'x' }])).status).toBe(201);
  });

  // Specification 2.11
  test('is the same in another Unicode form, and an empty text is not a value', async () => {
    const taxNumber = `Caf\u00e9 ${unique('tax ')}`;
    const { path } = await company({ taxNumber });
    const decomposed = taxNumber.normalize('NFD');
    expectTaken(await post({ taxNumber: decomposed }));
    // The item may write its own value in the other form, and has it as it was sent.
    const changed = await send('PUT', path, { json: { taxNumber: decomposed } });
    expect([changed.status, changed.json().taxNumber]).toEqual([200, decomposed]);
    expectTaken(await post({ taxNumber }));
    for (const json of [{ taxNumber: '' }, [{ taxNumber: '' }, { taxNumber: '' }]])
      expect((await post(json)).status).toBe(201);
  });

  test('stays with its item when the item gets it again', async () => {
    const { path, taxNumber } = await company();
    expect((await send('PUT', path, { json: { name: 'b', taxNumber } })).status).toBe(200);
    expect((await send('PATCH', path, { json: { name: 'c' }, headers: MERGE_PATCH })).status).toBe(200);
    expectTaken(await post({ taxNumber }));
  });

  const releases: readonly (readonly [string, (path: string, id: number) => Promise<Answer>])[] = [
    ['PUT', (path) => send('PUT', path, { json: { name: 'b' } })],
    ['PUT with a key', (path) => send('PUT', path, { json: { taxNumber: unique('tax ') }, headers: key() })],
    ['a patch', (path) => send('PATCH', path, { json: { taxNumber: null }, headers: MERGE_PATCH })],
    ['DELETE', (path) => send('DELETE', path)],
    ['DELETE with a key', (path) => send('DELETE', path, { headers: key() })],
    [
      'DELETE that responds later',
      async (path) => ended(await send('DELETE', path, { headers: ASYNC }), send),
    ],
    ['PUT of the collection', (_, id) => send('PUT', '/companies', { json: [{ id, name: 'b' }] })],
    [
      'the form that removes it',
      (path) =>
        send('POST', `${path}/delete`, {
          body: '',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
        }),
    ],
  ];
  test.each(releases)('is free after %s', async (_, release) => {
    const { path, id, taxNumber } = await company();
    expect((await release(path, id)).status).toBeLessThan(400);
    expect((await post({ taxNumber })).status).toBe(201);
  });

  test('can change places with that of another item in one request', async () => {
    const [one, two] = [await company(), await company()];
    const json = [
      { id: one.id, taxNumber: two.taxNumber },
      { id: two.id, taxNumber: one.taxNumber },
    ];
    expect((await send('PUT', '/companies', { json })).status).toBe(200);
    expectTaken(await post({ taxNumber: one.taxNumber }));
    expect((await send('GET', two.path)).json().taxNumber).toBe(one.taxNumber);
  });

  test('is in one item after a race of requests', async () => {
    for (const headers of [{}, key()]) {
      const taxNumber = unique('tax ');
      const own = () => ('Idempotency-Key' in headers ? key() : {});
      const answers = await Promise.all(Array.from({ length: 8 }, () => post({ taxNumber }, own())));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    }
  });

  test('is in one item after a race of changes and removals', async () => {
    const [one, two, three] = [await company(), await company(), await company()];
    const { taxNumber } = one;
    const answers = await Promise.all([
      send('DELETE', one.path),
      send('PUT', two.path, { json: { taxNumber } }),
      send('PATCH', three.path, { json: { taxNumber }, headers: MERGE_PATCH }),
      post({ taxNumber }),
    ]);
    const found = await send('GET', `/companies?taxNumber=${encodeURIComponent(taxNumber)}`);
    const taken = answers.slice(1).filter(({ status }) => status < 400);
    expect(answers[0]?.status).toBe(204);
    expect(found.json().items).toHaveLength(taken.length);
    expect(taken.length).toBeLessThanOrEqual(1);
  });

  test('has one effect when a request with a key is repeated', async () => {
    const headers = key();
    const json = { taxNumber: unique('tax ') };
    const [first, second] = [await post(json, headers), await post(json, headers)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.location).toBe(first.headers.location);
  });
});

describe('a collection', () => {
  test('is empty after DELETE, with all values free', async () => {
    const values = Array.from({ length: 120 }, (_, number) => ({
      number: number + 1000,
      taxNumber: unique('t'),
    }));
    const made = await post(values);
    await ended(made, send);
    const list = await send('GET', '/companies?limit=1000', { headers: { Prefer: 'count=exact' } });
    expect(list.json().items.every(({ id }) => id > 0)).toBe(true);
    expect(list.json().total).toBeGreaterThanOrEqual(120);
    const removed = await send('DELETE', '/companies');
    await ended(removed, send);
    expect((await send('GET', '/companies')).json().items).toEqual([]);
    expect((await ended(await post(values), send)).status).toBeLessThan(400);
    await ended(await send('DELETE', '/companies'), send);
  });
});
