import type { Kind } from '../adapter.ts';
import { type Api, sample, unique } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, refusal, same } from '../verdict.ts';

/** Texts that come back unchanged. */
const TEXTS: readonly (readonly [what: string, text: string, source: string])[] = [
  ['letters of every script', 'Łódź 東京 العربية', 'RFC 8259 §8.1'],
  ['characters above U+FFFF', '😀 𝔘 👩‍👧', 'RFC 8259 §7'],
  ['quotes and backslashes', '"a" \\ \'b\'', 'RFC 8259 §7'],
  ['line ends and tabs', 'a\nb\tc\r\nd', 'RFC 8259 §7'],
  ['U+2028, a line end in scripts', 'a\u2028b', 'RFC 8259 §7'],
  ['markup', '<script>alert(1)</script> & more', 'RFC 8259 §7'],
  ['a number', '007', '2.40'],
  ['the word null', 'null', '2.40'],
  ['blanks at both ends', '  a  ', 'RFC 8259 §7'],
  ['combining marks, without another normal form', 'e\u0301', 'RFC 8259 §8.3'],
  ['20,000 characters', 'x'.repeat(20_000), '10.10'],
  ['a formula', '=1+1', '2.53'],
  ['a quote of SQL', "'; DROP TABLE members; --", 'C.11'],
];

const text = (value: string) => async (api: Api) =>
  same(
    (await api.values(await api.make('customers', { address: { street: value, city: 'Cork' } }))).address,
    {
      street: value,
      city: 'Cork',
    },
  );

/** Decimals that a binary float can have, and one that it cannot. */
const DECIMALS = ['0.1', '19.99', '0', '12345678901.25', '1.5e2'];
const EXACT = '99999999999.123456789';

/** Bodies that are not JSON, from the text of a good one. */
const BODIES: readonly (readonly [
  what: string,
  change: (good: string) => string | Buffer,
  source: string,
])[] = [
  ['a body that ends early', (good) => good.slice(0, -1), 'RFC 8259 §2'],
  ['an empty body', () => '', 'RFC 8259 §2'],
  ['text after the value', (good) => `${good} x`, 'RFC 8259 §2'],
  ['a comma after the last member', (good) => good.replace(/\}$/, ',}'), 'RFC 8259 §4'],
  ['single quotes', (good) => good.replaceAll('"', "'"), 'RFC 8259 §7'],
  ['a comment', (good) => good.replace('{', '{/* a */'), 'RFC 8259 §2'],
  ['NaN', (good) => good.replace(':9.5', ':NaN'), 'RFC 8259 §6'],
  ['Infinity', (good) => good.replace(':9.5', ':Infinity'), 'RFC 8259 §6'],
  ['a number with a leading zero', (good) => good.replace(':9.5', ':09.5'), 'RFC 8259 §6'],
  ['a number with a sign +', (good) => good.replace(':9.5', ':+9.5'), 'RFC 8259 §6'],
  ['a control character in a text', (good) => good.replace('Anchor', 'An\u0001chor'), 'RFC 8259 §7'],
  ['a malformed escape', (good) => good.replace('Anchor', 'An\\xchor'), 'RFC 8259 §7'],
  [
    'duplicate names',
    (good) => good.replace('"name"', '"name":"Other","name"'),
    'RFC 8259 §4, RFC 7493 §2.3',
  ],
  ['malformed UTF-8', (good) => Buffer.from(good.replace('Anchor', '\u00ff'), 'latin1'), 'RFC 8259 §8.1'],
  ['half of a surrogate pair', (good) => good.replace('Anchor', '\\ud800'), 'RFC 7493 §2.1'],
  ['a text in place of an object', () => '"text"', '2.16'],
  ['a number in place of an object', () => '17', '2.16'],
  ['null in place of an object', () => 'null', '2.16'],
];

/** Values that break the description of a resource. */
const WRONG: readonly (readonly [kind: Kind, name: string, value: unknown, what: string])[] = [
  ['members', 'age', 'old', 'a text'],
  ['members', 'age', 1.5, 'a fraction'],
  ['members', 'age', -1, 'a negative number'],
  ['members', 'age', true, 'a boolean'],
  ['members', 'name', { a: 1 }, 'an object'],
  ['members', 'name', ['a'], 'an array'],
  ['products', 'price', 'much', 'a text'],
  ['products', 'price', -1, 'a negative number'],
  ['products', 'price', [1], 'an array'],
  ['products', 'sku', 'x'.repeat(41), '41 characters, one more than the maximum,'],
  ['orders', 'quantity', 0, 'a number below the minimum'],
  ['orders', 'quantity', 'two', 'a text'],
  ['orders', 'quantity', 1.5, 'a fraction'],
  ['orders', 'orderValue', -1, 'a negative number'],
];

const sending = (change: (good: string) => string | Buffer) => async (api: Api) => {
  const body = change(JSON.stringify(api.body(sample('products'))));
  return api.ask('POST', api.collection('products'), {
    body,
    headers: { 'Content-Type': 'application/json' },
  });
};

export const content = part('values and validation', [
  ...TEXTS.map(([what, value, source]) => met(`a text keeps ${what}`, source, text(value))),
  ...[...DECIMALS, EXACT].map((price) =>
    met(`a decimal keeps its value: ${price}`, 'RFC 8259 §6, 2.30', async (api) => {
      const answer = ok(await sending((good) => good.replace(':9.5', `:${price}`))(api), 200, 201);
      const { text } = await api.get(api.pathOf('products', answer));
      if (price === EXACT) must(text.includes(EXACT), 'digits are missing');
      else same(Number(api.unwrap({ ...answer, text }).price), Number(price));
    }),
  ),
  met('an integer of 2^53-1 comes back', 'RFC 7493 §2.2', async (api) => {
    const productId = Number.MAX_SAFE_INTEGER;
    same((await api.values(await api.make('orders', { productId }))).productId, productId);
  }),
  met('an array keeps its order', 'RFC 8259 §5', async (api) => {
    const tags = ['c', 'a', 'b', 'a'];
    same((await api.values(await api.make('products', { tags }))).tags, tags);
  }),
  met('a name such as __proto__ changes no other item', '2.49', async (api) => {
    const body = JSON.stringify(api.body(sample('customers'))).replace(
      '"name"',
      '"__proto__":{"admin":true},"name"',
    );
    await api.ask('POST', api.collection('customers'), {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    must(!(await api.get((await api.make('customers')).path)).text.includes('admin'), 'admin is everywhere');
  }),
  ...BODIES.map(([what, change, source]) =>
    refuses(
      `${what} with 400`,
      source,
      async (api) => ok(await sending((good) => good)(api), 200, 201),
      async (api) => refusal(await sending(change)(api), 400, 413, 422),
    ),
  ),
  ...WRONG.map(([kind, name, value, what]) =>
    refuses(
      `${what} as ${name} of ${kind}`,
      '2.11, 2.16',
      async (api) => api.make(kind),
      async (api) => refusal(await api.post(kind, { ...sample(kind), [name]: value }), 400, 409, 422),
    ),
  ),
  refuses(
    'a new order without productId',
    '2.5',
    async (api) => api.make('orders'),
    async (api) => refusal(await api.post('orders', { quantity: 1, orderValue: 5 }), 400, 422),
  ),
  refuses(
    'an empty object as a new product',
    '2.14',
    async (api) => api.make('products'),
    async (api) => refusal(await api.post('products', {}), 400, 422),
  ),
  refuses(
    'a second product with the same sku',
    '2.11',
    async (api) => api.make('products'),
    async (api) => {
      const { sent } = await api.make('products');
      refusal(await api.post('products', { ...sample('products'), sku: sent.sku }), 400, 409, 422);
    },
  ),
  met('a value that is unique is free again after a deletion', '2.11', async (api) => {
    const item = await api.make('products');
    refusal(await api.post('products', { ...sample('products'), sku: item.sent.sku }), 400, 409, 422);
    ok(await api.remove(item));
    await api.make('products', { sku: item.sent.sku });
  }),
  met('a refusal names the wrong property', '2.50', async (api) => {
    await api.make('members');
    const { text: body } = refusal(await api.post('members', { ...sample('members'), age: 'old' }), 400, 422);
    must(/\bage\b/.test(body), 'the response does not name age');
  }),
  met('a refusal names all wrong properties at once', '2.50', async (api) => {
    const values = { ...sample('products'), price: 'much', sku: 'x'.repeat(41) };
    const { text: body } = refusal(await api.post('products', values), 400, 422);
    must(/\bprice\b/.test(body) && /\bsku\b/.test(body), 'the response does not name price and sku');
  }),
  ...(['put', 'merge'] as const).map((method) =>
    refuses(
      `a wrong value in ${method === 'put' ? 'PUT' : 'PATCH'}, and changes nothing`,
      '2.16, 2.50',
      async (api) => {
        const item = await api.make('members');
        ok(await api[method](item, { ...item.sent, name: 'Bo' }));
      },
      async (api) => {
        const item = await api.make('members');
        refusal(await api[method](item, { ...item.sent, name: 'Bo', age: 'old' }), 400, 409, 422);
        same((await api.values(item)).name, item.sent.name);
      },
    ),
  ),
  met('an item that a request could not create is in no list', '2.50', async (api) => {
    const [sku, good] = [unique(), unique()];
    const before = (await api.list('products', api.adapter.equal?.('sku', sku))).filter(
      (one) => one.sku === sku,
    );
    await api.make('products', { sku: good });
    refusal(await api.post('products', { ...sample('products'), sku, price: 'much' }), 400, 422);
    const after = (await api.list('products', api.adapter.equal?.('sku', sku))).filter(
      (one) => one.sku === sku,
    );
    same([before.length, after.length], [0, 0]);
  }),
  met('a client cannot choose the identifier of an item that exists', 'C.64, 2.18', async (api) => {
    const item = await api.make('members');
    const id = (await api.values(item))[api.adapter.id?.('members') ?? 'id'];
    const answer = await api.post('members', { ...sample('members'), id, name: 'Eve' });
    must(answer.status < 500, `status ${answer.status}`);
    same((await api.values(item)).name, item.sent.name);
  }),
  met('a client that changes the id in PUT changes no other item', '2.18', async (api) => {
    const [one, two] = [await api.make('members'), await api.make('members')];
    const id = (await api.values(two))[api.adapter.id?.('members') ?? 'id'];
    const { status } = await api.put(one, { ...one.sent, id, name: 'Eve' });
    must(status < 500 && status !== 405, `status ${status}`);
    same((await api.values(two)).name, two.sent.name);
  }),
]);
