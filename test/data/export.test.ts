import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runningEngines } from '../../local/running.ts';
import { receiving } from '../delivery/received.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { writeProfile } from './profile.ts';
import { data } from './tool.ts';

/** Two services with their own data: the tests export the data of one and import them into the other. */
interface Place {
  readonly directory: string;
  readonly service: Run;
  readonly send: Client;
}

let temporaryPlace: Awaited<ReturnType<typeof temporary>>;
let source: Place;
let target: Place;
let exported: string;
/** The paths of all items and bytes of the source. */
const paths: string[] = [];
/** The path of a member that the source has removed, with its photo. */
let removed: string;

async function started(name: string, environment: Record<string, string> = {}): Promise<Place> {
  const directory = join(temporaryPlace.directory, name);
  const service = await run({ directory, args: ['--empty'], environment });
  if (service.url === undefined) throw new Error(service.output());
  return { directory, service, send: clientOf(service.url) };
}

async function created(path: string, json: unknown): Promise<string> {
  const { status, headers, text } = await source.send('POST', path, { json });
  if (status !== 201) throw new Error(text);
  paths.push(headers.location as string);
  return headers.location as string;
}

async function bytes(path: string, type: string, body: Buffer): Promise<void> {
  const { status } = await source.send('PUT', path, { headers: { 'Content-Type': type }, body });
  expect([200, 201, 204]).toContain(status);
  paths.push(path);
}

const CREDENTIALS = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
/** The names of the local tables and of the local bucket. */
const table = (name: string) => `resource-api-${name}`;
const bucket = 'resource-api-files';
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

beforeAll(async () => {
  temporaryPlace = await temporary();
  exported = join(temporaryPlace.directory, 'export');
  source = await started('source');
  // The sort keys and shards of the target are its own.
  target = await started('target', process.env.AWS_ENDPOINT_URL_DYNAMODB ? {} : { SHARDS: '1' });
  const member = await created('/members', { name: 'Zoë\u2028', username: 'zoe', rate: 0.1, list: [1] });
  expect((await source.send('PUT', member, { json: { name: 'Anne', age: 7 } })).status).toBe(200);
  await bytes(`${member}?fields=photo`, 'image/png', PNG);
  removed = (await source.send('POST', '/members', { json: { name: 'Gone', username: 'gone' } })).headers
    .location as string;
  const photo = { headers: { 'Content-Type': 'image/png' }, body: PNG };
  expect((await source.send('PUT', `${removed}?fields=photo`, photo)).status).toBe(201);
  expect((await source.send('DELETE', removed)).status).toBe(204);
  for (let at = 0; at < 250; at += 1) await created('/members', { name: `m${at}`, age: at });
  const customer = await created('/customers', { name: 'Acme', big: 12_345_678_901_234_567_890n.toString() });
  const product = await created('/products', { name: 'Mug', price: 3.1 });
  const productId = Number(product.split('/').at(-1));
  await created(`${customer}/orders`, { productId, quantity: 2, orderValue: 10.25 });
  await bytes('/files/a%20b.txt', 'text/plain', Buffer.from('hello'));
  await bytes('/files/empty', 'application/octet-stream', Buffer.alloc(0));
}, 120_000);

afterAll(async () => {
  await source.service.stop();
  await target.service.stop();
  await temporaryPlace.remove();
}, 40_000);

/** The response that clients see at a path, without its time. */
async function seen({ send }: Place, path: string) {
  const { status, text, headers } = await send('GET', path);
  return { status, text, type: headers['content-type'], etag: headers.etag };
}

const lines = (name: string): readonly string[] =>
  readFileSync(join(exported, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');

describe('an export', () => {
  test('that kill -9 ends continues, and has every item exactly once', async () => {
    let ended = { code: null as number | null, output: '' };
    for (let killAfter = 150; ended.code === null; killAfter += 100)
      ended = await data(source.directory, ['export', exported], { killAfter });
    // A kill can come after the export is complete: the next run then has nothing to do.
    const rest = { code: 2, output: expect.stringContaining('has a complete export') };
    if (ended.code !== 0) expect(ended).toMatchObject(rest);
    const ids = lines('members').map((line) => JSON.parse(line).Item.id.N);
    expect(ids).toHaveLength(251);
    expect(new Set(ids).size).toBe(251);
    expect(lines('files').map((line) => JSON.parse(line).objects[0].key)).toContain('files/a b.txt');
  }, 60_000);

  test('that is complete is not written again', async () => {
    const { code, output } = await data(source.directory, ['export', exported]);
    expect(code).toBe(2);
    expect(output).toMatch(/has a complete export: choose another directory/);
  });
});

test('an export gets the earlier versions with --history, also after its items are complete', async () => {
  // The list waits until the stream has brought all versions.
  for (const path of [paths[0], removed]) await seen(source, `${path}/versions`);
  const { code, output } = await data(source.directory, ['export', exported, '--history']);
  expect(code).toBe(0);
  expect(output).toContain('members.versions: 4 versions, 1 objects with 10 bytes');
  const [member] = lines('members.versions').map((line) => JSON.parse(line).Item);
  expect(member).toMatchObject({ item: { S: expect.stringMatching(/^\/members\//) }, image: { M: {} } });
});

test('an export of a deployment needs the environment of its worker, and credentials', async () => {
  const file = join(temporaryPlace.directory, 'worker.json');
  const copy = join(temporaryPlace.directory, 'deployed');
  const args = ['export', copy, 'members', '--environment', file];
  const withoutFile = await data(temporaryPlace.directory, args, { environment: CREDENTIALS });
  expect(withoutFile).toMatchObject({ code: 2, output: expect.stringContaining('is not a file with JSON') });
  writeFileSync(
    file,
    JSON.stringify({ TABLES: `members=${table('members')}`, BUCKET: bucket, SERVICE: 'x' }),
  );
  const nothing = {
    AWS_ACCESS_KEY_ID: '',
    AWS_CONFIG_FILE: file,
    AWS_SHARED_CREDENTIALS_FILE: file,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  for (const [missing, environment] of Object.entries({
    Region: nothing,
    credentials: { ...nothing, AWS_REGION: 'us-east-1' },
  })) {
    const without = await data(temporaryPlace.directory, args, { environment });
    expect(without).toMatchObject({
      code: 2,
      output: expect.stringMatching(
        new RegExp(`Set AWS_PROFILE, or AWS_REGION and credentials. The AWS SDK says: .*${missing}`),
      ),
    });
  }

  const engines = runningEngines({ DATA_DIR: source.directory });
  if (engines === undefined || process.env.AWS_ENDPOINT_URL_DYNAMODB) return;
  const { url, credentials } = engines;
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    AWS_ENDPOINT_URL_S3: url,
  };
  expect(await data(temporaryPlace.directory, args, { environment })).toMatchObject({ code: 0 });
  const deployed = readFileSync(join(copy, 'members.jsonl'), 'utf8').trimEnd().split('\n');
  expect(deployed.sort()).toEqual([...lines('members')].sort());
}, 60_000);

test('an export of a deployment gets its region and its credentials from a profile with a process', async () => {
  const engines = runningEngines({ DATA_DIR: source.directory });
  if (engines === undefined || process.env.AWS_ENDPOINT_URL_DYNAMODB) return;
  const place = (name: string) => join(temporaryPlace.directory, name);
  const { environment, runs } = writeProfile(temporaryPlace.directory, engines);
  writeFileSync(
    place('worker.json'),
    JSON.stringify({ TABLES: `members=${table('members')}`, BUCKET: bucket }),
  );
  const args = ['export', place('by-profile'), 'members', '--environment', place('worker.json')];
  expect(await data(temporaryPlace.directory, args, { environment })).toMatchObject({ code: 0 });
  expect(
    readFileSync(join(place('by-profile'), 'members.jsonl'), 'utf8')
      .trimEnd()
      .split('\n'),
  ).toHaveLength(251);
  // These credentials are about to expire, so the command renews them.
  expect(runs()).toBeGreaterThan(1);
}, 60_000);

describe('an import', () => {
  test('keeps the times of a file that the service listed after a kill, because its row was missing', async () => {
    const engines = runningEngines({ DATA_DIR: target.directory });
    if (engines === undefined) return;
    const { url: endpoint, credentials } = engines;
    const s3 = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
    // A killed import has stored these bytes. The service lists them after some seconds.
    const Body = Buffer.from('hello');
    const ChecksumSHA256 = createHash('sha256').update(Body).digest('base64');
    const Key = 'files/a b.txt';
    await s3.send(
      new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: 'text/plain', ChecksumSHA256 }),
    );
    s3.destroy();
    await eventually(async () => expect((await target.send('GET', '/files')).text).toContain('a b.txt'));
    expect(await data(target.directory, ['import', exported, 'files'])).toMatchObject({ code: 0 });
    expect(await seen(target, '/files')).toEqual(await seen(source, '/files'));
  }, 60_000);

  test('that kill -9 ends continues; ids, versions, times and bytes are those of the export', async () => {
    let ended = { code: null as number | null, output: '' };
    for (let killAfter = 200; ended.code === null; killAfter += 100)
      ended = await data(target.directory, ['import', exported], { killAfter });
    expect(ended).toMatchObject({ code: 0 });
    for (const path of atLeastOne(paths)) expect(await seen(target, path)).toEqual(await seen(source, path));
    for (const list of ['/members?sort=-age&limit=100', '/customers', '/orders?sort=orderValue', '/files'])
      expect(await seen(target, list)).toEqual(await seen(source, list));
  }, 120_000);

  test('brings earlier versions, and those that are present stay', async () => {
    for (const path of [paths[0], removed]) {
      const list = await source.send('GET', `${path}/versions`);
      expect(list.json().items).toHaveLength(3);
      expect((await target.send('GET', `${path}/versions`)).json()).toEqual(list.json());
      for (const version of [1, 2])
        expect(await seen(target, `${path}/versions/${version}`)).toEqual(
          await seen(source, `${path}/versions/${version}`),
        );
    }
    const { code, output } = await data(target.directory, ['import', exported, 'members']);
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain('members.versions: 0 written, 4 present');
    const { status } = await target.send('POST', `${removed}/versions/2/restore`);
    expect(status).toBe(201);
    expect((await target.send('GET', `${removed}?fields=photo`)).bytes).toEqual(PNG);
    expect((await target.send('DELETE', removed)).status).toBe(204);
  }, 60_000);

  test('makes no events, and later changes of the items make theirs', async () => {
    const [member = ''] = paths;
    expect((await target.send('PUT', member, { json: { name: 'Later' } })).status).toBe(200);
    expect((await target.send('DELETE', member)).status).toBe(204);
    const stream = receiving(target.directory);
    await stream.until(({ type, subject }) => type === 'member.removed' && subject === member);
    await stream.stop();
    const ofMember = stream.events.filter(({ subject }) => subject === member);
    expect(ofMember.map(({ type }) => type)).toEqual(['member.changed', 'member.removed']);
  });

  test('leaves newer items, and replaces them by a next version if the operator says so', async () => {
    const customer = paths.find((path) => path.startsWith('/customers/')) as string;
    const { text: before } = await target.send('GET', customer);
    expect((await target.send('PUT', customer, { json: { name: 'Newer' } })).status).toBe(200);
    const { headers: newer } = await target.send('GET', customer);

    const left = await data(target.directory, ['import', exported, 'customers']);
    expect(left).toMatchObject({ code: 1, output: expect.stringContaining('0 written, 0 present, 1 newer') });
    expect((await target.send('GET', customer)).headers.etag).toBe(newer.etag);

    const replaced = await data(target.directory, ['import', exported, 'customers', '--replace', '--events']);
    expect(replaced).toMatchObject({ code: 0, output: expect.stringContaining('1 written') });
    const after = await target.send('GET', customer);
    expect(after.headers.etag).not.toBe(newer.etag);
    const { updatedAt: _, ...shown } = after.json();
    const { updatedAt: __, ...wanted } = JSON.parse(before);
    expect(shown).toEqual(wanted);
    // The stream brings no version that an import replaced, so the import keeps it.
    const versions = (await target.send('GET', `${customer}/versions`)).json().items;
    expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    const stream = receiving(target.directory);
    const { type } = await stream.until(
      ({ sequence, subject }) => subject === customer && sequence === '0000000003',
    );
    expect(type).toBe('customer.changed');
    await stream.stop();
  }, 60_000);

  test('of a damaged line names the line', async () => {
    writeFileSync(join(temporaryPlace.directory, 'members.jsonl'), `${lines('members')[0]}\n{"Item":\n`);
    const { code, output } = await data(target.directory, ['import', temporaryPlace.directory, 'members']);
    expect(code).toBe(2);
    expect(output).toMatch(/members\.jsonl, line 2, is not JSON/);
  });
});

describe('verify', () => {
  test('finds no difference in the exported service', async () => {
    const { code, output } = await data(source.directory, ['verify', exported]);
    expect({ code, output }).toEqual({ code: 0, output });
    expect(output).toContain('files: 2 items and 2 objects in the export, 2 items in the service\n');
    expect(output).toContain('The service has what the export has\n');
  });

  // The tests above removed a member and replaced a customer.
  test('names items that are missing or have another version, and counts those that the export lacks', async () => {
    const numberOf = (path = '') => path.split('/').at(-1);
    const customer = paths.find((path) => path.startsWith('/customers/'));
    expect((await target.send('POST', '/products', { json: { name: 'Jug', price: 4 } })).status).toBe(201);
    const { code, output } = await data(target.directory, ['verify', exported]);
    expect({ code, output }).toEqual({ code: 1, output });
    expect(output).toContain(`members ${numberOf(paths[0])} is missing\n`);
    expect(output).toContain(`customers ${numberOf(customer)} has version 3 instead of 1\n`);
    expect(output).toContain('products: 1 items and 0 objects in the export, 2 items in the service\n');
    expect(output).toContain('3 items differ\n');
  });

  test('compares values and bytes', async () => {
    const copy = temporaryPlace.directory;
    const [file = '', ...others] = lines('files');
    const name = JSON.parse(file).objects[0].key.slice('files/'.length);
    const changed = JSON.parse(file);
    changed.objects[0].sha256 = Buffer.alloc(32).toString('base64');
    writeFileSync(join(copy, 'files.jsonl'), [JSON.stringify(changed), ...others].join('\n'));
    const order = JSON.parse(lines('orders')[0] as string);
    order.Item.quantity.N = '7';
    writeFileSync(join(copy, 'orders.jsonl'), JSON.stringify(order));
    const { code, output } = await data(source.directory, ['verify', copy, 'files', 'orders']);
    expect({ code, output }).toEqual({ code: 1, output });
    expect(output).toContain(`files ${name} has other bytes in files/${name}\n`);
    expect(output).toContain(`orders ${order.Item.orderId?.N ?? order.Item.id.N} has other values\n`);
    expect(output).toContain('2 items differ\n');
  });
});
