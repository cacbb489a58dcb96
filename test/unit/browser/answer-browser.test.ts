import { expect, test } from '@jest/globals';
import { answerBrowser } from '../../../pages/browser/answer-browser.ts';
import { Unavailable } from '../../../shared/http/problem.ts';
import { ask, books } from '../flow/steps/books.ts';

const FORM = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
const PERSON = { isClosed: true, signInClient: 'pages' };

async function answered(...asked: Parameters<typeof ask>) {
  const { request, resource } = ask(...asked);
  const { status, headers, body } = await answerBrowser(resource, { ...request });
  return { status, location: headers.Location, text: typeof body === 'string' ? body : '' };
}

test.each([
  ['a faulty form', FORM, {}, 400],
  ['a form after the end of the sign-in', FORM, PERSON, 401],
  ['a form with a malformed precondition', { ...FORM, 'if-match': 'unquoted' }, PERSON, 401],
])('%s comes back with its inputs', async (_what, headers, asked, status) => {
  const body = 'title=&note=Emma';
  const form = await answered('POST /books/new', headers, { ...asked, body });
  expect(form).toMatchObject({ status, text: expect.stringContaining('value="Emma"') });
});

test.each([
  ['JSON', { ...FORM, 'content-type': 'application/json' }, '{}'],
  ['a form for an API client', { ...FORM, accept: 'application/json' }, 'title='],
  ['a form that cannot be read', FORM, 'title=%'],
])('%s does not come back as a form', async (_what, headers, body) => {
  const refusal = await answered('POST /books/new', headers, { body });
  expect(refusal).toMatchObject({ status: 400, text: expect.not.stringContaining('<form method="post"') });
});

test('a form leads to the result, and an API client gets the result itself', async () => {
  const body = 'title=Emma';
  const person = await answered('POST /books/new', FORM, { body });
  expect(person).toMatchObject({
    status: 303,
    location: expect.stringMatching(/^\/v1\/books\/\d+\?:done=created$/),
  });
  const program = await answered('POST /books/new', { ...FORM, accept: 'application/json' }, { body });
  expect(program).toMatchObject({ status: 201 });
});

test('a refusal of the caller comes before the ticked rows', async () => {
  const body = ':with=delete&:row=1';
  const cross = { 'sec-fetch-site': 'cross-site', ...FORM };
  expect(await answered('POST /books/new', cross, { body })).toMatchObject({ status: 403 });
});

test('the log gets the reason why a ticked row is unchanged', async () => {
  const reason = new Error('The storage does not respond');
  const unavailable = books({
    remove: () => {
      throw new Unavailable(reason);
    },
  });
  const body = ':with=delete&:row=7';
  const { request, resource } = ask('POST /books/new', FORM, { body, resource: unavailable });
  expect(await answerBrowser(resource, request)).toMatchObject({ status: 200, fault: reason });
});
