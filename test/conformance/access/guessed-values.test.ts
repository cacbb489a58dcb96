import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../../support/client/client.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { type Closed, clientAs, closed } from '../../support/service/closed.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/*
 * A caller must not learn a value that it cannot see by sending guesses (decision 57). `ada` has all scopes. `bob`
 * neither sees nor sets salaries and contracts. `eve` sets seals and does not see them.
 */
const PATHS = 'employees:read employees:write seals:read seals:write';
const ALL = `${PATHS} salaries:read salaries:write seals:see seals:set`;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };
const PDF = { 'Content-Type': 'application/pdf' };
const DATA = 'data:application/pdf;base64,JVBERg==';

let service: Closed;
let ada: Client;
let bob: Client;
let eve: Client;

beforeAll(async () => {
  service = await closed(withFixture('guarded'));
  ada = await clientAs(service, 'ada', ALL);
  bob = await clientAs(service, 'bob', PATHS);
  eve = await clientAs(service, 'bob', `${PATHS} seals:set`);
}, 40_000);

const idOf = (path: string): number => Number(path.split('/').at(-1));

async function made(path: string, json: object): Promise<string> {
  const answer = await ada('POST', path, { json });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
}

/** Two employees: with the guessed values, and without values. */
async function employees(): Promise<readonly [string, string]> {
  const [one, other] = [
    await made('/employees', { name: 'Grace', salary: 7654 }),
    await made('/employees', { name: 'Grace' }),
  ];
  expect((await ada('PUT', `${one}?fields=contract`, { body: '%PDF', headers: PDF })).status).toBe(201);
  return [one, other];
}

/** A response without what differs between any two requests. */
const shown = ({ status, text, headers }: Answer, path: string) => ({
  status,
  text: text
    .replaceAll(String(idOf(path)), 'ID')
    .replaceAll(/"(?:requestId|createdAt|updatedAt)":"[^"]*"/g, ''),
  challenge: headers['x-amzn-remapped-www-authenticate'],
});

const patch = (path: string, json: unknown) => bob('PATCH', path, { json, headers: JSON_PATCH });

const guesses: readonly (readonly [string, (path: string) => Promise<Answer>])[] = [
  ['PUT', (path) => bob('PUT', path, { json: { name: 'Grace', salary: 7654 } })],
  ['PUT of null', (path) => bob('PUT', path, { json: { name: 'Grace', salary: null } })],
  ['PUT of null for bytes', (path) => bob('PUT', path, { json: { name: 'Grace', contract: null } })],
  ['PUT of bytes', (path) => bob('PUT', path, { json: { name: 'Grace', contract: DATA } })],
  ['a merge patch', (path) => bob('PATCH', path, { json: { salary: 7654 }, headers: MERGE_PATCH })],
  [
    'a merge patch of null',
    (path) => bob('PATCH', path, { json: { salary: null, contract: null }, headers: MERGE_PATCH }),
  ],
  ['a JSON Patch', (path) => patch(path, [{ op: 'add', path: '/salary', value: 7654 }])],
  ['a JSON Patch of null', (path) => patch(path, [{ op: 'add', path: '/salary', value: null }])],
  ['a JSON Patch of null for bytes', (path) => patch(path, [{ op: 'add', path: '/contract', value: null }])],
  ['a change', (path) => bob('POST', path, { json: { salary: 7654 } })],
  ['a change of null for bytes', (path) => bob('POST', path, { json: { contract: null } })],
  ['a form', (path) => bob('POST', `${path}/edit`, { body: 'salary=7654', headers: FORM })],
  [
    'a form with empty inputs',
    (path) => bob('POST', `${path}/edit`, { body: 'salary=&contract=', headers: FORM }),
  ],
  [
    'PUT of the list',
    (path) => bob('PUT', '/employees', { json: [{ id: idOf(path), name: 'Grace', salary: 7654 }] }),
  ],
  [
    'PUT of the list for each element',
    (path) =>
      bob('PUT', '/employees', {
        json: [{ id: idOf(path), name: 'Grace', salary: 7654 }],
        headers: { Prefer: 'handling=lenient' },
      }),
  ],
  [
    'an asynchronous PUT of the list',
    (path) =>
      bob('PUT', '/employees', {
        json: [{ id: idOf(path), name: 'Grace', salary: 7654 }],
        headers: { Prefer: 'respond-async' },
      }),
  ],
];

describe('a caller who neither sees nor sets a field', () => {
  test.each(guesses)('cannot tell by %s whether a guess is right', async (_, guess) => {
    const [one, other] = await employees();
    const [right, wrong] = [await guess(one), await guess(other)];
    expect(shown(right, one)).toEqual(shown(wrong, other));
    expect((await ada('GET', one)).json()).toMatchObject({ salary: 7654, contract: { size: 4 } });
  });

  test('gets the scope that sets it, with the present value too', async () => {
    const [path] = await employees();
    const answer = await bob('PUT', path, { json: { name: 'Grace', salary: 7654 } });
    expect(answer.status).toBe(403);
    expect(answer.json().errors).toEqual([{ pointer: '/salary', detail: 'needs the scope salaries:write' }]);
  });
});

describe('a caller who does not see a field that never changes', () => {
  test.each<[string, (path: string, serial: string) => Promise<Answer>]>([
    ['PUT', (path, serial) => eve('PUT', path, { json: { serial } })],
    ['a merge patch', (path, serial) => eve('PATCH', path, { json: { serial }, headers: MERGE_PATCH })],
  ])('cannot test its value by %s', async (_, send) => {
    const path = await made('/seals', { serial: 'S-1' });
    const [right, wrong] = [await send(path, 'S-1'), await send(path, 'S-2')];
    expect(right.status).toBe(403);
    expect(right.json().errors).toEqual([{ pointer: '/serial', detail: 'needs the scope seals:see' }]);
    expect(shown(right, path)).toEqual(shown(wrong, path));
  });

  test('sets it in a new item', async () => {
    const { headers } = await eve('POST', '/seals', { json: { serial: 'S-3' } });
    expect((await ada('GET', headers.location as string)).json()).toMatchObject({ serial: 'S-3' });
  });
});
