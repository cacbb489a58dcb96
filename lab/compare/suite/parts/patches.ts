import type { Values } from '../adapter.ts';
import type { Api, Operation } from '../api.ts';
import { met, part, refuses } from '../statement.ts';
import { must, ok, present, refusal, same } from '../verdict.ts';

const MERGE_PATCH = { 'Content-Type': 'application/merge-patch+json' };
const ADDRESS = { street: 'Main 1', city: 'Cork' };

/** Each row: what the merge patch does, the patch, and the values that must follow from those of `customer`. */
const MERGES: readonly (readonly [what: string, patch: Values, after: Values])[] = [
  ['replaces a text', { name: 'Bo' }, { name: 'Bo' }],
  ['removes a property by null', { email: null }, { email: undefined }],
  ['adds a property that is not there', { email: 'b@example.org' }, { email: 'b@example.org' }],
  [
    'merges a nested object',
    { address: { city: 'Galway' } },
    { address: { street: 'Main 1', city: 'Galway' } },
  ],
  ['removes a nested property by null', { address: { city: null } }, { address: { street: 'Main 1' } }],
  [
    'changes two properties at once',
    { name: 'Bo', email: 'b@example.org' },
    { name: 'Bo', email: 'b@example.org' },
  ],
  ['changes nothing if it is empty', {}, { name: 'Acme', email: 'a@example.org' }],
  [
    'ignores the removal of a nested property that is not there',
    { address: { zip: null } },
    { address: ADDRESS },
  ],
];

const product = (api: Api) => api.make('products', { name: 'Bell', category: 'tools', tags: ['a', 'b'] });
const replace = { op: 'replace', path: '/name', value: 'Bo' };

/** A product of an API that can replace a text by JSON Patch. @throws NotOffered */
async function patchable(api: Api) {
  const { status } = await api.patch(await product(api), [replace]);
  present(status < 300 ? status : undefined, `JSON Patch: status ${status}`);
  return product(api);
}
/** A customer of an API that can replace a text by a merge patch. @throws NotOffered */
async function mergeable(api: Api) {
  const customer = () => api.make('customers', { name: 'Acme', address: ADDRESS });
  const { status } = await api.merge(await customer(), { name: 'Bo' }, MERGE_PATCH);
  present(status < 300 ? status : undefined, `merge patch: status ${status}`);
  return customer();
}

/** Each row: what the JSON Patch does, its operations, and the values that must follow from those of `product`. */
const PATCHES: readonly (readonly [
  what: string,
  operations: readonly Operation[],
  after: Values,
  section: string,
])[] = [
  ['replaces a property', [replace], { name: 'Bo' }, '4.3'],
  ['adds a property, or replaces it', [{ op: 'add', path: '/name', value: 'Bo' }], { name: 'Bo' }, '4.1'],
  ['removes a property', [{ op: 'remove', path: '/category' }], { category: undefined }, '4.2'],
  [
    'adds to the end of an array',
    [{ op: 'add', path: '/tags/-', value: 'c' }],
    { tags: ['a', 'b', 'c'] },
    '4.1',
  ],
  ['inserts into an array', [{ op: 'add', path: '/tags/0', value: 'c' }], { tags: ['c', 'a', 'b'] }, '4.1'],
  [
    'inserts at the length of an array',
    [{ op: 'add', path: '/tags/2', value: 'c' }],
    { tags: ['a', 'b', 'c'] },
    '4.1',
  ],
  ['removes from an array', [{ op: 'remove', path: '/tags/0' }], { tags: ['b'] }, '4.2'],
  ['replaces in an array', [{ op: 'replace', path: '/tags/1', value: 'c' }], { tags: ['a', 'c'] }, '4.3'],
  [
    'moves a property',
    [{ op: 'move', from: '/category', path: '/name' }],
    { name: 'tools', category: undefined },
    '4.4',
  ],
  ['moves in an array', [{ op: 'move', from: '/tags/0', path: '/tags/1' }], { tags: ['b', 'a'] }, '4.4'],
  [
    'copies a property',
    [{ op: 'copy', from: '/category', path: '/name' }],
    { name: 'tools', category: 'tools' },
    '4.5',
  ],
  ['tests a text', [{ op: 'test', path: '/name', value: 'Bell' }, replace], { name: 'Bo' }, '4.6'],
  [
    'tests a number by its value',
    [{ op: 'test', path: '/price', value: 9.5 }, replace],
    { name: 'Bo' },
    '4.6',
  ],
  ['tests an array', [{ op: 'test', path: '/tags', value: ['a', 'b'] }, replace], { name: 'Bo' }, '4.6'],
  [
    'applies its operations in order',
    [replace, { op: 'test', path: '/name', value: 'Bo' }],
    { name: 'Bo' },
    '3',
  ],
  ['changes nothing if it is empty', [], { name: 'Bell' }, '3'],
  ['ignores unknown members of an operation', [{ ...replace, note: 'x' }], { name: 'Bo' }, '4'],
];

/** Operations that the state of the product does not allow, after one that it does. */
const CONFLICTS: readonly (readonly [what: string, operation: Operation, section: string])[] = [
  ['a test that fails', { op: 'test', path: '/name', value: 'Other' }, '4.6'],
  ['a test of a property that is not there', { op: 'test', path: '/nothing', value: 1 }, '4.6'],
  ['a test of a number as a text', { op: 'test', path: '/price', value: '9.5' }, '4.6'],
  ['the removal of a property that is not there', { op: 'remove', path: '/nothing/below' }, '4.2'],
  ['the removal from an array after its end', { op: 'remove', path: '/tags/9' }, '4.2'],
  ['an insertion after the end of an array', { op: 'add', path: '/tags/9', value: 'c' }, '4.1'],
  ['the move of a property that is not there', { op: 'move', from: '/nothing/x', path: '/name' }, '4.4'],
  ['an index with a leading zero', { op: 'replace', path: '/tags/01', value: 'c' }, '4.1, RFC 6901 §4'],
];

/** Documents that are not JSON Patches. */
const MALFORMED: readonly (readonly [what: string, document: unknown])[] = [
  ['an unknown op', [{ op: 'swap', path: '/name', value: 'x' }]],
  ['no op', [{ path: '/name', value: 'x' }]],
  ['no path', [{ op: 'remove' }]],
  ['add without value', [{ op: 'add', path: '/name' }]],
  ['move without from', [{ op: 'move', path: '/name' }]],
  ['a pointer without a slash', [{ op: 'replace', path: 'name', value: 'x' }]],
  ['a number in place of an operation', [17]],
  ['a text in place of the list', 'text'],
];

/** A value without null members: APIs with fixed properties show null for an absent one. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, one) => (one === null ? undefined : one)) ?? 'null');

const raw = async (api: Api, type: string, body: string) =>
  api.ask('PATCH', (await product(api)).path, { body, headers: { 'Content-Type': type } });

export const patches = part('patches', [
  ...MERGES.map(([what, change, after]) =>
    met(`a merge patch ${what}`, 'RFC 7396 §2', async (api) => {
      const item = await mergeable(api);
      ok(await api.merge(item, change, MERGE_PATCH), 200, 204);
      const values = await api.values(item);
      for (const [name, value] of Object.entries(after))
        if (value === undefined) must(!values[name], `${name} is still there`);
        else same(withoutNulls(values[name]), value, name);
    }),
  ),
  met('a merge patch replaces an array as a whole', 'RFC 7396 §2', async (api) => {
    await mergeable(api);
    const item = await product(api);
    ok(await api.merge(item, { tags: ['z'] }, MERGE_PATCH), 200, 204);
    same((await api.values(item)).tags, ['z']);
  }),
  refuses(
    'a malformed merge patch with 400',
    'RFC 5789 §2.2, C.122',
    async (api) => ok(await api.merge(await product(api), { name: 'Bo' })),
    async (api) =>
      refusal(await raw(api, api.adapter.partial ?? 'application/merge-patch+json', '{"name":'), 400),
  ),
  ...PATCHES.map(([what, operations, after, section]) =>
    met(`JSON Patch ${what}`, `RFC 6902 §${section}`, async (api) => {
      const item = await patchable(api);
      ok(await api.patch(item, operations), 200, 204);
      const values = await api.values(item);
      for (const [name, value] of Object.entries(after))
        if (value === undefined) must(!values[name], `${name} is still there`);
        else same(values[name], value, name);
    }),
  ),
  met('JSON Patch reads ~1 and ~0 in pointers', 'RFC 6901 §3', async (api) => {
    await patchable(api);
    const item = await api.make('customers', { address: { street: 'Main 1', city: 'Cork' } });
    const { status } = await api.patch(item, [{ op: 'replace', path: '/address/a~1b~0c', value: 'x' }]);
    ok(await api.patch(item, [{ op: 'replace', path: '/address/city', value: 'Galway' }]));
    must(status >= 400 && status < 500, `replacing a property that is not there gets ${status}`);
  }),
  met('JSON Patch changes a nested property', 'RFC 6902 §4.3', async (api) => {
    await patchable(api);
    const item = await api.make('customers');
    ok(await api.patch(item, [{ op: 'replace', path: '/address/city', value: 'Galway' }]));
    same((await api.values(item)).address, { street: 'Main 1', city: 'Galway' });
  }),
  ...CONFLICTS.map(([what, operation, section]) =>
    refuses(
      `${what} in JSON Patch, with all operations before it`,
      `RFC 6902 §${section}, §5`,
      async (api) => ok(await api.patch(await patchable(api), [replace])),
      async (api) => {
        const item = await product(api);
        refusal(await api.patch(item, [replace, operation]), 400, 409, 422);
        same((await api.values(item)).name, 'Bell', 'name after the refusal');
      },
    ),
  ),
  refuses(
    'a failed test with 409',
    'RFC 5789 §2.2, C.123',
    async (api) => ok(await api.patch(await patchable(api), [replace])),
    async (api) => {
      const item = await product(api);
      refusal(await api.patch(item, [{ op: 'test', path: '/name', value: 'Other' }]), 409);
    },
  ),
  ...MALFORMED.map(([what, document]) =>
    refuses(
      `JSON Patch with ${what}: 400`,
      'RFC 6902 §3, §4, RFC 5789 §2.2, C.122',
      async (api) => ok(await api.patch(await patchable(api), [replace])),
      async (api) =>
        refusal(await raw(api, 'application/json-patch+json', JSON.stringify(document)), 400, 422),
    ),
  ),
  refuses(
    'a JSON Patch with a result that breaks the description',
    'RFC 5789 §2.2, 10.7',
    async (api) => ok(await api.patch(await patchable(api), [{ op: 'replace', path: '/price', value: 5 }])),
    async (api) => {
      const item = await product(api);
      refusal(await api.patch(item, [{ op: 'replace', path: '/price', value: -5 }]), 400, 409, 422);
      same((await api.values(item)).price, item.sent.price);
    },
  ),
  refuses(
    'the change of the identifier by a patch',
    '2.19, 2.20',
    async (api) => ok(await api.merge(await api.make('members'), { name: 'Bo' })),
    async (api) => {
      const item = await api.make('members');
      refusal(await api.merge(item, { [api.adapter.id?.('members') ?? 'id']: '424242' }), 400, 409, 422);
    },
  ),
]);
