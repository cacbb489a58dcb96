import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client, SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { type Opened, opened } from '../../support/service/opened.ts';

/* A PUT of a list sets and removes binary properties as a PUT of an item does. Specification 2.24, 2.25, 9.1 */
const OLD = 'data:application/pdf;base64,JVBERg==';
const NEW = 'data:application/pdf;base64,JVBERi0y';

let service: Opened;
const send: Client = (...request) => service.send(...request);

beforeAll(async () => {
  service = await opened('guarded');
}, 40_000);

const MODES: readonly (readonly [string, SentRequest['headers']])[] = [
  ['a PUT of a list', {}],
  ['a lenient PUT of a list', { Prefer: 'handling=lenient' }],
  ['a PUT of a list that responds later', { Prefer: 'respond-async' }],
  ['a PUT of a list with a key', { 'Idempotency-Key': '"bytes"' }],
];

describe.each(MODES)('%s', (_, mode = {}) => {
  const bytes = (path: string) => send('GET', `${path}?fields=contract`);

  /** The path of a new employee with a contract, after a PUT of a list with it. */
  async function replaced(contract: string | null | undefined, name = 'b'): Promise<string> {
    const { headers } = await send('POST', '/employees', { json: { name: 'a', contract: OLD } });
    const path = headers.location as string;
    const json = [{ id: Number(path.split('/').at(-1)), name, contract }];
    const unique = 'Idempotency-Key' in mode ? { 'Idempotency-Key': `"${crypto.randomUUID()}"` } : mode;
    const answer = await send('PUT', '/employees', { json, headers: unique });
    if (answer.status === 202) await ended(answer, send);
    else expect([200, 207]).toContain(answer.status);
    expect((await send('GET', path)).json().name).toBe(name);
    return path;
  }

  // The name 'a' is that of before: the bytes alone change.
  test.each(['b', 'a'])('stores the bytes of a `data:` URI, with the name %s', async (name) => {
    const path = await replaced(NEW, name);
    expect((await send('GET', path)).json().contract).toMatchObject({ size: 6 });
    expect((await bytes(path)).text).toBe('%PDF-2');
  });

  test.each(['b', 'a'])('removes the bytes for null, with the name %s', async (name) => {
    const path = await replaced(null, name);
    expect((await send('GET', path)).json()).not.toHaveProperty('contract');
    expect((await bytes(path)).status).toBe(404);
  });

  test('leaves the bytes if it has no such property', async () => {
    const path = await replaced(undefined);
    expect((await bytes(path)).text).toBe('%PDF');
  });
});

test('the response to a PUT of a list shows the new bytes', async () => {
  const { headers } = await send('POST', '/employees', { json: { name: 'a' } });
  const id = Number(headers.location?.split('/').at(-1));
  const answer = await send('PUT', '/employees', { json: [{ id, name: 'b', contract: NEW }] });
  expect(answer.json().items).toMatchObject([{ id, contract: { contentType: 'application/pdf', size: 6 } }]);
});

test('a PUT of more elements than one transaction holds stores the bytes of each', async () => {
  const json = Array.from({ length: 101 }, (_, at) => ({ name: `many ${at}` }));
  const creation = await ended(await send('POST', '/employees', { json }), send);
  expect(creation.json().status).toBe('Succeeded');
  const { items } = (await send('GET', '/employees?name.prefix=many&limit=200')).json();
  const changed = items.map(({ id }: { id: number }) => ({ id, name: 'many', contract: NEW }));
  const operation = await ended(await send('PUT', '/employees', { json: changed }), send);
  expect(operation.json().status).toBe('Succeeded');
  const after = (await send('GET', '/employees?name=many&limit=200')).json().items;
  expect(after).toHaveLength(101);
  for (const one of after) expect(one.contract).toMatchObject({ size: 6 });
});
