import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { type Created, create, send, underTest, unique } from '../../support/service/under-test.ts';

// Specification 10.10: each method that writes an item, at the limits of an item and of the store.
underTest();

type Values = Readonly<Record<string, unknown>>;

/** Sends a request as an operation. Its result is what the request itself would have got. */
async function deferred(method: string, path: string, json: unknown, headers = {}): Promise<Answer> {
  const accepted = await send(method, path, { json, headers: { Prefer: 'respond-async', ...headers } });
  return accepted.status === 202 ? ended(accepted) : accepted;
}

/** Each way to give an item new values. `now`: all values of the item; `then`: those after the change. */
const WAYS: Readonly<Record<string, (item: Created, then: Values, changed: Values) => Promise<Answer>>> = {
  PUT: ({ path }, then) => send('PUT', path, { json: then }),
  'PUT with If-Match': ({ path, etag }, then) =>
    send('PUT', path, { json: then, headers: { 'If-Match': etag } }),
  'PUT with Idempotency-Key': ({ path }, then) =>
    send('PUT', path, { json: then, headers: { 'Idempotency-Key': unique('key') } }),
  'a merge patch': ({ path }, _, json) => send('PATCH', path, { json, headers: MERGE_PATCH }),
  'a JSON Patch': ({ path }, _, changed) =>
    send('PATCH', path, {
      headers: JSON_PATCH,
      json: Object.entries(changed).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    }),
  'PUT of a list': ({ id }, then) => send('PUT', '/customers', { json: [{ ...then, id }] }),
  'a lenient PUT of a list': async ({ id }, then) => {
    const headers = { Prefer: 'handling=lenient' };
    return only(await send('PUT', '/customers', { json: [{ ...then, id }], headers }));
  },
  'PUT as an operation': ({ path }, then) => deferred('PUT', path, then),
  'PATCH as an operation': ({ path }, _, changed) => deferred('PATCH', path, changed, MERGE_PATCH),
  'PUT of a list as an operation': ({ id }, then) => deferred('PUT', '/customers', [{ ...then, id }]),
};

/** The status of the only element of a lenient request. */
const only = (answer: Answer): Answer => ({
  ...answer,
  status: Number((answer.json().items[0] as { status?: unknown } | undefined)?.status ?? answer.status),
});

/** The status of a request, or the one that its operation says it would have been. */
function outcomeOf(answer: Answer): number | 'success' {
  const { status, error, result } = operationOf(answer) as {
    status?: unknown;
    error?: { status: number };
    result?: { status: number };
  };
  const isOperation = answer.headers['content-type'] === 'application/json' && typeof status === 'string';
  const final = isOperation ? (error?.status ?? result?.status ?? answer.status) : answer.status;
  return final < 300 ? 'success' : final;
}

const properties = (count: number): Values =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]));

// DynamoDB: an expression has at most 4 KB.
describe.each([101, 3_000])('an item with %i undeclared properties', (count) => {
  const values = { name: 'a', ...properties(count) };

  test.each(Object.entries(WAYS))('is changed by %s', async (_, change) => {
    const item = await create('/customers', values);
    expect(outcomeOf(await change(item, { ...values, name: 'b' }, { name: 'b' }))).toBe('success');
    expect((await send('GET', item.path)).json()).toMatchObject({ ...values, name: 'b' });
  });

  test('is changed by a restoration', async () => {
    const { path } = await create('/customers', values);
    expect((await send('PUT', path, { json: { name: 'b' } })).status).toBe(200);
    expect((await send('POST', `${path}/versions/1/restore`)).status).toBe(200);
    expect((await send('GET', path)).json()).toMatchObject(values);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('POST', `${path}/versions/1/restore`)).status).toBe(201);
  });

  test('is changed by a transition', async () => {
    const { path } = await create('/orders', { productId: 1, orderValue: 1, ...properties(count) });
    expect((await send('POST', `${path}/pay`)).status).toBe(200);
    expect((await send('GET', path)).json()).toMatchObject({ status: 'paid', ...properties(count) });
  });

  test('is changed by bytes and by a form', async () => {
    const { path } = await create('/members', { username: 'a', ...properties(count) });
    const image = { body: Buffer.from('GIF89a'), headers: { 'Content-Type': 'image/gif' } };
    expect((await send('PUT', `${path}?fields=photo`, image)).status).toBe(201);
    expect((await send('DELETE', `${path}?fields=photo`)).status).toBe(204);
    const inputs = { body: 'name=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect((await send('POST', path, inputs)).status).toBe(200);
    expect((await send('GET', path)).json()).toMatchObject({ name: 'b', ...properties(count) });
  });
});

/** Values whose JSON text has so many bytes. */
function valuesOf(bytes: number, name: string): Values {
  const rest = Buffer.byteLength(JSON.stringify({ name, note: '' }));
  return { name, note: 'x'.repeat(bytes - rest) };
}

const MOST = 256 * 1024;

describe.each([
  ['as large as an item can be', MOST, 'success' as const],
  ['one byte larger', MOST + 1, 413],
])('new values %s', (_, bytes, expected) => {
  const then = valuesOf(bytes, 'b');

  test(`get ${expected} from POST`, async () => {
    expect(outcomeOf(await send('POST', '/customers', { json: then }))).toBe(expected);
    expect(outcomeOf(await send('POST', '/customers', { json: [then] }))).toBe(expected);
    expect(outcomeOf(await deferred('POST', '/customers', then))).toBe(expected);
  });

  test.each(Object.entries(WAYS))(`get ${expected} from %s`, async (_way, change) => {
    const item = await create('/customers', valuesOf(MOST, 'a'));
    expect(outcomeOf(await change(item, then, then))).toBe(expected);
  });
});

// The service adds `quantity` to the values of a client, so POST counts it.
test('an order as large as POST accepts can be changed', async () => {
  const rest = Buffer.byteLength(JSON.stringify({ productId: 1, orderValue: 1, note: '', quantity: 1 }));
  const order = (note: number) => ({ productId: 1, orderValue: 1, note: 'x'.repeat(note) });
  const refused = await send('POST', '/orders', { json: order(MOST - rest + 1) });
  expectProblem(refused, 413, 'payload-too-large');
  const { path } = await create('/orders', order(MOST - rest));
  const changed = { json: { productId: 2, orderValue: 1 }, headers: MERGE_PATCH };
  expect((await send('PATCH', path, changed)).status).toBe(200);
  expect((await send('PUT', path, { json: (await send('GET', path)).json() })).status).toBe(200);
  expect((await send('POST', `${path}/versions/1/restore`)).status).toBe(200);
  expect((await send('POST', `${path}/pay`)).status).toBe(200);
});
