import { describe, expect, test } from '@jest/globals';
import { ANYONE } from '../../../shared/resource/access/owner.ts';
import type { Action, ItemCall, Run } from '../../../shared/resource/actions/action.ts';
import { done, missing, type Outcome } from '../../../shared/resource/actions/outcome.ts';
import { binary } from '../../../shared/resource/description/fields.ts';
import { describe as describeItems } from '../../../shared/resource/description/plan.ts';
import type { RouteMethod } from '../../../shared/resource/facts.ts';
import { mergeRoutes, type Route } from '../../../shared/resource/route.ts';
import {
  bulk,
  type CollectionActions,
  change,
  collection,
  forms,
} from '../../../shared/resource/styles/collection.ts';
import { document } from '../../../shared/resource/styles/document.ts';
import { nested, nestedBulk, relatedItem, relatedList } from '../../../shared/resource/styles/nested.ts';
import { process } from '../../../shared/resource/styles/process.ts';
import {
  binaries,
  publication,
  type StoreActions,
  store,
} from '../../../shared/resource/styles/store-and-binaries.ts';

const CALL = { caller: ANYONE, now: 0 };
const ITEM: ItemCall = { ...CALL, id: 1 };

/** An action whose outcome names it. */
const says = (name: string) => () => missing(name);
const nameIn = (outcome: Outcome) => (outcome.kind === 'missing' ? outcome.detail : outcome.kind);

const ACTIONS = {
  list: says('list'),
  read: says('read'),
  create: says('create'),
  createAll: says('createAll'),
  replace: says('replace'),
  replaceAll: says('replaceAll'),
  remove: says('remove'),
  removeAll: says('removeAll'),
  exists: says('exists'),
};
const NESTED = { ...ACTIONS, field: 'bId', parents: 'b' };

/** `METHOD path` → the endpoint's id. */
const idsOf = (routes: readonly Route[]) =>
  Object.fromEntries(
    routes.flatMap(({ path, endpoints }) =>
      Object.entries(endpoints).map(([method, { id }]) => [`${method} ${path}`, id]),
    ),
  );

function endpointOf(routes: readonly Route[], method: RouteMethod, path: string) {
  const endpoint = mergeRoutes(routes).find((one) => one.path === path)?.endpoints[method];
  if (!endpoint) throw new Error(`There is no ${method} ${path}`);
  return endpoint;
}

describe('the ids of endpoints, from which published names derive', () => {
  test.each<[string, readonly Route[], Readonly<Record<string, string>>]>([
    [
      'a collection',
      collection('/a', ACTIONS),
      {
        'GET /a': 'list',
        'POST /a': 'create',
        'GET /a/{id}': 'read',
        'PUT /a/{id}': 'replace',
        'PATCH /a/{id}': 'patch',
        'DELETE /a/{id}': 'remove',
      },
    ],
    ['a change', change('/a', ACTIONS), { 'POST /a/{id}': 'change' }],
    ['bulk work', bulk('/a', ACTIONS), { 'PUT /a': 'replaceAll', 'DELETE /a': 'removeAll' }],
    [
      'forms',
      forms('/a', ACTIONS),
      {
        'GET /a/new': 'blank',
        'POST /a/new': 'create',
        'GET /a/{id}/edit': 'read',
        'POST /a/{id}/edit': 'change',
        'GET /a/{id}/delete': 'read',
        'POST /a/{id}/delete': 'remove',
      },
    ],
    ['nested items', nested('/b/{id}/a', NESTED), { 'GET /b/{id}/a': 'list', 'POST /b/{id}/a': 'create' }],
    [
      'nested bulk work',
      nestedBulk('/b/{id}/a', { ...ACTIONS, field: 'bId' }),
      { 'PUT /b/{id}/a': 'replaceAll', 'DELETE /b/{id}/a': 'removeAll' },
    ],
    [
      'a related item',
      relatedItem('/b/{id}/a', { resource: 'b', field: 'aId' }, ACTIONS.read),
      { 'GET /b/{id}/a': 'read' },
    ],
    [
      'a related list',
      relatedList('/b/{id}/a', { resource: 'b', field: 'aId' }, ACTIONS.list),
      { 'GET /b/{id}/a': 'list' },
    ],
    [
      'a store',
      store('/s', 'name', { ...ACTIONS, write: says('write'), register: says('register') }),
      {
        'GET /s': 'list',
        'POST /s': 'register',
        'GET /s/{name}': 'read',
        'PUT /s/{name}': 'write',
        'DELETE /s/{name}': 'remove',
        'GET /s/{name}/delete': 'read',
        'POST /s/{name}/delete': 'remove',
      },
    ],
    [
      'a process',
      process('/a', ACTIONS.read, [{ name: 'pay', run: says('pay'), check: says('check') }]),
      { 'POST /a/{id}/pay': 'pay' },
    ],
    ['a document', document('/d', { id: 'health', run: says('health') }), { 'GET /d': 'health' }],
    [
      'a publication',
      publication('/p', { run: says('read'), mediaTypes: ['text/html'] }),
      { 'GET /p': 'read' },
    ],
  ])('are stable for %s', (_what, routes, ids) => {
    expect(idsOf(routes)).toEqual(ids);
  });
});

describe('an endpoint', () => {
  const routes = collection('/a', ACTIONS, { replace: () => done });

  test.each(['PUT', 'PATCH'] as const)('of %s calls replace, with its check', async (method) => {
    const endpoint = endpointOf(routes, method, '/a/{id}');
    const input = { ...ITEM, values: {} };
    expect(endpoint.takes === 'replace' && nameIn(await endpoint.run(input))).toBe('replace');
    expect(endpoint.takes === 'replace' && (await endpoint.check?.(input))).toBe(done);
  });

  test('has no check that its resource does not declare', () => {
    expect(endpointOf(routes, 'DELETE', '/a/{id}').check).toBeUndefined();
  });

  test('calls another action for a list, under a name of its own', async () => {
    const { several } = endpointOf(routes, 'POST', '/a');
    const outcome =
      several?.takes === 'elements' ? await several.run({ ...CALL, elements: [], lenient: false }) : done;
    expect([several?.id, nameIn(outcome)]).toEqual(['createAll', 'createAll']);
  });

  test('takes no list if the resource has no action for it', () => {
    const { createAll: _none, ...single } = ACTIONS;
    expect(endpointOf(collection('/a', single), 'POST', '/a')).not.toHaveProperty('several');
  });

  test('takes no list from a form', () => {
    expect(endpointOf(forms('/a', ACTIONS), 'POST', '/a/new')).not.toHaveProperty('several');
  });

  test('below a parent checks the parent by its identifier', async () => {
    const { parent } = endpointOf(nested('/b/{id}/a', NESTED), 'POST', '/b/{id}/a');
    expect(nameIn((await parent?.(ITEM)) as Outcome)).toBe('exists');
  });

  test('of a transition can refuse it, and reads the item', async () => {
    const pay = { name: 'pay', run: says('pay'), check: says('check') };
    const { refusals, reads } = endpointOf(process('/a', ACTIONS.read, [pay]), 'POST', '/a/{id}/pay');
    expect(refusals).toEqual(['invalid-transition']);
    expect(reads).toMatchObject({ takes: 'item', run: ACTIONS.read });
  });

  test('of a binary property reads the item that has it', async () => {
    const actions = { ...ACTIONS, whole: says('whole'), write: says('write') };
    const fields = { image: binary('Image', { accepts: 'image/*' }) };
    const described = describeItems({ singular: 'a', fields, open: true });
    const [route, undeclared] = binaries('/a/{id}', described, actions);
    const outcome = await route?.endpoints.PUT?.whole?.(ITEM);
    expect(nameIn(outcome as Outcome)).toBe('whole');
    expect(route).toMatchObject({ binary: { kind: 'declared', name: 'image', accepts: 'image/*' } });
    expect(undeclared).toMatchObject({ binary: { kind: 'undeclared' } });
  });
});

/** True if a value of the type Given can be the actions of a style. The compiler refuses a wrong constant below. */
type Fits<Given, Style> = Given extends Style ? true : false;

test('the compiler refuses a style without its actions, or with actions that need more than its path', () => {
  const withoutRead: Fits<Omit<CollectionActions, 'read'>, CollectionActions> = false;
  const withoutCreateAll: Fits<Omit<CollectionActions, 'createAll'>, CollectionActions> = true;
  const ofAnotherPath: Fits<Action<'file'>, CollectionActions['read']> = false;
  const ofItem: Fits<Action<'item'>, CollectionActions['create']> = false;
  const ofAnything: Fits<Run, StoreActions['write']> = true;
  expect([withoutRead, withoutCreateAll, ofAnotherPath, ofItem, ofAnything]).toEqual([
    false,
    true,
    false,
    false,
    true,
  ]);
});
