import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, send, underTest, unique } from '../../support/service/under-test.ts';

/* One kind of mistake has one status over all routes. Source: Specification 10.15. */
underTest();

const SPECIFICATION = readFileSync(join(import.meta.dirname, '../../../docs/specification.md'), 'utf8');
const [, section = ''] = SPECIFICATION.split('\n- 10.15 ');
const [table = ''] = section.split('\n## ');
const ROWS = [...table.matchAll(/^ {2}\| ([^|]+?) \| (\d{3}) \| ([a-z-]+) \|$/gm)].map(
  ([, mistake = '', status = '', problem = '']) =>
    [mistake.replace(/ \([\d., ]+\)$/, ''), Number(status), problem] as const,
);

type Request = readonly [method: string, path: string, sent?: SentRequest];

const typed = (type: string, body: string): SentRequest => ({ body, headers: { 'Content-Type': type } });
const JSON_TYPE = 'application/json';
const MERGE = 'application/merge-patch+json';
const PATCH = 'application/json-patch+json';
const COLLECTIONS = ['members', 'customers', 'orders', 'products'];
const UNKNOWN = 5;

let paths: Readonly<Record<string, string>>;
let paid: string;

beforeAll(async () => {
  const all = await Promise.all(
    COLLECTIONS.map(async (name) => {
      const values = { name: unique('mistake'), productId: 1, orderValue: 1 };
      return [name, (await create(`/${name}`, values)).path] as const;
    }),
  );
  paths = Object.fromEntries(all);
  paid = (await create('/orders', { productId: 1, orderValue: 1 })).path;
  await send('POST', `${paid}/pay`);
});

const at = (name: string) => paths[name] as string;
/** The requests that write an item of each collection, with this JSON. */
const writes = (json: (name: string) => unknown): Request[] =>
  COLLECTIONS.flatMap((name): Request[] => [
    ['POST', `/${name}`, { json: json(name) }],
    ['PUT', at(name), { json: json(name) }],
    ['PATCH', at(name), typed(MERGE, JSON.stringify(json(name)))],
  ]);
const text = (name: string) => (name === 'orders' ? 'quantity' : 'name');
const valid = (name: string) => (name === 'orders' ? { productId: 1, orderValue: 1 } : { name: 'x' });

const REQUESTS: Readonly<Record<string, () => readonly Request[]>> = {
  'content without the syntax of its media type': () =>
    COLLECTIONS.flatMap((name): Request[] => [
      ['POST', `/${name}`, typed(JSON_TYPE, '{')],
      ['POST', `/${name}`, typed('application/xml', '<a>')],
      ['POST', `/${name}`, typed('application/jsonl', '{')],
      ['POST', `/${name}`, typed('text/csv', 'a"')],
      ['PUT', at(name), typed(JSON_TYPE, '{')],
    ]),
  'a patch document without the syntax of its media type': () =>
    COLLECTIONS.flatMap((name): Request[] => [
      ['PATCH', at(name), typed(MERGE, '{')],
      ['PATCH', at(name), typed(PATCH, '[{"op":"x"}]')],
    ]),
  'a value that a rule forbids': () => writes((name) => ({ ...valid(name), [text(name)]: [] })),
  'another spelling of a declared name': () =>
    writes((name) => ({ ...valid(name), [text(name).toUpperCase()]: 1 })),
  'no content where it is needed': () =>
    COLLECTIONS.flatMap((name): Request[] => [
      ['POST', `/${name}`],
      ['PUT', at(name)],
      ['PATCH', at(name)],
    ]),
  'a parameter of the query that is wrong, or can only be a mistake': () =>
    [...COLLECTIONS, 'files', 'operations'].flatMap((name): Request[] => [
      ['GET', `/${name}?limit=x`],
      ['GET', `/${name}?Limit=1`],
      ['GET', `/${name}?a.b=1`],
      ['GET', `/${name}?after=x`],
      ['GET', `/${name}?createdAt=%FF`],
    ]),
  'an identifier in the content of a PUT that is not that of the path': () =>
    COLLECTIONS.map((name) => [
      'PUT',
      at(name),
      { json: { ...valid(name), [name === 'orders' ? 'orderId' : 'id']: UNKNOWN } },
    ]),
  'an identifier, or the value of a server property, that a patch changes': () =>
    COLLECTIONS.flatMap((name): Request[] => {
      const id = name === 'orders' ? 'orderId' : 'id';
      return [
        ['PATCH', at(name), typed(MERGE, JSON.stringify({ [id]: UNKNOWN }))],
        ['PATCH', at(name), typed(PATCH, JSON.stringify([{ op: 'remove', path: '/createdAt' }]))],
      ];
    }),
  'the state of a process in a new item': () => [
    ['POST', '/orders', { json: { productId: 1, orderValue: 1, status: 'paid' } }],
    ['POST', `${at('customers')}/orders`, { json: { productId: 1, orderValue: 1, status: 'paid' } }],
  ],
  'a state of a process in a representation that the item does not have': () => [
    ['PUT', paid, { json: { productId: 1, orderValue: 1, status: 'created' } }],
  ],
  'a related item in the content that its reference does not name': () => [
    ['POST', '/orders', { json: { productId: 1, orderValue: 1, customer: { id: UNKNOWN } } }],
    ['PUT', at('orders'), { json: { productId: 1, orderValue: 1, customer: 'Kite' } }],
    ['PATCH', at('orders'), typed(MERGE, '{"products":[{"id":5}]}')],
  ],
  'a list in the content of an item': () =>
    writes((name) => ({ ...valid(name), items: [{ name: 'a' }], source: 'crm' })),
  'the parent in the content is not that of the path': () => {
    const json = { productId: 1, orderValue: 1, customerId: UNKNOWN };
    return [['POST', `${at('customers')}/orders`, { json }]];
  },
  'an unknown item in a reference, or in a list of a PUT': () => [
    ['POST', '/orders', { json: { productId: 1, orderValue: 1, customerId: UNKNOWN } }],
    ['PUT', at('orders'), { json: { productId: 1, orderValue: 1, customerId: UNKNOWN } }],
    ['PATCH', at('orders'), typed(MERGE, JSON.stringify({ customerId: UNKNOWN }))],
    ['PUT', '/customers', { json: [{ id: UNKNOWN, name: 'x' }] }],
  ],
  'a value that the state locks': () => [
    ['PUT', paid, { json: { productId: 1, orderValue: 2 } }],
    ['PATCH', paid, typed(MERGE, '{"quantity":9}')],
  ],
  'an unknown item in the path': () =>
    COLLECTIONS.flatMap((name): Request[] => [
      ['GET', `/${name}/${UNKNOWN}`],
      ['PUT', `/${name}/${UNKNOWN}`, { json: valid(name) }],
      ['PATCH', `/${name}/${UNKNOWN}`, typed(MERGE, JSON.stringify(valid(name)))],
      ['DELETE', `/${name}/${UNKNOWN}`],
    ]),
  'a media type that the target does not take': () =>
    COLLECTIONS.flatMap((name): Request[] => [
      ['POST', `/${name}`, typed('image/png', 'x')],
      ['PUT', at(name), typed('image/png', 'x')],
      ['PATCH', at(name), typed(JSON_TYPE, '{}')],
    ]),
  'a method that the target does not have': () => [
    ...COLLECTIONS.map((name): Request => ['PATCH', `/${name}`, typed(MERGE, '{}')]),
    ['POST', at('customers'), { json: { name: 'x' } }],
    ['GET', `${at('orders')}/pay`],
  ],
};

test('the table of mistakes and the requests of this test are the same', () =>
  expect(ROWS.map(([mistake]) => mistake)).toEqual(Object.keys(REQUESTS)));

describe.each(ROWS)('%s', (mistake, status, problem) => {
  test(`gets ${status} over all routes`, async () => {
    const requests = REQUESTS[mistake]?.() ?? [];
    const answers = await Promise.all(
      requests.map(async ([method, path, sent]) => ({
        method,
        path,
        answer: await send(method, path, sent),
      })),
    );
    expect(answers.map(({ method, path, answer }) => [method, path, answer.status])).toEqual(
      requests.map(([method, path]) => [method, path, status]),
    );
    expect(answers.length).toBeGreaterThan(0);
    for (const { answer } of answers) expectProblem(answer, status, problem);
  });
});
