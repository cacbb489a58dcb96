import { describe, expect, test } from '@jest/globals';
import type { SentRequest } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const typed = (type: string, body: string | Buffer): SentRequest => ({
  body,
  headers: { 'Content-Type': type },
});
const xml = (content: string) => typed('application/xml', `<any>${content}</any>`);
const form = (body: string) => typed('application/x-www-form-urlencoded', body);
const merge = (changes: object) => typed('application/merge-patch+json', JSON.stringify(changes));
const patch = (...operations: object[]) => typed('application/json-patch+json', JSON.stringify(operations));
const parts = (...written: string[]) =>
  typed(
    'multipart/form-data; boundary=b',
    `${written.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`,
  );

const PHOTO =
  'Content-Disposition: form-data; name="Photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\npng';
const NAME = 'Content-Disposition: form-data; name="name"\r\n\r\nAda';

/** No name is right: the body is a list. */
const LIST = undefined;
const OF_LIST = 'send several items to the collection as {"items":[…]} without others';

/** Requests with another spelling of a declared name, and the pointer and the right name. */
const MISSPELT: readonly [
  title: string,
  method: string,
  path: string,
  sent: SentRequest,
  at: string,
  use: string | undefined,
][] = [
  ['JSON', 'POST', '/customers', { json: { name: 'Kite', eMail: 'no address' } }, '/eMail', 'email'],
  ['JSON', 'POST', '/customers', { json: { CREDITLIMIT: -5 } }, '/CREDITLIMIT', 'creditLimit'],
  ['JSON', 'POST', '/orders', { json: { productId: 1, Quantity: 20 } }, '/Quantity', 'quantity'],
  ['JSON', 'POST', '/orders', { json: { orderValue: 1, productId: 1, Status: 'paid' } }, '/Status', 'status'],
  ['JSON', 'PUT', '/customers/{id}', { json: { Name: 'Kite' } }, '/Name', 'name'],
  ['JSON', 'POST', '/members/{id}', { json: { Name: 'Ada' } }, '/Name', 'name'],
  ['a list', 'POST', '/customers', { json: [{ name: 'a' }, { Name: 'b' }] }, '/1/Name', 'name'],
  ['a list', 'PUT', '/customers', { json: { items: [{ id: 1, Name: 'b' }] } }, '/items/0/Name', 'name'],
  // The names that the service sets have one spelling too: a value under another one would count for nothing.
  ['JSON', 'POST', '/customers', { json: { name: 'Kite', ID: 5 } }, '/ID', 'id'],
  ['JSON', 'PUT', '/customers/{id}', { json: { name: 'Kite', createdat: 5 } }, '/createdat', 'createdAt'],
  ['JSON', 'POST', '/orders', { json: { orderID: 5, productId: 1 } }, '/orderID', 'orderId'],
  ['a list', 'POST', '/customers', { json: { Items: [{ name: 'a' }] } }, '/Items', 'items'],
  ['a list', 'PUT', '/customers', { json: { CUSTOMERS: [{ id: 1, name: 'a' }] } }, '/CUSTOMERS', 'customers'],
  ['a form', 'POST', '/members', form('username=ada&UpdatedAt=7'), '/UpdatedAt', 'updatedAt'],
  ['a merge patch', 'PATCH', '/customers/{id}', merge({ Links: [] }), '/Links', 'links'],
  // A list with another member can only be a mistake.
  ['JSON', 'POST', '/customers', { json: { items: [{ name: 'a' }], source: 'crm' } }, '/items', LIST],
  ['JSON', 'PUT', '/customers/{id}', { json: { items: [{ name: 'a' }] } }, '/items', LIST],
  ['JSON', 'POST', '/members/{id}', { json: { items: [{ name: 'a' }] } }, '/items', LIST],
  ['XML', 'PUT', '/customers/{id}', xml('<items><item><name>a</name></item></items>'), '/items', LIST],
  ['a merge patch', 'PATCH', '/customers/{id}', merge({ items: [{ name: 'a' }] }), '/items', LIST],
  // `_` and `-` do not make another name either.
  [
    'JSON',
    'POST',
    '/customers',
    { json: { name: 'Kite', credit_limit: -5 } },
    '/credit_limit',
    'creditLimit',
  ],
  ['JSON', 'POST', '/orders', { json: { productId: 1, ORDER_VALUE: 5 } }, '/ORDER_VALUE', 'orderValue'],
  ['JSON', 'PUT', '/customers/{id}', { json: { name: 'Kite', created_at: 5 } }, '/created_at', 'createdAt'],
  ['JSON', 'POST', '/members/{id}', { json: { 'user-name': 'ada' } }, '/user-name', 'username'],
  ['a list', 'PUT', '/customers', { json: [{ id: 1, 'e-mail': 'b' }] }, '/0/e-mail', 'email'],
  ['JSON Lines', 'POST', '/customers', typed('application/jsonl', '{"e_mail":"a"}'), '/0/e_mail', 'email'],
  [
    'XML',
    'POST',
    '/orders',
    xml('<productId>1</productId><customer-id>5</customer-id>'),
    '/customer-id',
    'customerId',
  ],
  ['a form', 'POST', '/members', form('username=ada&e-mail=a'), '/e-mail', 'email'],
  ['a form', 'POST', '/members/{id}/edit', form('e_mail='), '/e_mail', 'email'],
  [
    'a merge patch',
    'PATCH',
    '/customers/{id}',
    merge({ _links: [], credit_limit: 5 }),
    '/credit_limit',
    'creditLimit',
  ],
  [
    'a patch',
    'PATCH',
    '/customers/{id}',
    patch({ op: 'add', path: '/E-Mail', value: 1 }),
    '/E-Mail',
    'email',
  ],
  ['JSON Lines', 'POST', '/customers', typed('application/jsonl', '{"Name":"a"}\n'), '/0/Name', 'name'],
  ['XML', 'POST', '/customers', xml('<Name>Kite</Name>'), '/Name', 'name'],
  ['XML', 'PUT', '/customers/{id}', xml('<Name>Kite</Name>'), '/Name', 'name'],
  ['a form', 'POST', '/members', form('username=ada&Age=7'), '/Age', 'age'],
  ['a form', 'POST', '/members/{id}', form('Age='), '/Age', 'age'],
  ['a form', 'POST', '/members/{id}/edit', form('Age=7'), '/Age', 'age'],
  ['parts', 'POST', '/members', parts(NAME, PHOTO), '/Photo', 'photo'],
  ['a merge patch', 'PATCH', '/customers/{id}', merge({ eMail: 'no address' }), '/eMail', 'email'],
  ['a patch', 'PATCH', '/customers/{id}', patch({ op: 'add', path: '/eMail', value: 1 }), '/eMail', 'email'],
  [
    'a patch',
    'PATCH',
    '/customers/{id}',
    patch({ op: 'move', from: '/name', path: '/NAME' }),
    '/NAME',
    'name',
  ],
  [
    'a patch',
    'PATCH',
    '/customers/{id}',
    patch({ op: 'replace', path: '', value: { NAME: 1 } }),
    '/NAME',
    'name',
  ],
  ['JSON', 'POST', '/subscriptions', { json: { URL: 'https://a.example', types: ['*'] } }, '/URL', 'url'],
  [
    'JSON',
    'POST',
    '/files',
    { json: [{ filename: 'a', content: 'a', ContentType: 'a/b' }] },
    '/0/ContentType',
    'contentType',
  ],
  [
    'XML',
    'POST',
    '/files',
    xml('<file><filename>a</filename><content/><Encoding>base64</Encoding></file>'),
    '/0/Encoding',
    'encoding',
  ],
];

// Specification 2.54
describe('another spelling of a declared name in content gets 400 with the right name', () => {
  test.each(MISSPELT)('%s: %s %s', async (_, method, path, sent, pointer, meant) => {
    const [collection = ''] = path.split('/{id}');
    const target = path.includes('{id}') ? await create(collection, { name: unique('names') }) : undefined;
    const answer = await send(method, path.replace(`${collection}/{id}`, target?.path ?? ''), sent);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toContainEqual({
      pointer,
      detail: `is not a property of ${collection.slice(1)}: ${meant ? `use ${meant}` : OF_LIST}`,
    });
    if (target) expect((await get(target.path)).headers.etag).toBe(target.etag);
  });

  test.each(['eMail', 'e-mail', 'E_MAIL'])('CSV: once, with the line: %s', async (name) => {
    const answer = await send('POST', '/customers', typed('text/csv', `name,${name}\r\na,b\r\nc,d\r\n`));
    expectProblem(answer, 400, 'malformed-body');
    expect(answer.json().errors).toEqual([
      { pointer: '', detail: `Line 1: ${name} is not a property of customers: use email` },
    ]);
  });

  test('a lenient list: the element alone', async () => {
    const answer = await send('POST', '/customers', {
      json: [{ Name: 'a' }, { name: unique('names') }],
      headers: { Prefer: 'handling=lenient' },
    });
    expect([answer.status, answer.json().items.map(({ status }) => status)]).toEqual([207, [400, 201]]);
  });

  test('names that the description does not have are free among each other', async () => {
    const { answer } = await create('/customers', { name: unique('names'), vat: 1, VAT: 2, Vat: 3 });
    expect(answer.json()).toMatchObject({ vat: 1, VAT: 2, Vat: 3 });
  });
});

describe('in a closed resource', () => {
  const kinds = withOpened('kinds');

  // Specification 2.54
  test.each([
    ['JSON', { json: { name: 'Ada', address: { city: 'a', Since: '2026-11-22' }, other: 1 } }],
    [
      'XML',
      xml('<name>Ada</name><address><city>a</city><Since>2026-11-22</Since></address><other>1</other>'),
    ],
    ['a form', form('name=Ada&other=1&address=city:+a%0ASince:+2026-11-22')],
  ])('%s: a name inside a property gets 400, and other unknown names have no effect', async (_, sent) => {
    const answer = await kinds('POST', '/samples', sent);
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toEqual([
      { pointer: '/address/Since', detail: 'is not a property of address: use since' },
    ]);
  });
});

describe('in the body of a custom action', () => {
  const actions = withOpened('custom-actions');

  test('a name gets 400', async () => {
    const answer = await actions('POST', '/invoices/open-account', { json: { Name: 'Ada' } });
    expect(answer.json().errors).toContainEqual({
      pointer: '/Name',
      detail: 'is not a property of the action open-account: use name',
    });
  });
});
