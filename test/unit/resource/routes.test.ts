import { describe, expect, test } from '@jest/globals';
import { done } from '../../../shared/resource/actions/outcome.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { allow, type Endpoint, hasForm, mergeRoutes, type Route } from '../../../shared/resource/route.ts';

const endpoint = (id: string): Endpoint => ({ id, takes: 'document', run: () => done, content: 'none' });
const route = (path: string, endpoints: Route['endpoints'], more: Partial<Route> = {}): Route => ({
  path,
  endpoints,
  ...more,
});
const idsOf = ({ endpoints }: Route) =>
  Object.fromEntries(Object.entries(endpoints).map(([method, { id }]) => [method, id]));

describe('the merge of routes', () => {
  test('joins the endpoints of routes with the same path', () => {
    const [merged, ...others] = mergeRoutes([
      route('/a', { GET: endpoint('list') }),
      route('/a', { POST: endpoint('create') }),
    ]);
    expect(others).toEqual([]);
    expect(idsOf(merged as Route)).toEqual({ GET: 'list', POST: 'create' });
  });

  test('lets the later endpoint of a method count', () => {
    const [merged] = mergeRoutes([
      route('/a', { GET: endpoint('first'), POST: endpoint('create') }),
      route('/a', { GET: endpoint('second') }),
    ]);
    expect(idsOf(merged as Route)).toEqual({ GET: 'second', POST: 'create' });
  });

  test('separates binary properties from their item', () => {
    const merged = mergeRoutes([
      route('/a', { GET: endpoint('read') }),
      route(
        '/a',
        { GET: endpoint('bytes') },
        { binary: { kind: 'declared', name: 'image', accepts: 'image/*' } },
      ),
      route('/a', { GET: endpoint('others') }, { binary: { kind: 'undeclared' } }),
    ]);
    expect(merged.map(({ binary }) => binary?.kind)).toEqual([undefined, 'declared', 'undeclared']);
  });

  test('keeps the order of paths', () => {
    const merged = mergeRoutes([route('/b', {}), route('/a', {}), route('/b', {})]);
    expect(merged.map(({ path }) => path)).toEqual(['/b', '/a']);
  });

  test.each([
    ['open', undefined, undefined],
    [undefined, 'authenticated', undefined],
    ['open', undefined, { kind: 'undeclared' }],
  ] as const)('refuses a path with the access %s and %s', (access, other, binary) => {
    const routes = [
      route('/b', {}, { access: 'open' }),
      route('/a', { POST: endpoint('create') }, { access }),
      route('/a', { GET: endpoint('list') }, { access: other, ...(binary ? { binary } : {}) }),
    ];
    const sentence = "The routes of '/a' have different access";
    expect(() => mergeRoutes(routes)).toThrow(sentence);
    expect(() => mergeRoutes(routes.reverse())).toThrow(sentence);
  });

  test('changes none of its inputs', () => {
    const first = route('/a', { GET: endpoint('list') });
    mergeRoutes([first, route('/a', { POST: endpoint('create') })]);
    expect(Object.keys(first.endpoints)).toEqual(['GET']);
  });
});

test('a resource gives its actions itself, with its routes', () => {
  let given: unknown;
  const made = resource({
    name: 'things',
    title: 'Things',
    about: 'Things.',
    routes: (things) => {
      given = things;
      return [route('/things', { GET: endpoint('list') })];
    },
  });
  expect(given).toBe(made);
  expect(made.routes.map(({ path }) => path)).toEqual(['/things']);
});

test('a resource without declared capabilities has none', () => {
  const { idempotency, deferral } = resource({ name: 'a', title: 'A', about: 'A.', routes: () => [] });
  expect({ idempotency, deferral }).toEqual({ idempotency: false, deferral: false });
});

test.each<[string, Route['endpoints']]>([
  ['OPTIONS', {}],
  ['GET, HEAD, OPTIONS', { GET: endpoint('read') }],
  ['POST, OPTIONS', { POST: endpoint('pay') }],
  [
    'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
    {
      DELETE: endpoint('remove'),
      PATCH: endpoint('patch'),
      PUT: endpoint('replace'),
      GET: endpoint('read'),
    },
  ],
])('Allow is %s', (allowed, endpoints) => {
  expect(allow(route('/a', endpoints))).toBe(allowed);
});

test('a resource has a form for new items if one of its forms creates an item', () => {
  const form = (kind: 'new' | 'edit') => route('/a', { POST: { ...endpoint('create'), form: kind } });
  expect(hasForm({ routes: [form('new')] }, 'new')).toBe(true);
  expect(hasForm({ routes: [form('edit')] }, 'new')).toBe(false);
});
