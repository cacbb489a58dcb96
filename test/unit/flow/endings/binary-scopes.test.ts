import { expect, test } from '@jest/globals';
import type { Received } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { authorize } from '../../../../shared/flow/steps/pure/authorize.ts';
import { method } from '../../../../shared/flow/steps/pure/method.ts';
import { binary, text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import { ask, books, outcomeOf } from '../steps/books.ts';

const covers = books(
  {},
  {
    description: describe({
      singular: 'book',
      fields: {
        title: text('Title'),
        cover: {
          ...binary('Cover', { accepts: 'image/*' }),
          readableBy: 'covers:read',
          writableBy: 'covers:write',
        },
      },
      required: [],
    }),
  },
);
const authorized = flow<Received>().next(method).next(authorize);
const caller = (...scopes: string[]) => ({
  resource: covers,
  principal: { subject: 'ada', scopes: ['books:read', 'books:write', ...scopes] },
});
const TOKEN = { authorization: 'Bearer x' };

test.each([
  ['GET', [], 403, ['covers:read']],
  ['GET', ['covers:write'], 403, ['covers:read']],
  ['PUT', ['covers:read'], 403, ['covers:write']],
  ['DELETE', [], 403, ['covers:write']],
])('%s of bytes with the scopes %j ends with %i', async (name, scopes, status, missing) => {
  const start = ask(`${name} /books/7?fields=cover`, TOKEN, caller(...scopes));
  expect(await authorized.run(start)).toMatchObject({ ending: { status, problem: { scopes: missing } } });
});

test.each([
  ['GET', 'covers:read'],
  ['PUT', 'covers:write'],
])('%s of bytes with the scope %s passes', async (name, scope) => {
  const start = ask(`${name} /books/7?fields=cover`, TOKEN, caller(scope));
  expect(await outcomeOf(authorized, start)).toHaveProperty('fieldLimits');
});

test('a caller without the scopes of a field has limits in a write, and no other request has', async () => {
  const limited = await outcomeOf(authorized, ask('PUT /books/7', TOKEN, caller()));
  expect(limited).toMatchObject({ fieldLimits: expect.any(Object) });
  const read = await outcomeOf(authorized, ask('GET /books/7', TOKEN, caller()));
  expect(read).toMatchObject({ fieldLimits: undefined });
  const all = await outcomeOf(authorized, ask('PUT /books/7', TOKEN, caller('covers:read', 'covers:write')));
  expect(all).toMatchObject({ fieldLimits: undefined });
  const open = ask('GET /books', {}, { resource: books({}, { description: undefined }) });
  expect(await outcomeOf(authorized, open)).toMatchObject({ fieldLimits: undefined });
});
