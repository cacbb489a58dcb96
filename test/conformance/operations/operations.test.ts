import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, SentRequest } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { removeCustomers } from '../../support/customers.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Deferred requests. Source: Specification 7.1, 7.4; RFC 7240 §4.1. */
underTest();

const LATER = { Prefer: 'respond-async' };
const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const PATCH = { 'Content-Type': 'application/json-patch+json' };

const later = (method: string, path: string, sent: SentRequest = {}): Promise<Answer> =>
  send(method, path, { ...sent, headers: { ...LATER, ...sent.headers } });

/** Sends the request with respond-async, waits for the end and returns the operation. */
const done = async (method: string, path: string, sent?: SentRequest): Promise<Answer> =>
  ended(await later(method, path, sent));

/** Creates a member, or an item of another collection. */
const fresh = {
  member: () => create('/members', { name: unique('later') }),
  customer: () => create('/customers', { name: unique('later') }),
  product: () => create('/products', { name: unique('later'), price: 2 }),
  order: async () =>
    create(`${(await create('/customers', { name: 'x' })).path}/orders`, { productId: 1, orderValue: 1 }),
};

describe('an accepted request', () => {
  // Specification 7.3
  test('gets the operation and its Location at once', async () => {
    const answer = await later('POST', '/members', { json: { name: 'x' } });
    expect(answer.status).toBe(202);
    const { operationId, kind, status, createdAt, expiresAt, progress, links } = operationOf(answer);
    expect(answer.headers).toMatchObject({
      location: `/operations/${operationId}`,
      'content-location': `/operations/${operationId}`,
      'retry-after': '1',
      'cache-control': 'no-store',
      'preference-applied': 'respond-async',
    });
    expect(answer.headers.etag).toBeUndefined();
    expect({ kind, status, progress }).toEqual({
      kind: 'members.create',
      status: 'NotStarted',
      progress: { done: 0, total: 1, failed: 0 },
    });
    const week = Date.parse(expiresAt as string) - Date.parse(createdAt);
    expect(week).toBe(7 * 24 * 3600 * 1000);
    expect(links).toEqual(
      expect.arrayContaining([
        { rel: 'self', href: `/operations/${operationId}`, method: 'GET' },
        { rel: 'cancel', href: `/operations/${operationId}`, method: 'DELETE' },
      ]),
    );
  });

  test('gets XML or a page by Accept', async () => {
    const xml = await later('POST', '/members', {
      json: { name: 'x' },
      headers: { Accept: 'application/xml' },
    });
    expect([xml.status, xml.headers['content-type']]).toEqual([202, 'application/xml']);
    expect(xml.text).toMatch(/<operation>.*<status>NotStarted<\/status>.*<\/operation>/s);
    const page = await later('POST', '/members', { json: { name: 'x' }, headers: { Accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([202, 'text/html; charset=utf-8']);
    expect(page.headers.refresh).toBe('2');
  });

  test('is not deferred by an invalid preference', async () => {
    for (const Prefer of ['respond-sync', 'wait=5', 'async']) {
      const { status } = await send('POST', '/members', { json: { name: 'x' }, headers: { Prefer } });
      expect(status).toBe(201);
    }
  });

  test('is never a read of a service document', async () => {
    for (const path of ['/', '/members', '/operations']) expect((await get(path, LATER)).status).toBe(200);
  });
});

describe('a deferred request for a member', () => {
  test('creates by POST, and the operation leads to the member', async () => {
    const name = unique('created');
    const status = await done('POST', '/members', { json: { name, age: 0.5e1 } });
    expect(status.status).toBe(303);
    expect(operationOf(status)).toMatchObject({
      status: 'Succeeded',
      percentComplete: 100,
      result: { status: 201 },
    });
    const { location = '' } = status.headers;
    expect((await get(location)).json()).toMatchObject({ name, age: 5 });
    expect(operationOf(status).links).toContainEqual({ rel: 'result', href: location, method: 'GET' });
  });

  test('changes by PUT, both formats of PATCH, and POST on the item', async () => {
    const { path } = await fresh.member();
    const cases: [string, SentRequest, object][] = [
      ['PUT', { json: { name: 'put', age: 1 } }, { name: 'put', age: 1 }],
      ['PATCH', { json: { age: 2 }, headers: MERGE }, { name: 'put', age: 2 }],
      ['PATCH', { json: [{ op: 'remove', path: '/age' }], headers: PATCH }, { name: 'put' }],
      ['POST', { json: { age: 3 } }, { name: 'put', age: 3 }],
    ];
    for (const [method, sent, expected] of cases) {
      const status = await done(method, path, sent);
      expect([method, status.status, operationOf(status).result]).toEqual([method, 200, { status: 200 }]);
      expect((await get(path)).json()).toMatchObject(expected);
    }
  });

  // Specification 15.3
  test('removes by DELETE and does not hide the member before that', async () => {
    const { path } = await fresh.member();
    const accepted = await later('DELETE', path);
    expect([200, 404]).toContain((await get(path)).status);
    const status = await ended(accepted);
    expect([status.status, operationOf(status).result]).toEqual([200, { status: 204 }]);
    expect((await get(path)).status).toBe(404);
  });

  test('may have XML or a form as content', async () => {
    const name = unique('xml');
    const headers = { 'Content-Type': 'application/xml' };
    const xml = await done('POST', '/members', { body: `<member><name>${name}</name></member>`, headers });
    expect((await get(xml.headers.location as string)).json().name).toBe(name);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = await done('POST', '/members/new', { body: `name=${name}`, headers: form });
    expect((await get(sent.headers.location as string)).json().name).toBe(name);
  });
});

describe('a deferred request', () => {
  test('creates, changes and removes a customer', async () => {
    const status = await done('POST', '/customers', { json: { name: 'x' } });
    const path = status.headers.location as string;
    await done('PATCH', path, { json: { name: 'y' }, headers: MERGE });
    expect((await get(path)).json().name).toBe('y');
    await done('DELETE', path);
    expect((await get(path)).status).toBe(404);
  });

  test('creates an order under its customer, changes its state and removes it', async () => {
    const customer = await fresh.customer();
    const status = await done('POST', `${customer.path}/orders`, { json: { productId: 1, orderValue: 9.9 } });
    const path = status.headers.location as string;
    expect((await get(path)).json()).toMatchObject({ status: 'created', customerId: customer.id });
    for (const [move, state] of [
      ['pay', 'paid'],
      ['place', 'placed'],
      ['complete', 'completed'],
    ] as const) {
      const moved = await done('POST', `${path}/${move}`);
      expect(operationOf(moved)).toMatchObject({ kind: `orders.${move}`, status: 'Succeeded' });
      expect((await get(path)).json().status).toBe(state);
    }
    await done('DELETE', path);
    expect((await get(path)).status).toBe(404);
  });

  test('stores and removes an image', async () => {
    const { path } = await fresh.product();
    const image = `${path}?fields=productImage`;
    const headers = { 'Content-Type': 'image/png' };
    const stored = await done('PUT', image, { body: 'later', headers });
    expect(operationOf(stored)).toMatchObject({ status: 'Succeeded', result: { status: 201 } });
    expect([stored.status, stored.headers.location]).toEqual([303, image]);
    expect((await get(image)).text).toBe('later');
    await done('DELETE', image);
    expect((await get(image)).status).toBe(404);
  });
});

describe('a deferred file request', () => {
  test('stores by PUT, whether the file exists or not', async () => {
    const path = `/files/${unique('later')}`;
    const first = await done('PUT', path, { body: 'one', headers: { 'Content-Type': 'text/plain' } });
    expect([first.status, first.headers.location]).toEqual([303, path]);
    const second = await done('PUT', path, { body: 'two', headers: { 'Content-Type': 'text/css' } });
    expect([second.status, operationOf(second).result]).toEqual([200, { status: 200 }]);
    const { text, headers } = await get(path);
    expect([text, headers['content-type']]).toEqual(['two', 'text/css']);
    await done('DELETE', path);
    expect((await get(path)).status).toBe(404);
  });

  test('stores 4 MiB byte for byte', async () => {
    const path = `/files/${unique('large')}`;
    const body = Buffer.alloc(4 * 1024 * 1024, 'later, byte for byte');
    expect((await done('PUT', path, { body })).status).toBe(303);
    expect((await get(path)).bytes.equals(body)).toBe(true);
  });

  test('stores several files and leads by 303 to the list', async () => {
    const [one, other] = [unique('one'), unique('other')];
    const element = (filename: string) => ({ filename, content: 'eA==' });
    const results = [];
    for (const names of [[one], [one], [one, other]]) {
      const { status, headers, ...rest } = await done('POST', '/files', { json: names.map(element) });
      results.push([status, headers.location, operationOf({ status, headers, ...rest }).result]);
    }
    expect(results).toEqual([
      [303, `/files/${one}`, { status: 201 }],
      [200, undefined, { status: 200 }],
      [303, '/files', { status: 201 }],
    ]);
  });

  test('stores several files from the parts of a form', async () => {
    const [one, other] = [unique('part'), unique('part')];
    const part = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${name}\r\n`;
    const body = `${part(one)}${part(other)}--b--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const status = await done('POST', '/files', { body, headers });
    expect(operationOf(status)).toMatchObject({ status: 'Succeeded', result: { status: 201 } });
    for (const name of [one, other]) expect((await get(`/files/${name}`)).text).toBe(name);
  });
});

describe('errors that are known at once', () => {
  let member: Awaited<ReturnType<typeof create>>;
  beforeAll(async () => {
    member = await fresh.member();
  });

  const REFUSED: [number, string, string, SentRequest?][] = [
    [404, 'PUT', '/members/1', { json: { name: 'x' } }],
    [404, 'PATCH', '/members/1', { json: {}, headers: MERGE }],
    [404, 'POST', '/members/1', { json: { name: 'x' } }],
    [404, 'DELETE', '/members/1'],
    [404, 'POST', '/members/1/delete'],
    [404, 'DELETE', '/files/none'],
    [404, 'POST', '/orders/1/pay'],
    [404, 'POST', '/customers/1/orders', { json: { productId: 1 } }],
    [404, 'PUT', '/products/99?fields=productImage', { body: 'x', headers: { 'Content-Type': 'image/png' } }],
    [404, 'DELETE', '/products/99?fields=productImage'],
    [400, 'POST', '/members', { json: { age: -1 } }],
    [400, 'POST', '/members', { body: '{', headers: { 'Content-Type': 'application/json' } }],
    [400, 'PATCH', '/members/<member>', { json: [{ op: 'x' }], headers: PATCH }],
    [400, 'POST', '/members', { json: { name: 'x' }, headers: { 'Idempotency-Key': '""' } }],
    [405, 'PUT', '/members/new'],
    [406, 'POST', '/members', { json: { name: 'x' }, headers: { Accept: 'image/png' } }],
    [409, 'PATCH', '/members/<member>', { json: [{ op: 'remove', path: '/none' }], headers: PATCH }],
    [412, 'PUT', '/members/<member>', { json: { name: 'x' }, headers: { 'If-Match': '"other"' } }],
    [412, 'DELETE', '/members/<member>', { headers: { 'If-Match': '"other"' } }],
    [412, 'PUT', '/files/none', { body: 'x', headers: { 'If-Match': '*' } }],
    [413, 'PUT', '/files/large', { body: Buffer.alloc(4 * 1024 * 1024 + 1) }],
    [415, 'POST', '/members', { body: 'x', headers: { 'Content-Type': 'text/calendar' } }],
    [415, 'PATCH', '/members/<member>', { body: 'x', headers: { 'Content-Type': 'text/calendar' } }],
  ];

  for (const [at, [status, method, path, sent]] of REFUSED.entries())
    test(`get ${status} for ${method} ${path} (${at})`, async () => {
      const answer = await later(method, path.replace('<member>', String(member.id)), sent);
      expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
      expect(answer.headers.location).toBeUndefined();
    });

  test('include none for a patch without effect, which is not deferred', async () => {
    const { status } = await later('PATCH', member.path, { json: {}, headers: MERGE });
    expect(status).toBe(200);
  });
});

describe('a failed operation', () => {
  // Specification 7.7
  test('has the problem that a synchronous request gets', async () => {
    const unknown = Array.from({ length: 101 }, (_, id) => ({ id, name: 'x' }));
    const status = await done('PUT', '/customers', { json: unknown });
    expect(status.status).toBe(200);
    const synchronous = (await send('PUT', '/customers', { json: unknown.slice(0, 1) })).json();
    const { status: state, error, completedAt } = operationOf(status);
    expect({ state, completedAt }).toEqual({ state: 'Failed', completedAt: expect.any(String) });
    expect(error).toMatchObject({
      type: synchronous.type,
      status: 409,
      instance: '/customers',
      errors: expect.arrayContaining([...synchronous.errors]),
    });
    expect(error).toHaveProperty('requestId');
  });

  test('depends on the state at the time of its effect', async () => {
    const { path, etag } = await fresh.member();
    const accepted = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        later('PUT', path, { json: { name: `raced ${at}` }, headers: { 'If-Match': etag } }),
      ),
    );
    const begun = accepted.filter(({ status }) => status === 202);
    const states = await Promise.all(begun.map(async (one) => operationOf(await ended(one))));
    expect(states.filter(({ status }) => status === 'Succeeded')).toHaveLength(1);
    for (const { error } of states.filter(({ status }) => status === 'Failed'))
      expect(error).toMatchObject({ status: 412, type: '/problems/precondition-failed' });
  });
});

describe('a deferred request with an Idempotency-Key', () => {
  const keyed = () => ({ 'Idempotency-Key': unique('key') });
  const WAIT = { Prefer: 'respond-async, wait=20' };

  // Specification 10.2
  test('replays the answer that it got after a wait', async () => {
    const many = Array.from({ length: 120 }, (_, at) => ({ name: `waited ${at}` }));
    for (const json of [{ name: 'x' }, many]) {
      const headers = { ...keyed(), ...WAIT };
      const first = await send('POST', '/members', { json, headers });
      const again = await send('POST', '/members', { json, headers });
      expect([again.status, again.text, again.headers.location]).toEqual([
        first.status,
        first.text,
        first.headers.location,
      ]);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
  });

  test('may be sent again after a refusal, like an immediate request', async () => {
    const headers = { ...keyed(), ...WAIT };
    const order = { productId: 1, orderValue: 1, customerId: 5 };
    for (let times = 0; times < 2; times += 1) {
      const answer = await send('POST', '/orders', { json: order, headers });
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([409, undefined]);
    }
  });

  test('returns the same operation to a repeat and has one effect', async () => {
    const [headers, name] = [keyed(), unique('keyed')];
    const first = await later('POST', '/members', { json: { name }, headers });
    const status = await ended(first);
    const again = await later('POST', '/members', { json: { name }, headers });
    expect([again.status, again.headers.location]).toEqual([202, first.headers.location]);
    expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', first.text]);
    expect((await ended(again)).headers.location).toBe(status.headers.location);
    const { items } = (await get('/members?sort=-id&limit=1000')).json();
    expect(items.filter((one) => one.name === name)).toHaveLength(1);
  });

  test('refuses another payload', async () => {
    const headers = keyed();
    await later('POST', '/members', { json: { name: 'a' }, headers });
    expect((await later('POST', '/members', { json: { name: 'b' }, headers })).status).toBe(422);
  });

  test('creates one item for a hundred concurrent requests', async () => {
    const [headers, name] = [keyed(), unique('raced')];
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => later('POST', '/members', { json: { name }, headers })),
    );
    expect(new Set(answers.map((one) => `${one.status} ${one.headers.location}`)).size).toBe(1);
    await ended(answers[0] as Answer);
    const { items } = (await get('/members?sort=-id&limit=1000')).json();
    expect(items.filter((one) => one.name === name)).toHaveLength(1);
  });
});

describe('a client that waits', () => {
  const WAIT = { Prefer: 'respond-async, wait=20' };

  test('gets the immediate response if the operation ends in time', async () => {
    const name = unique('waited');
    const answer = await send('POST', '/members', { json: { name }, headers: WAIT });
    expect(answer.status).toBe(201);
    expect(answer.json().name).toBe(name);
    const { location = '', etag, 'preference-applied': applied } = answer.headers;
    const { headers } = await get(location);
    expect([etag, applied]).toEqual([headers.etag, 'wait=20']);
    const removed = await send('DELETE', location, { headers: WAIT });
    expect([removed.status, removed.text]).toEqual([204, '']);
  });

  test('gets its other preferences applied', async () => {
    const Prefer = 'respond-async, wait=20, return=minimal';
    const answer = await send('POST', '/members', { json: { name: 'x' }, headers: { Prefer } });
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect(answer.headers['preference-applied']).toBe('return=minimal, wait=20');
  });

  test('gets a failure like that of the immediate request', async () => {
    const { path } = await fresh.order();
    const answer = await send('POST', `${path}/complete`, { headers: WAIT });
    expect([answer.status, answer.headers['content-type']]).toEqual([409, 'application/problem+json']);
    const { requestId: _, ...now } = (await send('POST', `${path}/complete`)).json();
    expect(answer.json()).toMatchObject(now);
  });

  test('gets the whole bulk result, however the service divided the work', async () => {
    const json = Array.from({ length: 120 }, (_, at) => ({ name: `waited ${at}` }));
    const made = await send('POST', '/customers', { json, headers: WAIT });
    expect([made.status, operationOf(made)]).toMatchObject([
      201,
      { status: 'Succeeded', progress: { done: 120 } },
    ]);
    expect(made.headers['retry-after']).toBeUndefined();
    await removeCustomers();
    await ended(await send('POST', '/customers', { json }));
    const removed = await send('DELETE', '/customers', { headers: WAIT });
    expect([removed.status, removed.text]).toEqual([204, '']);
  });

  test('gets the count of a small bulk request too', async () => {
    const json = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    const made = operationOf(await done('POST', '/customers', { json }));
    expect(made.progress).toEqual({ done: 3, total: 3, failed: 0 });
    const items = (await get('/customers?sort=-id&limit=3')).json().items;
    const changed = operationOf(await done('PUT', '/customers', { json: items }));
    expect(changed.progress).toEqual({ done: items.length, total: items.length, failed: 0 });
    const files = json.map(({ name }) => ({ filename: unique(name), content: 'eA==' }));
    expect(operationOf(await done('POST', '/files', { json: files })).progress).toMatchObject({ done: 3 });
  });

  test('gets no wait for an invalid number of seconds', async () => {
    const Prefer = 'respond-async, wait=soon';
    const { status, headers } = await send('POST', '/members', { json: { name: 'x' }, headers: { Prefer } });
    expect([status, headers['preference-applied']]).toEqual([202, 'respond-async']);
  });
});
