import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { inUnits } from '../../../api/on-demand.ts';
import { compileValidator } from '../../../service/validation/compile.ts';
import type { CustomAction } from '../../../shared/resource/custom-action.ts';
import { integer } from '../../../shared/resource/description/fields.ts';
import { describe } from '../../../shared/resource/description/plan.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { mergeRoutes } from '../../../shared/resource/route.ts';
import { customActions } from '../../../shared/resource/styles/custom-actions.ts';
import { itemActions } from '../../../shared/store/actions/item-actions.ts';
import { attached, resourceOf } from '../attached.ts';
import { request } from '../request.ts';

/** What another request does right before the next transaction. */
let between: (() => Promise<unknown>) | undefined;
/** How often an action ran. */
let runs = 0;
beforeEach(() => {
  runs = 0;
});
afterEach(() => {
  between = undefined;
});

attached(async (call, pass) => {
  const act = between;
  if (act && call[0].headers['x-amz-target']?.endsWith('.TransactWriteItems')) {
    between = undefined;
    await act();
  }
  return pass(...call);
});

const members = resourceOf('members');
const fields = { from: integer('From', { isId: true }) };
const body = { fields, validate: compileValidator(describe({ singular: 'body', fields })) };

const ACTIONS: readonly CustomAction[] = [
  {
    id: 'greet',
    at: 'item',
    run: ({ item, items }) => {
      runs += 1;
      return items.update(item, { greeting: `Hello ${item.values.name}` });
    },
  },
  {
    id: 'copy',
    at: 'item',
    body,
    run: async ({ item, body: { from }, items }) => {
      runs += 1;
      const other = await items.get(Number(from));
      return items.update(item, { name: other?.values.name ?? null });
    },
  },
];

/** Members with custom actions. */
const acting: Resource = {
  ...members,
  routes: mergeRoutes([
    ...members.routes,
    ...customActions('/members', itemActions(members).read, inUnits(members, ACTIONS)),
  ]),
};

async function member(name: string): Promise<{ path: string; id: unknown }> {
  const { headers, body: made } = await request(members, 'POST', '/members', { name });
  return { path: String(headers.Location), id: (made as { id: unknown }).id };
}
const renamed = (path: string, value: string) => async () => {
  const patch = [{ op: 'replace', path: '/name', value }];
  expect((await request(members, 'PATCH', path, patch)).status).toBe(200);
};
const key = { 'idempotency-key': '"once"' };

test('an action whose item changes before the transaction runs again on the new state', async () => {
  const { path } = await member('Ada');
  between = renamed(path, 'Bob');
  const { status, body: after } = await request(acting, 'POST', `${path}/greet`, undefined, key);
  expect([status, runs]).toEqual([200, 2]);
  expect(after).toMatchObject({ name: 'Bob', greeting: 'Hello Bob' });
  // The first attempt recorded no answer, and the second one did.
  expect((await request(acting, 'POST', `${path}/greet`, undefined, key)).status).toBe(200);
  expect(runs).toBe(2);
});

test('an action with If-Match gets 412 then', async () => {
  const { path } = await member('Ada');
  const { headers } = await request(members, 'GET', path);
  between = renamed(path, 'Bob');
  const given = { 'if-match': String(headers.ETag) };
  expect((await request(acting, 'POST', `${path}/greet`, undefined, given)).status).toBe(412);
  expect((await request(members, 'GET', path)).body).not.toHaveProperty('greeting');
});

test('an action that has only read another item sees the change of it, too', async () => {
  const [one, other] = [await member('Ada'), await member('Bob')];
  between = renamed(other.path, 'Cy');
  const { status } = await request(acting, 'POST', `${one.path}/copy`, { from: other.id });
  expect([status, runs]).toEqual([200, 2]);
  expect((await request(members, 'GET', one.path)).body).toMatchObject({ name: 'Cy' });
});

test('an action whose other item is removed meanwhile sees that it is gone', async () => {
  const [one, other] = [await member('Ada'), await member('Bob')];
  between = async () => expect((await request(members, 'DELETE', other.path)).status).toBe(204);
  await request(acting, 'POST', `${one.path}/copy`, { from: other.id });
  expect(runs).toBe(2);
  expect((await request(members, 'GET', one.path)).body).not.toHaveProperty('name');
});
