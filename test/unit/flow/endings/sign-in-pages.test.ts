import { expect, test } from '@jest/globals';
import { PURE } from '../../../../shared/flow/answer.ts';
import type { Received } from '../../../../shared/flow/exchange.ts';
import { flow } from '../../../../shared/flow/flow.ts';
import { authorize } from '../../../../shared/flow/steps/pure/authorize.ts';
import { method } from '../../../../shared/flow/steps/pure/method.ts';
import { describe } from '../../../../shared/resource/description/description.ts';
import { binary, text } from '../../../../shared/resource/description/fields.ts';
import type { Route } from '../../../../shared/resource/route.ts';
import { ask, books, outcomeOf } from '../steps/books.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const PERSON = { isClosed: true, signInClient: 'pages' };
const HTML = { accept: 'text/html' };

const { routes } = books();
const [change] = routes.filter(({ path }) => path === '/books/{id}');
/** A route with POST alone. */
const control = (path: string): Route => ({
  path,
  endpoints: change?.endpoints.POST ? { POST: change.endpoints.POST } : {},
});

test.each([
  ['below a page', '/books/{id}/lend', '/books/7/lend', '%2Fv1%2Fbooks%2F7'],
  ['below another control', '/shelves/{id}/lend', '/shelves/7/lend', '%2Fv1%2F'],
  ['at the root', '/lend', '/lend', '%2Fv1%2F'],
])('the sign-in after a POST to a control %s leads to a page', async (_where, template, path, to) => {
  const resource = books({}, { routes: [control(template), ...routes] });
  const passage = await PURE.run(ask(`POST ${path}`, HTML, { ...PERSON, resource }));
  expect(passage).toMatchObject({
    ending: { status: 401, problem: { members: { links: [{ href: `/v1/sign-in?to=${to}` }] } } },
  });
});

test.each([
  [FORM_TYPE, '/books/new', new Map([['title', ['Emma']]])],
  ['application/json', '/books', undefined],
])('after the end of a sign-in, %s to %s gets its inputs back: %j', async (type, path, submitted) => {
  const start = ask(`POST ${path}`, { ...HTML, 'content-type': type }, { ...PERSON, body: 'title=Emma' });
  const passage = await PURE.run(start);
  expect(passage).toMatchObject({ kind: 'ended', ending: { status: 401 } });
  expect(passage.kind === 'ended' && passage.ending.submitted).toEqual(submitted);
});

test('the inputs come back although a precondition or a preference of the request is malformed', async () => {
  const headers = { ...HTML, 'content-type': FORM_TYPE, prefer: 'handling=lenient', 'if-match': 'unquoted' };
  const passage = await PURE.run(ask('POST /books/new', headers, { ...PERSON, body: 'title=Emma' }));
  expect(passage).toMatchObject({ ending: { status: 401, submitted: new Map([['title', ['Emma']]]) } });
});

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

test('a caller without the scopes of a field has limits, and no other has', async () => {
  const limited = await outcomeOf(authorized, ask('GET /books/7', TOKEN, caller()));
  expect(limited).toMatchObject({ fieldLimits: expect.any(Object) });
  const all = await outcomeOf(authorized, ask('GET /books/7', TOKEN, caller('covers:read', 'covers:write')));
  expect(all).toMatchObject({ fieldLimits: undefined });
  const open = ask('GET /books', {}, { resource: books({}, { description: undefined }) });
  expect(await outcomeOf(authorized, open)).toMatchObject({ fieldLimits: undefined });
});
