import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';
import { backfill, data, endOf } from './tool.ts';

/*
 * An export of items with unique values and references, which an import writes into an empty service. An item may keep
 * a reference to an item that clients deleted, and an item may refer to one that the import writes later.
 */
const environment = withFixture('constrained');
const names = ['contacts', 'companies', 'loans'];
let exported: string;
let place: Awaited<ReturnType<typeof temporary>>;
let target: Run;
let send: Client;
let parent: string;
let child: string;
let contact: string;
let shown: string;

const idOf = (path: string) => Number(path.split('/').at(-1));

async function started(name: string): Promise<[Run, Client]> {
  const service = await run({ directory: join(place.directory, name), args: ['--empty'], environment });
  return [service, clientOf(service.url as string)];
}

beforeAll(async () => {
  place = await temporary();
  const [source, ask] = await started('source');
  const created = async (path: string, json: object) => {
    const { status, headers } = await ask('POST', path, { json });
    expect(status).toBe(201);
    return headers.location as string;
  };
  const former = await created('/companies', { name: 'Former' });
  child = await created('/companies', { name: 'Child', taxNumber: 'GB 1' });
  parent = await created('/companies', { name: 'Parent', taxNumber: 'GB 2' });
  // The child has the smaller identifier, so the export has it first.
  const moved = await ask('PUT', child, {
    json: { name: 'Child', taxNumber: 'GB 1', parentId: idOf(parent) },
  });
  expect(moved.status).toBe(200);
  contact = await created('/contacts', { name: 'Ada', companyId: idOf(parent), formerId: idOf(former) });
  expect((await ask('DELETE', former)).status).toBe(204);
  await created('/loans', { copyId: 1 });
  shown = (await ask('GET', contact)).text;

  exported = join(place.directory, 'export');
  const from = join(place.directory, 'source');
  expect(await data(from, ['export', exported, ...names], { environment })).toMatchObject({ code: 0 });
  await source.stop();
  [target, send] = await started('target');
  const into = join(place.directory, 'target');
  const imported = await data(into, ['import', exported, ...names], { environment });
  expect(imported).toMatchObject({ code: 0, output: expect.stringContaining('2 written') });
}, 60_000);

afterAll(async () => {
  await target.stop();
  await place.remove();
});

test('an imported item keeps its reference to a deleted item', async () => {
  expect((await send('GET', contact)).text).toBe(shown);
});

test('a backfill does not count an item with a reference to a deleted item as failed', async () => {
  const { code, output } = await backfill(join(place.directory, 'target'), ['contacts'], { environment });
  expect([code, output]).toEqual([0, expect.stringMatching(/\/operations\/\d+/)]);
  const ended = await endOf(output, send);
  expect(ended.json()).toMatchObject({ status: 'Succeeded', progress: { done: 1, failed: 0 } });
});

test('an imported item has its unique values', async () => {
  const json = { name: 'Other', taxNumber: 'GB 1' };
  expect((await send('POST', '/companies', { json })).status).toBe(409);
});

test('an imported item keeps the item that it refers to from removal', async () => {
  expect((await send('DELETE', parent)).status).toBe(409);
  expect((await send('DELETE', contact)).status).toBe(204);
  expect((await send('DELETE', parent)).status).toBe(409);
  expect((await send('DELETE', child)).status).toBe(204);
  expect((await send('DELETE', parent)).status).toBe(204);
});

test('an import writes an item with a unique value of another one, and names it', async () => {
  const [service, ask] = await started('taken');
  const into = join(place.directory, 'taken');
  const importAll = () => data(into, ['import', exported, ...names], { environment });
  const json = (taxNumber: string) => ({ name: 'Other', taxNumber });
  try {
    const { headers } = await ask('POST', '/companies', { json: json('GB 1') });
    const { code, output } = await importAll();
    expect(code).toBe(1);
    expect(output).toContain(`companies ${idOf(child)}: Another company has this Tax number`);
    expect(output).toContain('companies: 2 written, 0 present, 0 newer, 1 against a rule of several items');
    expect((await ask('GET', child)).json()).toMatchObject({ taxNumber: 'GB 1' });
    // The values of both stay, and no third item gets one of them.
    for (const [path, status] of [
      [headers.location as string, 200],
      [child, 200],
    ] as const)
      expect((await ask('PUT', path, { json: json('GB 1') })).status).toBe(status);
    for (const taken of ['GB 1', 'GB 2'])
      expect((await ask('POST', '/companies', { json: json(taken) })).status).toBe(409);
    expect(await importAll()).toMatchObject({ code: 1, output: expect.stringContaining('1 newer') });
  } finally {
    await service.stop();
  }
}, 60_000);

test.each([
  ['of equal unique values', 'companies', {}],
  ['beyond a limit', 'loans', { copyId: 1 }],
])(
  'an import %s names each item but the first, and calls none newer',
  async (_, resource, json) => {
    const [service, ask] = await started(`equal-${resource}`);
    const into = join(place.directory, `equal-${resource}`);
    const twice = join(place.directory, `twice-${resource}`);
    await cp(exported, twice, { recursive: true });
    const file = join(twice, `${resource}.jsonl`);
    const [line = ''] = (await readFile(file, 'utf8')).split('\n');
    const copies = Array.from({ length: 9 }, (_, n) => line.replace(/\d{12,}/, String(n + 1)));
    await writeFile(file, `${copies.join('\n')}\n`);
    try {
      const { code, output } = await data(into, ['import', twice, resource], { environment });
      expect([code, output]).toEqual([
        1,
        expect.stringContaining('9 written, 0 present, 0 newer, 8 against a rule of several items'),
      ]);
      expect((await ask('GET', `/${resource}`)).json().items).toHaveLength(9);
      expect((await ask('POST', `/${resource}`, { json: { ...json, taxNumber: 'GB 1' } })).status).toBe(409);
    } finally {
      await service.stop();
    }
  },
  60_000,
);
