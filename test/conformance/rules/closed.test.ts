import { describe, expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { BROWSER, formsOf, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * Methods that a definition closes. Five resources have every style of routes, and close none, one or all of the effects.
 * Source: Specification 1.21.
 */
const send = withOpened('ruled');

type Effect = 'create' | 'change' | 'remove';
const CLOSED: Readonly<Record<string, readonly Effect[]>> = {
  alphas: [],
  betas: ['create'],
  gammas: ['change'],
  deltas: ['remove'],
  omegas: ['create', 'change', 'remove'],
};
const NAMES = Object.keys(CLOSED);

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { name: 'a' };
const patch = (type: string, body: unknown): SentRequest => ({
  body: JSON.stringify(body),
  headers: { 'Content-Type': type },
});

/** Makes an item by the action of the collection, which nothing closes. */
async function made(name: string) {
  const answer = await send('POST', `/${name}/make`);
  expect(answer.status).toBe(201);
  return { path: answer.headers.location as string, id: answer.json().id };
}

interface Case {
  readonly effect: Effect;
  readonly method: string;
  readonly path: string;
  readonly sent?: SentRequest;
}

/** Every request that creates, changes or removes items without an action. */
function requestsTo(
  name: string,
  { path, id }: { readonly path: string; readonly id: number },
  shelf: string,
) {
  const below = `${shelf}/${name}`;
  const requests: [Effect, string, string, SentRequest?][] = [
    ['create', 'POST', `/${name}`, { json }],
    ['create', 'POST', `/${name}`, { json: [json, json] }],
    ['create', 'POST', `/${name}`, { json, headers: { Prefer: 'respond-async' } }],
    ['create', 'POST', `/${name}`, { body: 'name=a', headers: FORM }],
    ['create', 'POST', `/${name}`, { body: 'name\na', headers: { 'Content-Type': 'text/csv' } }],
    ['create', 'POST', `/${name}/new`, { body: 'name=a', headers: FORM }],
    ['create', 'POST', below, { json }],
    ['change', 'PUT', path, { json }],
    ['change', 'PATCH', path, patch('application/merge-patch+json', json)],
    [
      'change',
      'PATCH',
      path,
      patch('application/json-patch+json', [{ op: 'add', path: '/name', value: 'b' }]),
    ],
    ['change', 'POST', path, { json }],
    ['change', 'POST', `${path}/edit`, { body: 'name=c', headers: FORM }],
    ['change', 'PUT', `/${name}`, { json: [] }],
    ['change', 'PUT', below, { json: [] }],
    ['change', 'POST', `${path}/versions/1/restore`],
    ['change', 'PUT', `${path}?fields=photo`, { body: 'a', headers: { 'Content-Type': 'image/png' } }],
    ['change', 'DELETE', `${path}?fields=photo`],
    ['change', 'PUT', `${path}?fields=scan`, { body: 'a', headers: { 'Content-Type': 'image/png' } }],
    ['remove', 'DELETE', below],
    ['remove', 'POST', `${path}/delete`, { headers: FORM }],
    ['remove', 'DELETE', path],
    ['remove', 'DELETE', `/${name}?id=${id}`],
  ];
  return requests.map(
    ([effect, method, target, sent]): Case => ({ effect, method, path: target, ...(sent && { sent }) }),
  );
}

describe.each(NAMES)('%s', (name) => {
  const closed = CLOSED[name] ?? [];

  test('a closed method gets 405 with Allow without it, and the others do their work', async () => {
    const shelf = (await send('POST', '/shelves', { json: { name: 'a' } })).headers.location as string;
    const item = await made(name);
    const requests = requestsTo(name, item, shelf);
    expect(requests).toHaveLength(22);
    for (const { effect, method, path, sent } of requests) {
      const answer = await send(method, path, sent);
      const { status, headers } = answer;
      const isClosed = closed.includes(effect);
      expect([method, path, status === 405, status < 405]).toEqual([method, path, isClosed, !isClosed]);
      if (!isClosed) continue;
      expectProblem(answer, 405, 'method-not-allowed');
      expect(headers.allow?.split(', ')).toEqual(expect.arrayContaining(['OPTIONS']));
      expect(headers.allow?.split(', ')).not.toContain(method);
    }
  });

  test('actions, transitions and reads pass', async () => {
    const { path } = await made(name);
    const statuses: number[] = [];
    for (const [method, target] of [
      ['POST', `${path}/rename`],
      ['POST', `${path}/end`],
      ['GET', `/${name}`],
      ['GET', path],
      ['GET', `${path}/versions`],
      ['GET', `${path}/versions/1`],
      ['POST', `${path}/drop`],
      ['GET', `/${name}/removed`],
    ] as const)
      statuses.push((await send(method, target)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 204, 200]);
  });

  test('pages offer what is open, and nothing else', async () => {
    const { path } = await made(name);
    await send('POST', `${path}/rename`);
    const page = async (target: string) => (await send('GET', target, { headers: BROWSER })).text;
    const [list, item, past, removed, home] = await Promise.all(
      [`/${name}`, path, `${path}/versions`, `/${name}/removed`, '/'].map(page),
    );
    const gone = await made(name);
    await send('POST', `${gone.path}/drop`);
    const offered = {
      create: [list?.includes(`href="/${name}/new"`), home?.includes(`/${name}/new`)],
      change: [
        item?.includes(`href="${path}/edit"`),
        past?.includes('/restore"'),
        (await page(`/${name}/removed`)).includes('/restore"'),
      ],
      remove: [item?.includes(`href="${path}/delete"`), list?.includes('value="delete"')],
    };
    for (const [effect, shown] of Object.entries(offered))
      expect([effect, shown]).toEqual([effect, shown.map(() => !closed.includes(effect as Effect))]);
    expect(removed).toContain('Removed');
    const links = (await send('GET', `${path}/versions/1`)).json().links.map(({ rel }) => rel);
    expect(links.includes('restore')).toBe(!closed.includes('change'));
    const home404 = await send('GET', `/${name}/new`);
    expect(home404.status).toBe(closed.includes('create') ? 405 : 200);
  });

  test('ticked rows still have their transitions', async () => {
    const items = await Promise.all([made(name), made(name)]);
    const { text } = await send('GET', `/${name}?sort=-createdAt`, { headers: BROWSER });
    const form = formsOf(text).find(({ action }) => action.startsWith(`/${name}?`));
    const rows = items.map(({ id }) => [':row', `1.${id}`] as const);
    const body = urlencoded([...(form?.inputs ?? []), ...rows, [':with', 'end']]);
    const headers = { ...BROWSER, ...FORM };
    const answer = await send('POST', form?.action ?? '', { body, headers });
    expect([answer.status, answer.headers.location]).toEqual([303, expect.stringContaining('end.2')]);
    for (const { path } of items) expect((await send('GET', path)).json().status).toBe('ended');
    const foreign = await send('POST', `/${name}`, {
      body: urlencoded([...rows, [':with', 'end']]),
      headers: { ...headers, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    });
    expect(foreign.status).not.toBe(303);
  });

  test('the description has the open operations alone', async () => {
    const { paths } = (await send('GET', '/openapi.json')).json() as unknown as {
      readonly paths: Readonly<Record<string, object>>;
    };
    const all: Readonly<Record<string, readonly [string, Effect][]>> = {
      [`/${name}`]: [
        ['post', 'create'],
        ['put', 'change'],
        ['delete', 'remove'],
      ],
      [`/${name}/{id}`]: [
        ['put', 'change'],
        ['patch', 'change'],
        ['post', 'change'],
        ['delete', 'remove'],
      ],
      [`/shelves/{id}/${name}`]: [
        ['post', 'create'],
        ['put', 'change'],
        ['delete', 'remove'],
      ],
      [`/${name}/{id}/versions/{version}/restore`]: [['post', 'change']],
      [`/${name}/{id}/photo`]: [
        ['put', 'change'],
        ['delete', 'change'],
      ],
    };
    for (const [path, operations] of Object.entries(all)) {
      const open = operations.filter(([, effect]) => !closed.includes(effect)).map(([method]) => method);
      const described = Object.keys(paths[path] ?? {}).filter((one) =>
        operations.some(([method]) => method === one),
      );
      expect([path, described.sort()]).toEqual([path, open.sort()]);
    }
  });
});
