import { expect, test } from '@jest/globals';
import { PURE } from '../../../../shared/flow/answer.ts';
import type { Request } from '../../../../shared/http/request.ts';
import { ask, books } from '../steps/books.ts';
import { endingOf } from './ending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const HTML = { accept: 'text/html' };
const TOKEN = { authorization: 'Bearer x' };
const EMMA = { body: '{"title":"Emma"}' };
const INPUT = { body: 'title=Emma' };
const CLOSED = { isClosed: true };
const PERSON = { isClosed: true, signInClient: 'pages' };
const caller = (...scopes: string[]) => ({ principal: { subject: 'ada', scopes } });
const { routes } = books();
const open = books({}, { routes: routes.map((route) => ({ ...route, access: 'open' as const })) });
const ofTenants = books({}, { owner: 'tenant' });
const ofTenant = { principal: { subject: 'ada', scopes: ['books:read'], tenant: 'acme' } };
const CROSS = { 'sec-fetch-site': 'cross-site' };
const OTHER = { ...CROSS, origin: 'https://other.example' };
const FROM = { ...FORM_TYPE, host: 'api.example' };

/** Endings of several rows. */
const NO_TOKEN =
  '401 unauthenticated: The request needs a valid token. Send Authorization: Bearer TOKEN; WWW-Authenticate: Bearer realm="api"';
const WRONG_TOKEN = `${NO_TOKEN}, error="invalid_token"`;
const UNKNOWN_ORIGIN =
  '403 forbidden: This service does not allow pages of an unknown origin to send this. Open the form on this service, or ask the operator to allow the origin';

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  ending: string,
];

const ROWS: readonly Row[] = [
  ['GET /books', {}, CLOSED, NO_TOKEN],
  ['GET /books', TOKEN, CLOSED, WRONG_TOKEN],
  ['GET /books', {}, { ...CLOSED, resource: open }, 'passes'],
  [
    'GET /books',
    {},
    { ...CLOSED, ...caller() },
    '403 forbidden: Your sign-in does not include the scope books:read. Ask the operators for it, then sign out and sign in again',
  ],
  [
    'GET /books',
    TOKEN,
    { ...CLOSED, ...caller() },
    '403 forbidden: The scope books:read is needed. Get a token with it; scopes: books:read',
  ],
  ['GET /books', {}, caller('books:read'), 'passes'],
  [
    'HEAD /books',
    TOKEN,
    caller('books:write'),
    '403 forbidden: The scope books:read is needed. Get a token with it; scopes: books:read',
  ],
  [
    'POST /books',
    JSON_TYPE,
    { ...EMMA, ...caller('books:read') },
    '403 forbidden: Your sign-in does not include the scope books:write. Ask the operators for it, then sign out and sign in again',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, ...TOKEN },
    { ...EMMA, ...caller('books:read') },
    '403 forbidden: The scope books:write is needed. Get a token with it; scopes: books:write',
  ],
  [
    'GET /books',
    {},
    { ...caller('books:read'), resource: ofTenants },
    '403 forbidden: The items have tenants: send a token with the claim tenant',
  ],
  ['GET /books', {}, { ...ofTenant, resource: ofTenants }, 'passes'],
  [
    'GET /books/new',
    {},
    caller('books:read'),
    '403 forbidden: Your sign-in does not include the scope books:write. Ask the operators for it, then sign out and sign in again',
  ],
  ['GET /books/new', TOKEN, caller('books:read'), 'passes'],
  ['GET /books/new', {}, caller('books:read', 'books:write'), 'passes'],
  ['GET /books', {}, PERSON, NO_TOKEN],
  ['GET /books', HTML, { ...PERSON, resource: open }, 'passes'],
  ['GET /books', HTML, { signInClient: 'pages' }, 'passes'],
  ['GET /books', HTML, { ...PERSON, ...caller('books:read') }, 'passes'],
  ['GET /books', HTML, CLOSED, NO_TOKEN],
  ['GET /books', { ...HTML, ...TOKEN }, PERSON, WRONG_TOKEN],
  ['POST /books', {}, PERSON, NO_TOKEN],
  [
    'POST /books',
    { ...FORM_TYPE, ...OTHER },
    INPUT,
    '403 forbidden: This service does not allow pages of https://other.example to send this. Open the form on this service, or ask the operator to allow the origin',
  ],
  ['POST /books', CROSS, {}, UNKNOWN_ORIGIN],
  ['POST /books', { ...CROSS, 'content-type': 'text/plain' }, {}, UNKNOWN_ORIGIN],
  [
    'POST /books',
    { ...OTHER, 'content-type': 'multipart/form-data; boundary=x' },
    {},
    '403 forbidden: This service does not allow pages of https://other.example to send this. Open the form on this service, or ask the operator to allow the origin',
  ],
  ['POST /books', { ...CROSS, 'content-type': 'broken' }, {}, UNKNOWN_ORIGIN],
  ['POST /books', { ...FORM_TYPE, 'sec-fetch-site': 'same-site' }, INPUT, UNKNOWN_ORIGIN],
  ['POST /books', { ...FORM_TYPE, ...CROSS }, { ...INPUT, isFromAllowedOrigin: true }, 'passes'],
  ['POST /books', { ...JSON_TYPE, ...OTHER }, EMMA, 'passes'],
  [
    'POST /books',
    { ...JSON_TYPE, ...OTHER },
    { ...EMMA, ...caller('books:write') },
    '403 forbidden: A page of https://other.example sent this with the cookie of a person. Only pages of this service may do that',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, ...OTHER },
    { ...EMMA, ...caller('books:write'), isFromAllowedOrigin: true },
    '403 forbidden: A page of https://other.example sent this with the cookie of a person. Only pages of this service may do that',
  ],
  ['POST /books', { ...JSON_TYPE, ...OTHER, ...TOKEN }, { ...EMMA, ...caller('books:write') }, 'passes'],
  [
    'POST /books',
    { ...JSON_TYPE, 'sec-fetch-site': 'none' },
    { ...EMMA, ...caller('books:write') },
    'passes',
  ],
  ['DELETE /books/7', CROSS, {}, 'passes'],
  [
    'DELETE /books/7',
    CROSS,
    caller('books:write'),
    '403 forbidden: A page of an unknown origin sent this with the cookie of a person. Only pages of this service may do that',
  ],
  ['GET /books', OTHER, caller('books:read'), 'passes'],
  [
    'PUT /books/7',
    { ...FORM_TYPE, ...CROSS },
    INPUT,
    '415 unsupported-media-type: Send Content-Type with one of application/json, application/xml, text/xml, in UTF-8; Accept: application/json, application/xml, text/xml',
  ],
  ['POST /books', { ...FORM_TYPE, 'sec-fetch-site': 'none' }, INPUT, 'passes'],
  [
    'POST /books',
    { ...FORM_TYPE, 'sec-fetch-site': 'same-origin', origin: 'https://other.example' },
    INPUT,
    'passes',
  ],
  ['POST /books', { ...FROM, origin: 'https://API.example' }, INPUT, 'passes'],
  ['POST /books', { ...FROM, origin: 'https://api.example', host: 'API.example' }, INPUT, 'passes'],
  [
    'POST /books',
    { ...FROM, origin: 'https://api.example:8443' },
    INPUT,
    '403 forbidden: This service does not allow pages of https://api.example:8443 to send this. Open the form on this service, or ask the operator to allow the origin',
  ],
  [
    'POST /books',
    { ...FROM, origin: 'http://api.example', 'x-forwarded-proto': 'https' },
    INPUT,
    '403 forbidden: This service does not allow pages of http://api.example to send this. Open the form on this service, or ask the operator to allow the origin',
  ],
  ['POST /books', { ...FROM, origin: 'https://api.example', 'x-forwarded-proto': 'https' }, INPUT, 'passes'],
  ['POST /books', { ...FROM, origin: 'http://api.example' }, INPUT, 'passes'],
  [
    'POST /books',
    { ...FROM, origin: 'nonsense' },
    INPUT,
    '403 forbidden: This service does not allow pages of nonsense to send this. Open the form on this service, or ask the operator to allow the origin',
  ],
  ['POST /books', { ...FROM, origin: 'null' }, INPUT, UNKNOWN_ORIGIN],
  [
    'POST /books',
    { ...FROM, origin: 'https://www.api.example' },
    INPUT,
    '403 forbidden: This service does not allow pages of https://www.api.example to send this. Open the form on this service, or ask the operator to allow the origin',
  ],
  [
    'POST /books',
    { ...FROM, origin: 'https://api.example', host: undefined },
    INPUT,
    '403 forbidden: This service does not allow pages of https://api.example to send this. Open the form on this service, or ask the operator to allow the origin',
  ],
  ['POST /books', FROM, INPUT, 'passes'],
];

test.each(ROWS)('authorize and crossSite, row %#: %s', async (line, headers, asked, ending) => {
  expect(await endingOf(PURE, ask(line, headers, asked))).toBe(ending);
});
