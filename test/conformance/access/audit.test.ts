import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client, SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { digestOf, linksIn, toStorage } from '../../support/client/uploads.ts';
import { as, type Closed, clientAs, closed } from '../../support/service/closed.ts';

const READ = 'customers:read members:read orders:read products:read files:read';
const WRITE = 'customers:write members:write orders:write products:write files:write';

let service: Closed;
/** Clients with the tokens of Ada, of Bob, and of an auditor. */
let ada: Client;
let bob: Client;
let auditor: Client;

beforeAll(async () => {
  service = await closed();
  ada = await clientAs(service, 'ada', `${READ} ${WRITE}`);
  bob = await clientAs(service, 'bob', `${READ} ${WRITE}`);
  auditor = await clientAs(service, 'bob', `${READ} audit:read`);
}, 40_000);

const made = async (client: Client, path: string, json: object): Promise<string> =>
  (await client('POST', path, { json })).headers.location as string;
const customer = (json: object = { name: 'Acme' }): Promise<string> => made(ada, '/customers', json);

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };

// Specification 11.14
describe('createdBy and updatedBy', () => {
  test('name the caller of a POST', async () => {
    const path = await customer();
    expect((await auditor('GET', path)).json()).toMatchObject({ createdBy: 'ada', updatedBy: 'ada' });
  });

  // Specification 10.2, 11.15
  test('are not in the replayed answer of a token without the scope', async () => {
    const all = await clientAs(service, 'ada', `${READ} ${WRITE} audit:read`);
    const path = await made(bob, '/customers', { name: 'Acme' });
    const sent = { json: { name: 'x' }, headers: { ...MERGE_PATCH, 'Idempotency-Key': path } };
    const first = await all('PATCH', path, sent);
    expect(first.json()).toMatchObject({ createdBy: 'bob', updatedBy: 'ada' });
    const refused = await ada('PATCH', path, sent);
    expectProblem(refused, 403, 'forbidden');
    expect(refused.text).toContain('audit:read');
    expect(refused.text).not.toContain('bob');
    const replayed = await all('PATCH', path, sent);
    expect([replayed.text, replayed.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    const minimal = {
      ...sent,
      headers: { ...sent.headers, 'Idempotency-Key': `${path}-`, Prefer: 'return=minimal' },
    };
    expect((await all('PATCH', path, { ...minimal, json: { name: 'y' } })).status).toBe(204);
    expect((await ada('PATCH', path, { ...minimal, json: { name: 'y' } })).status).toBe(204);
  });

  const idOf = (path: string): number => Number(path.split('/').at(-1));

  const changes: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
    ['PUT', (path) => bob('PUT', path, { json: { name: 'b' } })],
    ['a merge patch', (path) => bob('PATCH', path, { json: { name: 'b' }, headers: MERGE_PATCH })],
    [
      'a JSON Patch',
      (path) => bob('PATCH', path, { json: [{ op: 'add', path: '/name', value: 'b' }], headers: JSON_PATCH }),
    ],
    [
      'a merge patch with an idempotency key',
      (path) =>
        bob('PATCH', path, { json: { name: 'b' }, headers: { ...MERGE_PATCH, 'Idempotency-Key': path } }),
    ],
    ['a form', (path) => bob('POST', `${path}/edit`, { body: 'name=b', headers: FORM })],
    ['PUT of the list', (path) => bob('PUT', '/customers', { json: [{ id: idOf(path), name: 'b' }] })],
    [
      'PUT of the list for each element',
      (path) =>
        bob('PUT', '/customers', {
          json: [{ id: idOf(path), name: 'b' }],
          headers: { Prefer: 'handling=lenient' },
        }),
    ],
    [
      'an asynchronous PUT',
      async (path) =>
        ended(await bob('PUT', path, { json: { name: 'b' }, headers: { Prefer: 'respond-async' } }), bob),
    ],
    [
      'PUT of a binary property',
      (path) => bob('PUT', `${path}?fields=photo`, { body: 'x', headers: { 'Content-Type': 'image/png' } }),
    ],
  ];

  test.each(changes)('name the creator and the caller of %s', async (_, change) => {
    const path = await customer();
    await change(path);
    const shown = (await auditor('GET', path)).json();
    expect(shown).toMatchObject({ createdBy: 'ada', updatedBy: 'bob' });
    expect(shown.updatedAt >= shown.createdAt).toBe(true);
  });

  test('name the caller of a POST that changes a member', async () => {
    const path = await made(ada, '/members', { name: 'a' });
    await bob('POST', path, { json: { name: 'b' } });
    expect((await auditor('GET', path)).json()).toMatchObject({ createdBy: 'ada', updatedBy: 'bob' });
  });

  test('name the caller of a transition, and of a change of the customer', async () => {
    const path = await made(ada, '/orders', { productId: 1, orderValue: 1 });
    await bob('POST', `${path}/pay`);
    expect((await auditor('GET', path)).json()).toMatchObject({ createdBy: 'ada', updatedBy: 'bob' });
    const other = await made(ada, '/orders', { productId: 1, orderValue: 1 });
    const customerId = idOf(await customer());
    await bob('PUT', other, { json: { productId: 1, orderValue: 1, customerId } });
    expect((await auditor('GET', other)).json()).toMatchObject({ updatedBy: 'bob', customerId });
  });

  test('name the caller who created several items, at once and as an operation', async () => {
    const [item] = (await bob('POST', '/customers', { json: [{ name: 'one' }] })).json().items;
    const accepted = await bob('POST', '/customers', {
      json: [{ name: 'two' }],
      headers: { Prefer: 'respond-async' },
    });
    await ended(accepted, bob);
    const names = ['one', 'two'].map((name) => auditor('GET', `/customers?name=${name}`));
    for (const answer of await Promise.all(names))
      expect(answer.json().items).toMatchObject([{ createdBy: 'bob', updatedBy: 'bob' }]);
    expect(item).not.toHaveProperty('createdBy');
  });

  test('name the writers of a file', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const row = async () => (await auditor('GET', '/files?filename=written.txt')).json().items[0];
    await ada('PUT', '/files/written.txt', { body: 'a', headers });
    expect(await row()).toMatchObject({ createdBy: 'ada', updatedBy: 'ada' });
    await bob('PUT', '/files/written.txt', { body: 'b', headers });
    expect(await row()).toMatchObject({ createdBy: 'ada', updatedBy: 'bob' });
  });

  test('name the writers of files by POST', async () => {
    const json = { files: [{ filename: 'posted.txt', content: 'a' }] };
    const row = async () => (await auditor('GET', '/files?filename=posted.txt')).json().items[0];
    expect((await ada('POST', '/files', { json })).status).toBe(201);
    expect(await row()).toMatchObject({ createdBy: 'ada', updatedBy: 'ada' });
    expect((await bob('POST', '/files', { json })).status).toBe(200);
    expect(await row()).toMatchObject({ createdBy: 'ada', updatedBy: 'bob' });
  });

  test('name the caller who announced an upload', async () => {
    const bytes = 'uploaded';
    const json = {
      files: [
        { filename: 'sent.txt', size: bytes.length, contentType: 'text/plain', digest: digestOf(bytes) },
      ],
    };
    const announced = await bob('POST', '/files', { json });
    const [link] = linksIn(announced);
    expect((await toStorage(link as NonNullable<typeof link>, bytes)).status).toBe(200);
    await ended(announced, bob);
    const { items } = (await auditor('GET', '/files?filename=sent.txt')).json();
    expect(items).toMatchObject([{ createdBy: 'bob', updatedBy: 'bob' }]);
  });

  test('stay the same when a request is repeated', async () => {
    const headers = { 'Idempotency-Key': 'repeated' };
    const send = () => ada('POST', '/customers', { json: { name: 'Acme' }, headers });
    const [first, second] = [await send(), await send()];
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
    const shown = (await auditor('GET', first.headers.location as string)).json();
    expect(shown).toMatchObject({ createdBy: 'ada', updatedBy: 'ada' });
  });

  test('cannot be set by a client', async () => {
    const path = await customer({ name: 'Acme', createdBy: 'eve', updatedBy: 'eve' });
    await bob('PUT', path, { json: { name: 'Other', createdBy: 'eve', updatedBy: 'eve' } });
    expect((await auditor('GET', path)).json()).toMatchObject({ createdBy: 'ada', updatedBy: 'bob' });
  });
});

// Specification 11.15
describe('a caller without the scope audit:read', () => {
  const NAMES = ['createdBy', 'updatedBy'];

  test('sees no authors in any format', async () => {
    const path = await customer();
    const id = path.split('/').at(-1);
    for (const Accept of [
      'application/json',
      'application/xml',
      'text/csv',
      'application/jsonl',
      'text/html',
    ]) {
      const shown = await ada('GET', `/customers?id=${id}`, { headers: { Accept } });
      expect(shown.status).toBe(200);
      const seen = await auditor('GET', `/customers?id=${id}`, { headers: { Accept } });
      expect(shown.text).not.toMatch(/createdBy|updatedBy|Created by|Changed by/);
      expect(seen.text).toMatch(/createdBy|Created by/);
      expect(seen.text).toContain('ada');
    }
  });

  test('sees no authors of related items and in responses to writes', async () => {
    const path = await customer();
    const order = await made(ada, `${path}/orders`, { productId: 1, orderValue: 1 });
    expect((await ada('GET', `${order}?expand=customer`)).text).not.toContain('createdBy');
    const seen = (await auditor('GET', `${order}?expand=customer`)).json();
    expect(seen.customer).toMatchObject({ createdBy: 'ada' });
    expect((await ada('PUT', path, { json: { name: 'x' } })).text).not.toContain('updatedBy');
  });

  // Specification 16.3, 16.6, 17.5
  test('sees no authors in the history of an item, and in changes', async () => {
    const path = await customer({ name: 'Past' });
    expect((await bob('PUT', path, { json: { name: 'Passed' } })).status).toBe(200);
    const scopes = `${READ} changes:read`;
    const readers = [
      await clientAs(service, 'bob', scopes),
      await clientAs(service, 'bob', `${scopes} audit:read`),
    ];
    /** The authors in the response to a caller without the scope, and to one with it. */
    const seenIn = (uri: string, Accept: string) =>
      Promise.all(
        readers.map(async (client) => {
          const { status, text } = await client('GET', uri, { headers: { Accept, Prefer: 'wait=10' } });
          expect({ uri, Accept, status }).toEqual({ uri, Accept, status: 200 });
          return { uri, Accept, authors: [...new Set(text.match(/\b(?:ada|bob|authid)\b/g))].sort() };
        }),
      );
    const expectAuthors = async (uri: string, Accept: string, authors: unknown) =>
      expect(await seenIn(uri, Accept)).toEqual([
        { uri, Accept, authors: [] },
        { uri, Accept, authors },
      ]);
    for (const Accept of ['application/json', 'application/xml', 'text/html']) {
      await expectAuthors(`${path}/versions`, Accept, ['ada', 'bob']);
      await expectAuthors(`${path}/versions/1`, Accept, ['ada']);
    }
    await expectAuthors(`/changes?subject=${path}&type=customer.changed`, 'application/json', [
      'ada',
      'authid',
      'bob',
    ]);
    await expectAuthors(`${path}/versions`, 'application/link-format', []);
    expect((await ada('DELETE', path)).status).toBe(204);
    for (const Accept of ['application/json', 'application/xml', 'text/html']) {
      await expectAuthors('/customers/removed?limit=1', Accept, expect.arrayContaining(['ada']));
      await expectAuthors(`${path}/versions`, Accept, ['ada', 'bob']);
    }
  });

  test('gets another entity tag, and each caller gets 304 for the own one only', async () => {
    const path = await customer();
    for (const uri of [path, `${path}?fields=name`, `/customers?id=${path.split('/').at(-1)}`]) {
      const [without, withAuthors] = [await ada('GET', uri), await auditor('GET', uri)];
      const tagOf = ({ headers }: Answer) => headers.etag as string;
      const given = (etag: string): SentRequest => ({ headers: { 'If-None-Match': etag } });
      if (!uri.includes('fields')) expect(tagOf(without)).not.toBe(tagOf(withAuthors));
      expect((await ada('GET', uri, given(tagOf(without)))).status).toBe(304);
      expect((await auditor('GET', uri, given(tagOf(withAuthors)))).status).toBe(304);
      if (!uri.includes('fields'))
        expect((await ada('GET', uri, given(tagOf(withAuthors)))).status).toBe(200);
      expect(withAuthors.headers['cache-control']).toBe('private, no-cache');
    }
  });

  test('can write under the entity tag that another caller gave', async () => {
    const path = await customer();
    const { etag } = (await auditor('GET', path)).headers;
    const headers = { 'If-Match': etag };
    expect((await ada('PUT', path, { json: { name: 'x' }, headers })).status).toBe(200);
    expectProblem(await ada('PUT', path, { json: { name: 'y' }, headers }), 412);
  });

  test.each(NAMES)('cannot sort by %s', async (name) => {
    const answer = await ada('GET', `/customers?sort=-${name}`);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors[0]?.detail).toMatch(/is not a sort key: use id, name/);
    expect(answer.json().errors[0]?.detail).not.toContain(`, ${name}`);
    expect((await auditor('GET', `/customers?sort=-${name}`)).status).toBe(200);
  });

  test.each(NAMES)('cannot filter by %s', async (name) => {
    await made(bob, '/customers', { name: 'of Bob' });
    const all = (await ada('GET', '/customers')).json().items.length;
    const sizeOf = async (client: Client, query: string) =>
      (await client('GET', `/customers?${query}`)).json().items.length;
    expect(await sizeOf(ada, `${name}=bob`)).toBe(all);
    for (const operator of ['prefix=b', 'gt=ada']) {
      const answer = await ada('GET', `/customers?${name}.${operator}`);
      expectProblem(answer, 400);
      expect(answer.json().errors).toEqual([
        { parameter: expect.any(String), detail: expect.not.stringContaining(name) },
      ]);
    }
    for (const query of [`${name}=bob`, `${name}.prefix=b`, `${name}.gt=ada`]) {
      expect(await sizeOf(auditor, query)).toBeLessThan(all);
      expect(await sizeOf(auditor, query)).toBeGreaterThan(0);
    }
    const strict = await ada('GET', `/customers?${name}=bob`, { headers: { Prefer: 'handling=strict' } });
    expectProblem(strict, 400);
    expect(strict.json().errors[0]?.parameter).toBe(name);
  });

  test.each(NAMES)('cannot select %s by fields', async (name) => {
    const path = await customer();
    expect((await ada('GET', `${path}?fields=${name}`)).text).not.toContain('"ada"');
    expect((await auditor('GET', `${path}?fields=${name}`)).json()).toEqual({
      id: Number(path.split('/').at(-1)),
      [name]: 'ada',
    });
    expectProblem(await ada('GET', `/files?fields=${name}`), 400, 'validation-error');
    expect((await auditor('GET', `/files?fields=${name}`)).status).toBe(200);
  });

  test.each(NAMES)('cannot test %s in a JSON Patch', async (name) => {
    const path = await customer();
    const token = await service.issue('ada', `${WRITE} audit:read`);
    const json = [
      { op: 'test', path: `/${name}`, value: 'ada' },
      { op: 'add', path: '/name', value: 'tested' },
    ];
    const answer = await ada('PATCH', path, { json, headers: JSON_PATCH });
    expectProblem(answer, 409, 'patch-conflict');
    const allowed = await service.send('PATCH', path, { json, headers: as(token, JSON_PATCH) });
    expect(allowed.json()).toMatchObject({ name: 'tested', [name]: 'ada' });
  });
});

// Specification 11.15, 4.25
test('the template of a list has filters of authors only for a caller who sees them', async () => {
  expect((await ada('GET', '/customers')).headers['link-template']).not.toContain('createdBy');
  expect((await auditor('GET', '/customers')).headers['link-template']).toContain('createdBy.prefix');
});

// Specification 11.15
test('an auditor can walk a list in the order of the authors', async () => {
  const seen: string[] = [];
  for (let next: string | undefined = '/customers?sort=createdBy&limit=7'; next; ) {
    const answer = await auditor('GET', next);
    seen.push(...answer.json().items.map(({ createdBy }) => String(createdBy)));
    next = answer.json().links.find(({ rel }) => rel === 'next')?.href;
  }
  expect(seen).toEqual([...seen].sort());
  expect(new Set(seen)).toEqual(new Set(['ada', 'bob']));
});
