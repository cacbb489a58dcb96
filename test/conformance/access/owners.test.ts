import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client, SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { type Closed, clientAs } from '../../support/service/closed.ts';
import { withOwners } from '../../support/service/owned.ts';

/*
 * Resources whose items have owners: notes and notebooks belong to the subject of a token, papers to its tenant. For
 * every other caller, an item does not exist (decision 51).
 */
const SCOPES = ['notes', 'notebooks', 'papers'].map((one) => `${one}:read ${one}:write`).join(' ');

let service: Closed;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  service = await withOwners();
  ada = await clientAs(service, 'ada', SCOPES);
  bob = await clientAs(service, 'bob', SCOPES);
}, 40_000);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg',
  'base64',
);
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };

const made = async (client: Client, json: object = { title: 'a' }, list = '/notes'): Promise<string> => {
  const answer = await client('POST', list, { json });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
};

const idOf = (path: string): number => Number(path.split('/').at(-1));

/** An item that existed and that its owner has removed. */
const removed = async (client: Client): Promise<string> => {
  const path = await made(client);
  expect((await client('DELETE', path)).status).toBe(204);
  return path;
};

/** A response without what differs between any two responses: the item, the request and the time. */
const comparable = ({ status, headers, text }: Answer, path: string) => {
  const { date: _, 'x-request-id': _id, 'server-timing': _timing, ...others } = headers;
  const plain = (value: string) =>
    value
      .replaceAll(String(idOf(path)), 'ID')
      .replace(/"(instance|requestId)":"[^"]*"/g, '')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID');
  return { status, headers: plain(JSON.stringify(others)), text: plain(text) };
};

type Row = readonly [
  name: string,
  method: string,
  suffix: string,
  sent?: (path: string) => Promise<SentRequest>,
];

const plain = (sent: SentRequest) => async () => sent;
/** The entity tag of the foreign item, which Bob may have from another source. */
const tagOf = async (path: string) => (await ada('GET', path)).headers.etag ?? '"1-1-1"';
const PATCH = JSON.stringify([{ op: 'add', path: '/title', value: 'b' }]);

const requests: readonly Row[] = [
  ['GET', 'GET', ''],
  ['HEAD', 'HEAD', ''],
  [
    'GET with If-None-Match',
    'GET',
    '',
    async (path) => ({ headers: { 'If-None-Match': await tagOf(path) } }),
  ],
  ['GET with If-None-Match: *', 'GET', '', plain({ headers: { 'If-None-Match': '*' } })],
  ['GET with If-Match', 'GET', '', plain({ headers: { 'If-Match': '"other"' } })],
  ['GET with expand', 'GET', '?expand=notebook'],
  ['GET of some fields', 'GET', '?fields=title'],
  ['GET of the bytes', 'GET', '?fields=photo'],
  ['GET of undeclared bytes', 'GET', '?fields=scan'],
  ['GET of a page', 'GET', '', plain({ headers: { Accept: 'text/html' } })],
  ['GET of the form', 'GET', '/edit', plain({ headers: { Accept: 'text/html' } })],
  ['GET of the form that removes it', 'GET', '/delete', plain({ headers: { Accept: 'text/html' } })],
  ['PUT', 'PUT', '', plain({ json: { title: 'b' } })],
  [
    'PUT with its entity tag',
    'PUT',
    '',
    async (path) => ({ json: { title: 'b' }, headers: { 'If-Match': await tagOf(path) } }),
  ],
  [
    'PUT with another entity tag',
    'PUT',
    '',
    plain({ json: { title: 'b' }, headers: { 'If-Match': '"other"' } }),
  ],
  [
    'PUT with If-None-Match: *',
    'PUT',
    '',
    plain({ json: { title: 'b' }, headers: { 'If-None-Match': '*' } }),
  ],
  [
    'PUT with If-Unmodified-Since',
    'PUT',
    '',
    plain({ json: { title: 'b' }, headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' } }),
  ],
  [
    'PUT that responds later',
    'PUT',
    '',
    plain({ json: { title: 'b' }, headers: { Prefer: 'respond-async' } }),
  ],
  ['PUT of bytes', 'PUT', '?fields=photo', plain({ body: PNG, headers: { 'Content-Type': 'image/png' } })],
  [
    'PUT of undeclared bytes',
    'PUT',
    '?fields=scan',
    plain({ body: PNG, headers: { 'Content-Type': 'image/png' } }),
  ],
  ['DELETE of bytes', 'DELETE', '?fields=photo'],
  ['a merge patch', 'PATCH', '', plain({ json: { title: 'b' }, headers: MERGE_PATCH })],
  ['a JSON patch', 'PATCH', '', plain({ body: PATCH, headers: JSON_PATCH })],
  [
    'a patch with a key',
    'PATCH',
    '',
    async () => ({
      json: { title: 'b' },
      headers: { ...MERGE_PATCH, 'Idempotency-Key': `"${crypto.randomUUID()}"` },
    }),
  ],
  ['POST of a change', 'POST', '', plain({ json: { title: 'b' } })],
  ['POST of a form', 'POST', '/edit', plain({ body: 'title=b', headers: FORM })],
  ['POST of the form that removes it', 'POST', '/delete', plain({ body: '', headers: FORM })],
  ['a transition', 'POST', '/publish'],
  [
    'a transition with a key',
    'POST',
    '/publish',
    async () => ({ headers: { 'Idempotency-Key': `"${crypto.randomUUID()}"` } }),
  ],
  ['a transition that responds later', 'POST', '/publish', plain({ headers: { Prefer: 'respond-async' } })],
  ['DELETE', 'DELETE', ''],
  [
    'DELETE with its entity tag',
    'DELETE',
    '',
    async (path) => ({ headers: { 'If-Match': await tagOf(path) } }),
  ],
  ['DELETE with another entity tag', 'DELETE', '', plain({ headers: { 'If-Match': '"other"' } })],
  ['DELETE that responds later', 'DELETE', '', plain({ headers: { Prefer: 'respond-async' } })],
];

describe('an item of another owner', () => {
  test.each(requests)(
    'is as missing as a removed item for %s',
    async (_, method, suffix, sent = plain({})) => {
      const foreign = await made(ada);
      const photo = { body: PNG, headers: { 'Content-Type': 'image/png' } };
      for (const name of ['photo', 'scan'])
        expect((await ada('PUT', `${foreign}?fields=${name}`, photo)).status).toBe(201);
      const before = await ada('GET', foreign);
      const gone = await removed(bob);
      const content = await sent(foreign);
      const answer = await bob(method, foreign + suffix, content);
      expect(comparable(answer, foreign)).toEqual(
        comparable(await bob(method, gone + suffix, content), gone),
      );
      expect([404, 412]).toContain(answer.status);
      const after = await ada('GET', foreign);
      expect([after.status, after.headers.etag, after.text]).toEqual([200, before.headers.etag, before.text]);
    },
  );

  test.each(requests)(
    'gives its owner another status than 404 for %s',
    async (_, method, suffix, sent = plain({})) => {
      const own = await made(ada);
      const photo = { body: PNG, headers: { 'Content-Type': 'image/png' } };
      for (const name of ['photo', 'scan']) await ada('PUT', `${own}?fields=${name}`, photo);
      expect((await ada(method, own + suffix, await sent(own))).status).not.toBe(404);
    },
  );
});

describe('lists', () => {
  test('show a caller its own items only, in full pages, with their own count', async () => {
    const title = crypto.randomUUID();
    const own: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      own.push(idOf(await made(bob, { title, rank: at })));
      await made(ada, { title, rank: at });
    }
    const all = `/notes?title=${title}`;
    for (const query of [
      '',
      '&sort=rank',
      '&sort=-rank',
      '&sort=title',
      '&sort=-createdAt',
      '&sort=rank,-title',
      '&rank.gte=0',
      '&status=draft',
    ]) {
      const pages: number[][] = [];
      let next: string | undefined = `${all}${query}&limit=4`;
      while (next !== undefined) {
        const page = await bob('GET', next, { headers: { Prefer: 'count=exact' } });
        const { items, links, total } = page.json();
        expect([page.status, total]).toEqual([200, 6]);
        pages.push(items.map(({ id }) => id));
        next = links.find(({ rel }) => rel === 'next')?.href;
      }
      expect(pages.map((ids) => ids.length)).toEqual([4, 2]);
      expect(pages.flat().sort()).toEqual([...own].sort());
    }
  });

  test('are empty for a caller who names the items of another owner', async () => {
    const title = crypto.randomUUID();
    const secret = crypto.randomUUID();
    const foreign = idOf(await made(ada, { title, secret }));
    for (const query of [
      `id=${foreign}`,
      `title=${title}`,
      `id=${foreign}&title=${title}`,
      `title.prefix=${title.slice(0, 9)}`,
    ]) {
      for (const Accept of [
        'application/json',
        'text/csv',
        'application/xml',
        'application/jsonl',
        'text/html',
      ]) {
        const answer = await bob('GET', `/notes?${query}`, { headers: { Accept } });
        expect(answer.status).toBe(200);
        expect(answer.text).not.toContain(secret);
      }
      expect((await bob('GET', `/notes?${query}`)).json().items).toEqual([]);
      expect((await ada('GET', `/notes?${query}`)).json().items).toHaveLength(1);
    }
  });

  test('continue after a cursor of another owner with own items only', async () => {
    const title = crypto.randomUUID();
    for (const client of [ada, bob, ada, bob]) await made(client, { title });
    const { links } = (await ada('GET', `/notes?title=${title}&limit=1&sort=title`)).json();
    const next = links.find(({ rel }) => rel === 'next')?.href as string;
    const own = (await bob('GET', `/notes?title=${title}`)).json().items.map(({ id }) => id);
    for (const { id } of atLeastOne((await bob('GET', next)).json().items)) expect(own).toContain(id);
  });

  test('have the entity tag of the own items only', async () => {
    const before = await bob('GET', '/notes');
    await made(ada);
    expect((await bob('GET', '/notes')).headers.etag).toBe(before.headers.etag);
  });
});

describe('bulk requests', () => {
  const titles = async (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await ada('GET', path)).json().title));

  test('refuse to replace items of another owner as they refuse missing ones', async () => {
    const foreign = await made(ada);
    const gone = await removed(bob);
    const answers = [];
    for (const path of [foreign, gone]) {
      for (const headers of [{}, { Prefer: 'handling=lenient' }, { Prefer: 'respond-async' }])
        answers.push(
          comparable(await bob('PUT', '/notes', { json: [{ id: idOf(path), title: 'b' }], headers }), path),
        );
    }
    expect(answers.slice(0, 3)).toEqual(answers.slice(3));
    expect(await titles([foreign])).toEqual(['a']);
  });

  test('replace no item if one of them belongs to another owner', async () => {
    const [foreign, own] = [await made(ada), await made(bob)];
    const json = [foreign, own].map((path) => ({ id: idOf(path), title: 'b' }));
    expect((await bob('PUT', '/notes', { json })).status).toBe(409);
    expect(await titles([foreign])).toEqual(['a']);
    expect((await bob('GET', own)).json().title).toBe('a');
  });

  test('create items that other callers do not see', async () => {
    const title = crypto.randomUUID();
    const several = await ada('POST', '/notes', { json: [{ title }, { title }] });
    expect(several.status).toBe(201);
    const many = Array.from({ length: 130 }, () => ({ title }));
    const operation = await ended(await ada('POST', '/notes', { json: many }), ada);
    expect(operation.json().status).toBe('Succeeded');
    const count = async (client: Client) =>
      (await client('GET', `/notes?title=${title}&limit=1`, { headers: { Prefer: 'count=exact' } })).json()
        .total;
    expect([await count(ada), await count(bob)]).toEqual([132, 0]);
  });

  test('remove all own items and no others, at once and as an operation', async () => {
    const foreign = await made(ada);
    for (const more of [0, 130]) {
      await made(bob);
      if (more > 0)
        await ended(
          await bob('POST', '/notes', { json: Array.from({ length: more }, () => ({ title: 'x' })) }),
          bob,
        );
      const answer = await bob('DELETE', '/notes');
      if (answer.status === 202) await ended(answer, bob);
      else expect(answer.status).toBe(204);
      expect((await bob('GET', '/notes')).json().items).toEqual([]);
    }
    expect((await ada('GET', foreign)).status).toBe(200);
  });
});

describe('operations', () => {
  test('create, change and remove for their caller', async () => {
    const headers = { Prefer: 'respond-async' };
    const creation = await ended(await ada('POST', '/notes', { json: { title: 'later' }, headers }), ada);
    const path = creation.json().links.find(({ rel }) => rel === 'result')?.href as string;
    expect((await ada('GET', path)).json()).toMatchObject({ title: 'later' });
    expectProblem(await bob('GET', path), 404);
    await ended(await ada('PUT', path, { json: { title: 'changed' }, headers }), ada);
    expect((await ada('GET', path)).json()).toMatchObject({ title: 'changed' });
    await ended(await ada('DELETE', path, { headers }), ada);
    expectProblem(await ada('GET', path), 404);
  });
});

describe('expand', () => {
  test('shows a related item of another owner as missing', async () => {
    const foreign = await made(ada, { title: 'secret' }, '/notebooks');
    const gone = await made(bob, { title: 'a' }, '/notebooks');
    expect((await bob('DELETE', gone)).status).toBe(204);
    const shown = async (path: string) => {
      const own = await made(bob, { title: 'a', notebookId: idOf(path) });
      return [
        (await bob('GET', `${own}?expand=notebook`)).json().notebook,
        (await bob('GET', `/notes?id=${idOf(own)}&expand=notebook`)).json().items[0]?.notebook,
      ];
    };
    expect(await shown(foreign)).toEqual(await shown(gone));
    const own = await made(bob, { title: 'mine' }, '/notebooks');
    expect(await shown(own)).toMatchObject([{ title: 'mine' }, { title: 'mine' }]);
  });
});

describe('tenants', () => {
  test('share the items of their callers and see no others', async () => {
    const [first, second, other] = await Promise.all([
      clientAs(service, 'ada', SCOPES, 'acme'),
      clientAs(service, 'bob', SCOPES, 'acme'),
      clientAs(service, 'bob', SCOPES, 'umbrella'),
    ]);
    const { headers } = await first('POST', '/papers', { json: { title: 'plan' } });
    const path = headers.location as string;
    expect((await second('GET', path)).json()).toMatchObject({ title: 'plan' });
    expect((await second('PUT', path, { json: { title: 'changed' } })).status).toBe(200);
    expect((await second('GET', '/papers')).json().items).toHaveLength(1);
    for (const method of ['GET', 'HEAD', 'DELETE']) expect((await other(method, path)).status).toBe(404);
    expectProblem(await other('PUT', path, { json: { title: 'x' } }), 404);
    expect((await other('GET', '/papers')).json().items).toEqual([]);
    expect((await second('DELETE', path)).status).toBe(204);
  });

  test('need a token that names one', async () => {
    const without = await clientAs(service, 'ada', SCOPES);
    for (const [method, path] of [
      ['GET', '/papers'],
      ['GET', '/papers/1'],
      ['POST', '/papers'],
    ] as const)
      expectProblem(
        await without(method, path, { json: method === 'POST' ? { title: 'a' } : undefined }),
        403,
      );
  });

  test('keep the recorded answers of one caller apart', async () => {
    const headers = { 'Idempotency-Key': `"${crypto.randomUUID()}"` };
    const paths = [];
    for (const tenant of ['acme', 'umbrella', 'acme']) {
      const client = await clientAs(service, 'ada', SCOPES, tenant);
      paths.push((await client('POST', '/papers', { json: { title: 'plan' }, headers })).headers.location);
    }
    expect(paths[0]).toBe(paths[2]);
    expect(paths[0]).not.toBe(paths[1]);
  });
});

describe('a representation', () => {
  test('does not show the owner', async () => {
    const { text } = await ada('GET', await made(ada));
    expect(text).not.toMatch(/owner/i);
  });
});
