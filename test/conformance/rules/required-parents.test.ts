import { describe, expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { BROWSER, formOf, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * Items that are always below another one: the path fills the field. Source: Specification 1.23.
 */
const send = withOpened('ruled');

interface Description {
  readonly paths: Readonly<
    Record<
      string,
      { post: { requestBody: { content: { 'application/json': { schema: { $ref: string } } } } } }
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, { oneOf?: { $ref: string }[]; required?: string[] }>>;
  };
}

async function shelf() {
  const answer = await send('POST', '/shelves', { json: { name: 'a' } });
  expect(answer.status).toBe(201);
  return { path: answer.headers.location as string, id: answer.json().id };
}

const typed = (type: string, body: string): SentRequest => ({ body, headers: { 'Content-Type': type } });

const NEW: readonly (readonly [string, SentRequest])[] = [
  ['JSON', { json: { name: 'a' } }],
  ['null', { json: { name: 'a', shelfId: null } }],
  ['a list', { json: [{ name: 'a' }, { name: 'b' }] }],
  ['a part of a list', { json: [{ name: 'a' }], headers: { Prefer: 'handling=lenient' } }],
  ['an operation', { json: { name: 'a' }, headers: { Prefer: 'respond-async' } }],
  ['CSV', typed('text/csv', 'name\na\n')],
  ['XML', typed('application/xml', '<card><name>a</name></card>')],
  ['a form', typed('application/x-www-form-urlencoded', 'name=a')],
];

describe.each(['cards', 'labels'])('%s', (name) => {
  test('the path fills the required field in every format', async () => {
    const { path, id } = await shelf();
    const statuses: string[] = [];
    for (const [what, sent] of NEW) {
      const answer = await send('POST', `${path}/${name}`, {
        ...sent,
        ...(typeof sent.body === 'string' ? { body: sent.body.replaceAll('card', name.slice(0, -1)) } : {}),
      });
      if (answer.status === 202) await ended(answer, send);
      statuses.push(`${what} ${answer.status}`);
    }
    expect(statuses).toEqual([
      'JSON 201',
      'null 201',
      'a list 201',
      'a part of a list 207',
      'an operation 202',
      'CSV 201',
      'XML 201',
      'a form 201',
    ]);
    const { items } = (await send('GET', `${path}/${name}?limit=50`)).json();
    expect(items.map(({ shelfId }) => shelfId)).toEqual(Array(9).fill(id));
    const replaced = await send('PUT', `${path}/${name}`, {
      json: items.map((one) => ({ id: one.id, name: 'c' })),
    });
    expect([replaced.status, replaced.json().items[0]]).toMatchObject([200, { name: 'c', shelfId: id }]);
  });

  test('elsewhere the field must be given, and another parent is refused', async () => {
    const { path, id } = await shelf();
    const without = await send('POST', `/${name}`, { json: { name: 'a' } });
    expectProblem(without, 400, 'validation-error');
    expect(without.json().errors).toEqual([{ pointer: '/shelfId', detail: 'must be given' }]);
    const made = await send('POST', `/${name}`, { json: { name: 'a', shelfId: id } });
    expect(made.status).toBe(201);
    const item = made.headers.location as string;
    expectProblem(await send('PUT', item, { json: { name: 'b' } }), 400, 'validation-error');
    expectProblem(
      await send('POST', `${path}/${name}`, { json: { name: 'a', shelfId: 1 } }),
      409,
      'conflict',
    );
    expectProblem(await send('POST', `/shelves/1/${name}`, { json: { name: 'a' } }), 404, 'not-found');
    for (const json of [{}, [{}]])
      expectProblem(await send('POST', `${path}/${name}`, { json }), 400, 'validation-error');
  });

  test('a person creates one from the page of the list', async () => {
    const { path, id } = await shelf();
    const list = (await send('GET', `${path}/${name}`, { headers: BROWSER })).text;
    expect(list).toContain(`href="/${name}/new?shelfId=${id}"`);
    const page = (await send('GET', `/${name}/new?shelfId=${id}`, { headers: BROWSER })).text;
    const { action, inputs } = formOf(page);
    const body = urlencoded(new Map([...inputs, ['name', 'typed']]));
    const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await send('POST', action, { body, headers })).status).toBe(303);
    expect((await send('GET', `${path}/${name}`)).json().items).toMatchObject([
      { name: 'typed', shelfId: id },
    ]);
  });
});

test('the description requires the field where the path does not give it', async () => {
  const { paths, components } = (await send('GET', '/openapi.json')).json() as unknown as Description;
  const required = (path: string) => {
    const named = ({ $ref = '' } = {}) => components.schemas[$ref.split('/').pop() ?? ''];
    const content = named(paths[path]?.post.requestBody.content['application/json'].schema);
    const one = named(content?.oneOf?.[0]);
    expect(one).toBeDefined();
    return one?.required ?? [];
  };
  expect(required('/cards')).toContain('shelfId');
  expect(required('/shelves/{id}/cards')).toEqual([]);
});
