import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runningEngines } from '../../local/running.ts';
import { lineOf } from '../../tools/data/lines.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { describeUnless } from '../support/skips/describe-unless.ts';
import { Follower, namesOf } from './follower.ts';
import { data } from './tool.ts';

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;
let send: Client;
/** The engine of the service, as the operator of a deployment calls DynamoDB. */
let engine: DynamoDBClient;

const directory = () => join(place.directory, 'service');
const exported = (name: string) => join(place.directory, name);

beforeAll(async () => {
  place = await temporary();
  service = await run({ directory: directory(), args: ['--empty'] });
  send = clientOf(service.url as string);
  const { url: endpoint, credentials } = runningEngines({ DATA_DIR: directory() }) ?? {};
  engine = new DynamoDBClient({ region: 'us-east-1', endpoint, credentials });
}, 60_000);
afterAll(async () => {
  engine.destroy();
  await service.stop();
  await place.remove();
}, 40_000);

const TABLES = 'resource-api-';

async function create(path: string, json: object): Promise<string> {
  const { status, headers } = await send('POST', path, { json });
  expect(status).toBe(201);
  return String(headers.location);
}

async function put(path: string, name: string, headers: Record<string, string> = {}): Promise<number> {
  return (await send('PUT', path, { json: { name }, headers })).status;
}

const removedOf = async (): Promise<string[]> =>
  (await send('GET', '/customers/removed?limit=100'))
    .json()
    .items.map(({ href }) => String(href).replace(/\/versions.*/, ''));

/** Waits until the log and the kept versions have everything that the table has. */
const settled = async (follower: Follower): Promise<void> => {
  const names = await namesOf(send, 'customers');
  await eventually(async () => expect((await follower.follow(send)).names).toEqual(names));
};

/** Runs a command. `code`: its exit status. */
async function command(args: readonly string[], code = 0): Promise<string> {
  const result = await data(directory(), args);
  expect(result).toEqual({ code, output: result.output });
  return result.output;
}

// Specification 16.2, 17.8
describe('an import of an item that was removed since', () => {
  test('gives it the version after its removal, in tags, versions, changes and the list of removed items', async () => {
    const path = await create('/customers', { name: 'one' });
    await put(path, 'two');
    await command(['export', exported('before'), 'customers']);
    const follower = await new Follower('customers').begin(send);
    await put(path, 'three');
    const { etag = '' } = (await send('GET', path)).headers;
    await put(path, 'four');
    const third = await send('GET', `${path}/versions/3`);
    expect((await send('DELETE', path)).status).toBe(204);
    await settled(follower);

    await command(['import', exported('before'), 'customers']);
    expect(await removedOf()).not.toContain(path);
    await settled(follower);
    expect(follower.names.get(path)).toBe('two');
    expect((await send('GET', path, { headers: { 'If-None-Match': etag } })).status).toBe(200);
    expect(await put(path, 'lost', { 'If-Match': etag })).toBe(412);
    expect([await put(path, 'seven'), await put(path, 'eight')]).toEqual([200, 200]);
    const again = await send('GET', `${path}/versions/3`);
    expect([again.text, again.headers.etag]).toEqual([third.text, third.headers.etag]);
    await settled(follower);
    expect([follower.sequences.get(path), follower.gone]).toEqual([[3, 4, 5, 6, 7, 8], 0]);
    const { items = [] } = (await send('GET', `${path}/versions`)).json();
    expect(items.map(({ change }) => change).slice(0, 4)).toEqual([
      'updated',
      'updated',
      'restored',
      'removed',
    ]);
    // A repeated import changes nothing.
    await put(path, 'two');
    expect(await command(['import', exported('before'), 'customers', '--replace'])).toContain('0 written');
  }, 60_000);

  test('says what to do if the resource has no history', async () => {
    const json = { url: 'http://127.0.0.1:9/hook', types: ['customer.*'] };
    const path = await create('/subscriptions', json);
    await command(['export', exported('without'), 'subscriptions']);
    const advice = 'increase revision';
    expect(await command(['import', exported('without'), 'subscriptions'])).not.toContain(advice);
    expect((await send('DELETE', path)).status).toBe(204);
    expect(await command(['import', exported('without'), 'subscriptions'])).toContain(advice);
  }, 60_000);
});

// Specification 16.2, 17.1, 17.8
test('no entity tag has two contents, and a follower has every item, in any order of changes and imports', async () => {
  const random = randomNumbers(20261127);
  const pick = (count: number) => Math.floor(random() * count);
  const paths = await Promise.all(
    Array.from({ length: 24 }, (_, at) => create('/customers', { name: `n${at}` })),
  );
  const follower = await new Follower('customers').begin(send);
  /** The name under each entity tag of an item. */
  const contents = new Map<string, string>();
  let compared = 0;
  const look = async (path: string) => {
    const versions = (await send('GET', `${path}/versions?limit=100`)).json().items ?? [];
    for (const href of [path, ...versions.flatMap((one) => (one.href ? [String(one.href)] : []))]) {
      const { status, headers, json } = await send('GET', href);
      if (status !== 200) continue;
      const tag = `${path} ${String(headers.etag).replace(/^"(\d+\.\d+).*/, '$1')}`;
      const name = String(json().name);
      expect([tag, contents.get(tag) ?? name]).toEqual([tag, name]);
      if (contents.has(tag)) compared += 1;
      contents.set(tag, name);
    }
  };
  let names = 0;
  const change = async (path: string) => {
    const step = pick(4);
    names += 1;
    if (step < 2) await put(path, `changed ${names}`);
    else if (step === 2) await send('DELETE', path);
    else {
      const versions = (await send('GET', `${path}/versions`)).json().items ?? [];
      const href = versions[pick(versions.length)]?.href;
      if (href) await send('POST', `${href}/restore`);
    }
  };
  for (let round = 0; round < 7; round += 1) {
    for (const path of paths) for (let count = pick(4); count > 0; count -= 1) await change(path);
    await Promise.all(paths.map(look));
    if (round % 2 === 0)
      await command(['export', exported(`r${round}`), 'customers', ...(round === 4 ? ['--history'] : [])]);
    else {
      const from = exported(`r${2 * pick((round + 1) / 2)}`);
      const more = ['--replace', '--events'].filter(() => pick(2) === 0);
      const { code, output } = await data(directory(), ['import', from, 'customers', ...more]);
      expect([code, output]).toEqual([expect.any(Number), expect.stringContaining('customers: ')]);
      await Promise.all(paths.map(look));
    }
    await settled(follower);
  }
  expect(compared).toBeGreaterThan(100);
  expect(follower.gone).toBe(0);
  for (const path of paths) {
    const sequences = follower.sequences.get(path) ?? [];
    expect([path, sequences]).toEqual([path, [...new Set(sequences)].sort((a, b) => a - b)]);
  }
  const present = await namesOf(send, 'customers');
  const removed = await removedOf();
  expect(removed.filter((path) => present.has(path))).toEqual([]);
  expect(paths.filter((path) => !present.has(path) && !removed.includes(path))).toEqual([]);
}, 300_000);

// The tables of other engines have other names.
const real = process.env.AWS_ENDPOINT_URL_DYNAMODB && 'needs the embedded engine';

describeUnless(real, 'the export of DynamoDB itself', () => {
  test('is read with the rows of all kinds that the service writes, a BOM and empty lines', async () => {
    const path = await create('/products', { name: 'Mug', price: 3.1, sku: 'mug-1' });
    const name = `${TABLES}products`;
    const rows: string[] = [];
    for await (const { Items = [] } of paginateScan({ client: engine }, { TableName: name }))
      rows.push(...Items.map((item) => lineOf({ item, objects: [] })));
    const others = rows.filter((row) => row.includes('"_constraint"'));
    expect([others.length, rows.length - others.length]).toEqual([expect.any(Number), 1]);
    expect(others.some((row) => row.includes('"_inventory"'))).toBe(true);
    expect(others.length).toBeGreaterThan(1);
    const lines = [...others, '', ...rows, '\r', ...others];
    writeFileSync(join(place.directory, 'products.jsonl'), `\uFEFF${lines.join('\n')}\n`);
    expect((await send('DELETE', path)).status).toBe(204);
    const output = await command(['import', place.directory, 'products']);
    expect(output).toContain(`products: ${lines.length - 1} lines without an item\n`);
    expect(output).toContain('products: 1 written, 0 present, 0 newer\n');
    expect((await send('GET', path)).json()).toMatchObject({ name: 'Mug', price: 3.1 });
    expect(await command(['verify', place.directory, 'products'], 1)).toContain('has version 3 instead of 1');
  }, 60_000);

  test.each([
    ['no identifier', '{"Item":{"name":{"S":"Mug"}}}'],
    ['an identifier that is a text', '{"Item":{"id":{"S":"7"},"_version":{"N":"1"}}}'],
    ['no times', '{"Item":{"id":{"N":"7"},"_version":{"N":"1"}}}'],
    ['a row of the log', '{"Item":{"partition":{"S":"orders.0"},"position":{"N":"1"}}}'],
    ['nothing', '{"Item":{}}'],
    ['no Item', '{"Items":[]}'],
    ['a list', '[]'],
  ])('names a line with %s', async (_, line) => {
    writeFileSync(join(place.directory, 'customers.jsonl'), `\n${line}\n`);
    const { code, output } = await data(directory(), ['import', place.directory, 'customers']);
    expect([code, output]).toEqual([2, expect.stringMatching(/customers\.jsonl, line 2, [^\n]+\n$/)]);
  });
});

describeUnless(real, 'the command restored', () => {
  // Specification 17.7
  test('after a restoration of one table, followers begin anew, and tags and removed items are right', async () => {
    const [changed, removed, kept] = [
      await create('/customers', { name: 'Changed' }),
      await create('/customers', { name: 'Removed' }),
      await create('/customers', { name: 'Kept' }),
    ];
    const rowOf = (path: string) => ({
      TableName: `${TABLES}customers`,
      Key: { id: { N: path.split('/')[2] ?? '' } },
    });
    const before = await Promise.all(
      [changed, removed].map((path) => engine.send(new GetItemCommand(rowOf(path)))),
    );
    await put(changed, 'Changed later');
    const { etag = '' } = (await send('GET', changed)).headers;
    expect((await send('DELETE', removed)).status).toBe(204);
    const follower = await new Follower('customers').begin(send);
    await settled(follower);
    for (const { Item } of before)
      await engine.send(new PutItemCommand({ TableName: `${TABLES}customers`, Item }));

    expect(await command(['restored', 'customers'])).toMatch(/customers: \d+ items, 2 with a new version\./);
    await settled(follower);
    expect(follower.gone).toBe(1);
    expect([changed, removed, kept].map((path) => follower.names.get(path))).toEqual([
      'Changed',
      'Removed',
      'Kept',
    ]);
    expect(await removedOf()).not.toContain(removed);
    expect(await put(changed, 'Lost', { 'If-Match': etag })).toBe(412);
    expect((await send('GET', `${changed}/versions/2`)).json().name).toBe('Changed later');
    expect((await send('GET', removed)).headers.etag).toMatch(/^"3\./);
  }, 60_000);
});
