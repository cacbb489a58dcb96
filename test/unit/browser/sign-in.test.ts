import { expect, test } from '@jest/globals';
import { endedSignIn, leadToSignIn } from '../../../pages/browser/sign-in.ts';
import { BEFORE_CONTENT } from '../../../shared/flow/answer.ts';
import { problem } from '../../../shared/http/problem.ts';
import type { Request } from '../../../shared/http/request.ts';
import type { Route } from '../../../shared/resource/route.ts';
import { ask, books } from '../flow/steps/books.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const HTML = { accept: 'text/html' };
const TOKEN = { authorization: 'Bearer x' };
const EMMA = { body: '{"title":"Emma"}' };
const INPUT = { body: 'title=Emma' };
const PERSON = { isClosed: true, signInClient: 'pages' };
const { routes } = books();
const open = books({}, { routes: routes.map((route) => ({ ...route, access: 'open' as const })) });
const [change] = routes.filter(({ path }) => path === '/books/{id}');
/** A route with POST alone. */
const control = (path: string): Route => ({
  path,
  endpoints: change?.endpoints.POST ? { POST: change.endpoints.POST } : {},
});
const below = (path: string) => ({ ...PERSON, resource: books({}, { routes: [control(path), ...routes] }) });

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  address: string | undefined,
];

const LEADS: readonly Row[] = [
  ['GET /books', HTML, PERSON, '/v1/sign-in?to=%2Fv1%2Fbooks'],
  ['HEAD /books?limit=2', HTML, PERSON, '/v1/sign-in?to=%2Fv1%2Fbooks%3Flimit%3D2'],
  ['GET /books/7/edit', HTML, PERSON, '/v1/sign-in?to=%2Fv1%2Fbooks%2F7%2Fedit'],
  ['GET /books', {}, PERSON, undefined],
  ['GET /books', HTML, { ...PERSON, resource: open }, undefined],
  ['GET /books', HTML, { signInClient: 'pages' }, undefined],
  ['GET /books', HTML, { ...PERSON, principal: { subject: 'ada', scopes: [] } }, undefined],
  ['GET /books', HTML, { isClosed: true }, undefined],
  ['GET /books', { ...HTML, ...TOKEN }, PERSON, undefined],
  ['POST /books', HTML, PERSON, undefined],
];

test.each(LEADS)(
  '%s with %j leads to the sign-in, if a person can sign in',
  (line, headers, asked, address) => {
    const { request, resource } = ask(line, headers, asked);
    const lead = leadToSignIn(resource, request);
    expect(lead).toEqual(
      address && {
        status: 303,
        headers: {
          Location: address,
          'Cache-Control': 'no-store',
          Vary: 'Accept, Authorization, Cookie',
        },
      },
    );
  },
);

const ENDED: readonly Row[] = [
  ['POST /books', HTML, PERSON, '/v1/sign-in?to=%2Fv1%2Fbooks'],
  [
    'POST /books/new',
    { ...HTML, ...FORM_TYPE },
    { ...PERSON, ...INPUT },
    '/v1/sign-in?to=%2Fv1%2Fbooks%2Fnew',
  ],
  [
    'POST /books/7/delete',
    { ...HTML, ...FORM_TYPE },
    { ...PERSON, body: '' },
    '/v1/sign-in?to=%2Fv1%2Fbooks%2F7%2Fdelete',
  ],
  ['DELETE /books/7', HTML, PERSON, '/v1/sign-in?to=%2Fv1%2Fbooks%2F7'],
  [
    'POST /shelves/1/books',
    { ...HTML, ...JSON_TYPE },
    { ...PERSON, ...EMMA },
    '/v1/sign-in?to=%2Fv1%2Fshelves%2F1%2Fbooks',
  ],
  ['POST /books/7/lend', HTML, below('/books/{id}/lend'), '/v1/sign-in?to=%2Fv1%2Fbooks%2F7'],
  ['POST /shelves/7/lend', HTML, below('/shelves/{id}/lend'), '/v1/sign-in?to=%2Fv1%2F'],
  ['POST /lend', HTML, below('/lend'), '/v1/sign-in?to=%2Fv1%2F'],
  ['POST /books', {}, PERSON, undefined],
  ['POST /books', HTML, { isClosed: true }, undefined],
  ['POST /books', { ...HTML, ...TOKEN }, PERSON, undefined],
];

test.each(ENDED)('%s after the end of a sign-in links back to a page', async (line, headers, asked, href) => {
  const passage = await BEFORE_CONTENT.run(ask(line, headers, asked));
  const { request, resource, route } = passage.exchange;
  const refused = passage.kind === 'ended' ? passage.ending.problem : undefined;
  const shown = refused && endedSignIn(refused, request, resource, route);
  const detail = 'Your sign-in has ended, so the service has stored nothing';
  const links = [{ rel: 'sign-in', href, method: 'GET', title: 'Sign in again' }];
  expect(shown).toEqual(href === undefined ? refused : { ...refused, detail, members: { links } });
});

test('other refusals stay as they are', async () => {
  const { request, resource } = ask('POST /books', HTML, PERSON);
  const refused = problem('forbidden', 'No');
  expect(endedSignIn(refused, request, resource, routes[0])).toBe(refused);
});
