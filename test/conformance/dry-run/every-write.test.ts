import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Body, SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { create, get, send, underTestAlone, unique } from '../../support/service/under-test.ts';

/** Each write of the description with `Prefer: dry-run`, and then without it. Source: Specification 7.18, 7.19. */
underTestAlone();

interface Write {
  readonly path: string;
  readonly sent?: SentRequest;
}

const customer = () => create('/customers', { name: unique('c') });
const order = async () => create(`${(await customer()).path}/orders`, { productId: 1, quantity: 2 });
const member = () => create('/members', { username: unique('m'), name: 'Ada' });
const product = () => create('/products', { name: unique('p'), price: 5 });
const text = (body: string): SentRequest => ({ body, headers: { 'Content-Type': 'text/plain' } });
const picture: SentRequest = {
  body: Buffer.from('89504e470d0a1a0a', 'hex'),
  headers: { 'Content-Type': 'image/png' },
};
const merged = (json: object): SentRequest => ({
  json,
  headers: { 'Content-Type': 'application/merge-patch+json' },
});
const many = { json: Array.from({ length: 120 }, (_, at) => ({ name: `many ${at}` })) };

async function file(): Promise<string> {
  const path = `/files/${unique('f')}`;
  await send('PUT', path, text('a'));
  return path;
}

async function moved(...steps: readonly string[]): Promise<string> {
  const { path } = await order();
  for (const step of steps) await send('POST', `${path}/${step}`);
  return path;
}

/** A removed item of a collection, whose last version comes back. */
async function removed(made: Promise<{ readonly path: string }>): Promise<Write> {
  const { path } = await made;
  await send('DELETE', path);
  return { path: `${path}/versions/1/restore`, sent: { headers: { 'If-None-Match': '*' } } };
}

async function versionOfFile(): Promise<Write> {
  const path = await file();
  const [version] = (await get(`${path}/versions`)).json().items;
  await send('DELETE', path);
  return { path: `${path}/versions/${version?.version}/restore` };
}

async function withBytes(made: Promise<{ readonly path: string }>, name: string): Promise<string> {
  const path = `${(await made).path}?fields=${name}`;
  await send('PUT', path, picture);
  return path;
}

const subscription = () =>
  create('/subscriptions', { url: 'https://receiver.invalid/', types: ['order.paid'] });

const at = async (
  made: Promise<{ readonly path: string }>,
  sent: SentRequest = {},
  end = '',
): Promise<Write> => ({
  path: (await made).path + end,
  sent,
});

/** How to make each write of the description. */
const WRITES: Readonly<Record<string, () => Promise<Write> | Write>> = {
  'post /customers': () => ({ path: '/customers', sent: { json: { name: 'x' } } }),
  'put /customers': async () => ({
    path: '/customers',
    sent: { json: [{ id: (await customer()).id, name: 'y' }] },
  }),
  'delete /customers': () => ({ path: '/customers' }),
  'put /customers/{id}': () => at(customer(), { json: { name: 'y' } }),
  'patch /customers/{id}': () => at(customer(), merged({ name: 'y' })),
  'delete /customers/{id}': () => at(customer()),
  'post /customers/{id}/versions/{version}/restore': () => removed(customer()),
  'post /files': () => ({ path: '/files', sent: { json: [{ filename: unique('f'), content: 'eA==' }] } }),
  'put /files/{filename}': async () => ({ path: await file(), sent: text('b') }),
  'delete /files/{filename}': async () => ({ path: await file() }),
  'post /files/{filename}/versions/{version}/restore': versionOfFile,
  'post /members': () => ({
    path: '/members',
    sent: { json: [{ username: unique('m') }, { username: unique('n') }] },
  }),
  'put /members/{id}': () => at(member(), { json: { name: 'y' } }),
  'patch /members/{id}': () => at(member(), merged({ name: null })),
  'delete /members/{id}': () => at(member()),
  'post /members/{id}': () => at(member(), { json: { name: 'y' } }),
  'post /members/{id}/versions/{version}/restore': () => removed(member()),
  'put /members/{id}/photo': async () => ({ path: `${(await member()).path}?fields=photo`, sent: picture }),
  'delete /members/{id}/photo': async () => ({ path: await withBytes(member(), 'photo') }),
  'post /orders': () => ({ path: '/orders', sent: { json: { productId: 1 } } }),
  'put /orders/{id}': () => at(order(), { json: { productId: 1, quantity: 7 } }),
  'patch /orders/{id}': () => at(order(), merged({ quantity: 7 })),
  'delete /orders/{id}': () => at(order()),
  'post /customers/{id}/orders': () => at(customer(), { json: { productId: 1 } }, '/orders'),
  'put /customers/{id}/orders': async () => {
    const { path, id } = await order();
    const { customerId } = (await get(path)).json();
    return {
      path: `/customers/${customerId}/orders`,
      sent: { json: [{ orderId: id, productId: 1, quantity: 9 }] },
    };
  },
  'delete /customers/{id}/orders': async () => {
    const { customerId } = (await get((await order()).path)).json();
    return { path: `/customers/${customerId}/orders` };
  },
  'post /orders/{id}/pay': async () => ({ path: `${await moved()}/pay` }),
  'post /orders/{id}/place': async () => ({ path: `${await moved('pay')}/place` }),
  'post /orders/{id}/complete': async () => ({ path: `${await moved('pay', 'place')}/complete` }),
  'post /orders/{id}/cancel': async () => ({ path: `${await moved()}/cancel` }),
  'post /orders/{id}/versions/{version}/restore': () => removed(order()),
  'post /products': () => ({ path: '/products', sent: { json: { name: 'p', price: 3 } } }),
  'put /products/{id}': () => at(product(), { json: { name: 'q', price: 3 } }),
  'patch /products/{id}': () => at(product(), merged({ price: 4 })),
  'delete /products/{id}': () => at(product()),
  'post /products/{id}/versions/{version}/restore': () => removed(product()),
  'put /products/{id}/productImage': async () => ({
    path: `${(await product()).path}?fields=productImage`,
    sent: picture,
  }),
  'delete /products/{id}/productImage': async () => ({ path: await withBytes(product(), 'productImage') }),
  'post /subscriptions': () => ({
    path: '/subscriptions',
    sent: { json: { url: 'https://receiver.invalid/', types: ['order.paid'] } },
  }),
  'put /subscriptions/{id}': () =>
    at(subscription(), { json: { url: 'https://receiver.invalid/', types: ['order.placed'] } }),
  'patch /subscriptions/{id}': () => at(subscription(), merged({ types: ['order.placed'] })),
  'delete /subscriptions/{id}': () => at(subscription()),
  'post /subscriptions/{id}/rotate': () => at(subscription(), { json: {} }, '/rotate'),
};

/** Writes without a plan here, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  'post /changes/undo': 'another test has its plan',
  'delete /operations/{id}': 'another test has a running operation',
  'post /operations/{id}/links': 'it makes links and changes no item',
  'post /subscriptions/{id}/deliveries/{n}/repeat': 'it sends an event and changes no item',
  'post /subscriptions/{id}/test': 'it sends an event and changes no item',
  'post /sign-out': 'it ends a session of a browser',
};

const LISTS = ['customers', 'orders', 'products', 'members', 'files', 'subscriptions', 'operations'];

/** All items of the service. */
const everything = () =>
  Promise.all(LISTS.map(async (name) => (await get(`/${name}?limit=1000`)).json().items));

const dryRun = (method: string, path: string, { headers = {}, ...sent }: SentRequest = {}): Promise<Answer> =>
  send(method, path, { ...sent, headers: { Prefer: 'dry-run', ...headers } });

/** An effect without what differs between the plan and the request: identifiers of new items, times, and bytes of objects. */
const valuesOf = ({ after }: Body): unknown => {
  const {
    id,
    orderId,
    createdAt,
    updatedAt,
    digest,
    links,
    photo,
    productImage,
    secret,
    previousUntil,
    ...values
  } = (after ?? {}) as Body;
  return values;
};

const paths: string[] = [];
beforeAll(async () => {
  const { paths: all } = (await get('/openapi.json')).json() as unknown as { paths: Record<string, object> };
  for (const [path, operations] of Object.entries(all))
    for (const method of Object.keys(operations))
      if (['post', 'put', 'patch', 'delete'].includes(method)) paths.push(`${method} ${path}`);
});

test('every write of the description is here, or has a reason', () => {
  expect(paths.length).toBeGreaterThan(40);
  expect([...Object.keys(WRITES), ...Object.keys(OTHERS)].sort()).toEqual([...paths].sort());
});

describe('a dry run changes nothing, and says what the request then does', () => {
  test.each(Object.entries(WRITES))('%s', async (name, write) => {
    const [method = '', template] = name.split(' ');
    const { path, sent = {} } = await write();
    const before = await everything();
    const answer = await dryRun(method.toUpperCase(), path, sent);
    expect([template, answer.status, answer.headers['preference-applied']]).toEqual([
      template,
      200,
      'dry-run',
    ]);
    expect(await everything()).toEqual(before);
    const plan = answer.json();
    const real = await send(method.toUpperCase(), path, sent);
    expect(plan).toMatchObject({ dryRun: true, status: real.status });
    const effects = plan.effects as readonly Body[];
    expect(plan.total).toBe(effects.length);
    expect(effects.length).toBeGreaterThan(0);
    const shown = real.text === '' ? undefined : real.json();
    if (effects.length === 1 && shown && effects[0]?.change !== 'removed' && shown.items === undefined) {
      const {
        id,
        orderId,
        createdAt,
        updatedAt,
        links,
        digest,
        photo,
        productImage,
        secret,
        previousUntil,
        ...values
      } = shown;
      expect(valuesOf(effects[0] as Body)).toEqual(values);
    }
    for (const { change, before: old, after } of effects)
      expect([change, old !== undefined, after !== undefined]).toEqual([
        change,
        change === 'updated' || change === 'removed',
        change !== 'removed',
      ]);
  });
});

describe('a dry run', () => {
  test('of many items has the first hundred effects and the number of all', async () => {
    const before = await everything();
    const plan = (await dryRun('POST', '/customers', many)).json();
    expect(plan).toMatchObject({ status: 202, total: 120 });
    expect(plan.effects).toHaveLength(100);
    expect(await everything()).toEqual(before);
    await ended(await send('POST', '/customers', many));
    const removal = (await dryRun('DELETE', '/customers')).json();
    expect(removal).toMatchObject({
      status: 202,
      total: (await get('/customers?limit=1000')).json().items.length,
    });
  });

  test.each<[string, string, SentRequest, number]>([
    ['a wrong value', '/members', { json: { age: -1 } }, 400],
    ['an unknown format', '/members', { body: 'x', headers: { 'Content-Type': 'text/nonsense' } }, 415],
    ['a reference to nothing', '/orders', { json: { productId: 1, customerId: 5 } }, 409],
  ])('gets the same refusal for %s', async (_, path, sent, status) => {
    const [dry, real] = [await dryRun('POST', path, sent), await send('POST', path, sent)];
    expect([dry.status, dry.json().errors]).toEqual([status, real.json().errors]);
    expect(real.status).toBe(status);
  });

  test('judges preconditions, states and unique values', async () => {
    const { path } = await order();
    expect((await dryRun('DELETE', path, { headers: { 'If-Match': '"9.2-json"' } })).status).toBe(412);
    expect((await dryRun('POST', `${path}/complete`)).status).toBe(409);
    const plan = await dryRun('DELETE', path, { headers: { 'If-Match': (await get(path)).headers.etag } });
    expect(plan.json()).toMatchObject({ status: 204, total: 1 });
  });

  test('records no answer for an idempotency key', async () => {
    const headers = { 'Idempotency-Key': `"${unique('key')}"` };
    const json = { name: unique('once') };
    expect((await dryRun('POST', '/customers', { json, headers })).json().status).toBe(201);
    const made = await send('POST', '/customers', { json, headers });
    expect(made.status).toBe(201);
    expect((await dryRun('POST', '/customers', { json, headers })).json().dryRun).toBe(true);
    // A refusal is the response, although the first request has a recorded answer.
    const refused = await dryRun('POST', '/customers', { json: { name: 5 }, headers });
    const { path, answer } = await customer();
    const old = { ...headers, 'If-Match': '"9.2-json"' };
    expect([refused.status, (await dryRun('PUT', path, { json, headers: old })).status]).toEqual([400, 412]);
    expect((await get(path)).headers.etag).toBe(answer.headers.etag);
  });

  test('of what changes nothing has no effect', async () => {
    const { path, answer } = await customer();
    const plan = (await dryRun('PATCH', path, merged({ name: answer.json().name }))).json();
    expect(plan).toEqual({ dryRun: true, status: 200, total: 0, effects: [] });
  });

  test('is in XML as well, and in JSON for a client that wants a page', async () => {
    const json = { name: 'x' };
    const xml = await dryRun('POST', '/customers', { json, headers: { Accept: 'application/xml' } });
    expect([xml.headers['content-type'], xml.text]).toEqual([
      'application/xml',
      expect.stringContaining('<plan><dryRun>true</dryRun><status>201</status>'),
    ]);
    const page = await dryRun('POST', '/customers', { json, headers: { Accept: 'text/html' } });
    expect(page.headers['content-type']).toBe('application/json');
  });

  test('has no meaning for a read', async () => {
    const answer = await get('/customers?limit=1', { Prefer: 'dry-run, handling=strict' });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([200, 'handling=strict']);
  });

  test('shows what an undo would take back', async () => {
    const since = new Date(Date.now() - 1).toISOString();
    const { path, id } = await customer();
    const plan = (
      await dryRun('POST', '/changes/undo', { json: { since, resources: ['customers'] } })
    ).json();
    expect(plan).toMatchObject({ status: 202, effects: [{ resource: 'customers', id, change: 'removed' }] });
    expect((await get(path)).status).toBe(200);
  });
});
