import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { unique } from '../../../engines/test/clients.ts';
import { handler } from '../../../functions/worker/handler.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { config } from '../../../shared/aws/config.ts';
import { configureLog } from '../../../shared/aws/log.ts';
import { compare } from '../../../shared/files/comparison/compare.ts';
import { sha256 } from '../../../shared/files/file-actions.ts';
import { FileListing } from '../../../shared/files/listing.ts';
import { Objects } from '../../../shared/files/objects.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { withTimePassed } from '../../support/clock.ts';
import { attached, resourceOf } from '../attached.ts';
import { collectLog } from '../collected-log.ts';

/** The messages that the worker has sent to its queue. */
const sent: string[] = [];
attached((call, pass) => {
  const { headers, body } = call[0];
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);
  if (headers['x-amz-target'] === 'AmazonSQS.SendMessage') sent.push(JSON.parse(text).MessageBody);
  return pass(...call);
});

let lines: string[] = [];
let bucket = '';
let tables = '';
beforeAll(async () => {
  bucket = config.bucketName();
  tables = process.env.TABLES ?? '';
});
beforeEach(() => {
  lines = collectLog();
});
afterEach(async () => {
  configureLog();
  Object.assign(process.env, { BUCKET: bucket, TABLES: tables });
});

const DAY = 86_400_000;
const files = new Objects('files/');
const rows = new FileListing(resourceOf('files'));
const PNG = { bytes: Buffer.from('png'), mediaType: 'image/png', sha256: sha256(Buffer.from('png')) };

async function stored(name: string): Promise<string> {
  await files.put(name, PNG, undefined);
  await rows.put(name, (await files.head(name)) as NonNullable<Awaited<ReturnType<typeof files.head>>>, 1);
  return name;
}
async function storedFiles(number: number): Promise<string[]> {
  const names: string[] = [];
  for (let at = 0; at < number; at += 1) names.push(await stored(unique('file')));
  return names;
}
const listed = async (names: readonly string[]) => {
  const shown = await Promise.all(names.map((name) => rows.shown(name)));
  return shown.filter((row) => row !== undefined).length;
};

/** Makes the worker compare, with some ms for each run, a day after the last write. Returns the number of runs. */
const compared = (compare: object, ms = 300_000, days = 1) =>
  withTimePassed(days * DAY, async () => {
    let runs = 0;
    for (let body: string | undefined = JSON.stringify({ compare }); body; body = sent.shift(), runs += 1) {
      const record = { messageId: '1', receiptHandle: 'r', body } as SQSRecord;
      record.attributes = { ApproximateReceiveCount: '1' } as SQSRecord['attributes'];
      await handler({ Records: [record] }, { getRemainingTimeInMillis: () => ms } as Context);
    }
    return runs;
  });
const stops = () =>
  lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'comparison-stopped');

async function newBucket(): Promise<void> {
  process.env.BUCKET = unique('bucket').toLowerCase();
  await s3().send(new CreateBucketCommand({ Bucket: process.env.BUCKET }));
}

/** An empty table with the keys and the indexes of another one. */
async function newTable(of: string): Promise<void> {
  const before = config.tableName(of);
  const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName: before }));
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: indexes } = Table ?? {};
  const GlobalSecondaryIndexes = indexes?.map(({ IndexName, KeySchema, Projection }) => ({
    ...{ IndexName, KeySchema, Projection },
  }));
  const TableName = unique(of);
  const input = { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes };
  await dynamoDb().send(new CreateTableCommand({ ...input, BillingMode: 'PAY_PER_REQUEST' }));
  process.env.TABLES = tables.replace(`${of}=${before}`, `${of}=${TableName}`);
  expect(config.tableName(of)).toBe(TableName);
}

// Specification 5.4
test('an empty bucket leaves all rows, before the first comparison and after it', async () => {
  const names = await storedFiles(3);
  await newBucket();
  process.env.SERVICE = 'shop';
  await compared({ of: 'files' });
  delete process.env.SERVICE;
  const [line] = stops();
  expect(line).toMatchObject({ compared: 'files', removals: 3, total: 3 });
  // The alarm counts this metric.
  expect(line).toMatchObject({ service: 'shop', ComparisonsStopped: 1 });
  expect(line._aws.CloudWatchMetrics).toMatchObject([
    { Namespace: 'ResourceApi', Dimensions: [['service']] },
  ]);
  process.env.BUCKET = bucket;
  await compared({ of: 'files' });
  await newBucket();
  await compared({ of: 'files' });
  expect(stops()).toHaveLength(2);
  expect(stops()[1].reason).toContain('another bucket');
  expect(await listed(names)).toBe(3);
});

// Specification 5.4
test('a bucket with another identity, and an emptied one, leave all rows', async () => {
  const names = await storedFiles(3);
  await compared({ of: 'files' });
  await newBucket();
  await new Objects('').put('identity', PNG, undefined);
  await compared({ of: 'files' });
  process.env.BUCKET = bucket;
  const identity = await new Objects('').read('identity', undefined);
  for (const name of names) await files.remove(name);
  await new Objects('').remove('identity');
  await compared({ of: 'files' });
  expect(stops()).toHaveLength(2);
  expect(await listed(names)).toBe(3);
  await new Objects('').put(
    'identity',
    { ...PNG, bytes: Buffer.from(identity ?? ''), sha256: sha256(identity ?? new Uint8Array()) },
    undefined,
  );
  await compared({ of: 'files' });
  expect(await listed(names)).toBe(0);
});

// Specification 5.4
test('more than 100 removals and 1 % need a confirmation, also over several runs', async () => {
  const names = await storedFiles(201);
  await compared({ of: 'files' });
  await files.remove(names[0] as string);
  await compared({ of: 'files' });
  expect([stops(), await listed(names)]).toEqual([[], 200]);
  for (const name of names.slice(1, 102)) await files.remove(name);
  expect(await compared({ of: 'files' }, 0)).toBeGreaterThan(200);
  expect(stops()).toEqual([expect.objectContaining({ reason: 'too many removals', removals: 101 })]);
  expect(await listed(names)).toBe(200);
  await compared({ of: 'files', confirm: true });
  expect(await listed(names)).toBe(99);
  await compared({ of: 'files' });
  expect(stops()).toHaveLength(1);
}, 120_000);

// Specification 5.4
test.each([
  ['remove', 100, 100, true],
  ['remove', 101, 101, false],
  ['remove', 101, 10_099, false],
  ['remove', 101, 10_100, true],
  ['expire', 101, 504, false],
  ['expire', 101, 505, true],
] as const)('%s: %d of %d keys', async (kind, removals, total, isAllowed) => {
  const difference = { kind, by: [], apply: async () => true };
  const keys = Array.from({ length: total }, (_, at) => ({
    key: String(at),
    ...(at < removals ? { difference } : {}),
  }));
  const walk = async function* () {
    yield* keys;
  };
  const next = await compare({ of: 'bytes', tables: [], walk }, { of: 'bytes' }, Number.POSITIVE_INFINITY);
  expect(next).toEqual(
    isAllowed
      ? { kind: 'compared', changed: 0, rest: { of: 'bytes', removes: removals } }
      : { kind: 'stopped', reason: 'too many removals', removals, total },
  );
});

test('a comparison removes no more than it has counted', async () => {
  const walk = async function* () {
    for (const key of ['a', 'b', 'c'])
      yield { key, difference: { kind: 'remove', by: [], apply: async () => true } } as const;
  };
  const part = { of: 'bytes', removes: 2 } as const;
  expect(await compare({ of: 'bytes', tables: [], walk }, part, Number.POSITIVE_INFINITY)).toEqual({
    kind: 'stopped',
    reason: 'more removals than it counted',
  });
});

const members = itemsOf(resourceOf('members'), SERVICE);
const bytes = new Objects('binaries/');
let last = 0;

/** A member whose photo was replaced, so that a version names the first one. Returns the keys of both. */
async function withVersions(): Promise<string[]> {
  last += 1;
  const now = Date.now();
  const item = { id: last, version: 1, createdAt: now, updatedAt: now, values: { name: 'a' }, internal: {} };
  const sentPhoto = { bytes: PNG.bytes, mediaType: PNG.mediaType };
  const first = await members.insert(item, { binaries: [{ name: 'photo', sent: sentPhoto }] });
  if (first.kind !== 'written') throw new Error(first.kind);
  return [first.item.binaries?.photo?.key?.slice('binaries/'.length) as string];
}
const existing = async (keys: readonly string[]) => {
  const facts = await Promise.all(keys.map((key) => bytes.head(key)));
  return facts.filter((one) => one !== undefined).length;
};

// Specification 2.29, 5.4
test('bytes stay while the table of their items or that of versions is another one', async () => {
  const kept = (await Promise.all([withVersions(), withVersions(), withVersions()])).flat();
  const [removed = ''] = await withVersions();
  expect((await members.remove(last)).kind).toBe('removed');
  await compared({ of: 'bytes' });
  for (const table of ['members', 'versions']) {
    await newTable(table);
    await compared({ of: 'bytes' });
    expect(stops().at(-1)?.reason).toContain(`no object that ${table}`);
    process.env.TABLES = tables;
  }
  expect(stops()).toHaveLength(2);
  expect(await existing([...kept, removed])).toBe(4);
  await compared({ of: 'bytes' }, 300_000, 31);
  expect(await existing(kept)).toBe(3);
  expect(await existing([removed])).toBe(0);
});

// Specification 2.29, 5.4
test('more than 100 unnamed bytes need a confirmation', async () => {
  const kept = await withVersions();
  const unnamed: string[] = [];
  for (let at = 0; at < 101; at += 1) {
    unnamed.push(`members/${last}/${unique('bytes')}`);
    await bytes.put(unnamed.at(-1) as string, PNG, undefined);
  }
  await compared({ of: 'bytes' });
  expect(stops()).toHaveLength(1);
  expect(await existing(unnamed)).toBe(101);
  await compared({ of: 'bytes', confirm: true });
  expect([await existing(unnamed), await existing(kept)]).toEqual([0, 1]);
}, 60_000);
