import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { registry } from '../../../service/registry.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config, tableIn } from '../../../shared/aws/config.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { tablesNamed } from '../../../tools/data/place.ts';
import { restore } from '../../../tools/data/restore/restore.ts';
import { attached, resourceOf } from '../../engines/attached.ts';
import { data } from '../tool.ts';
import { copy } from './copy.ts';

const AT = Date.UTC(2026, 10, 21, 9, 0, 0);
const PREFIX = 'DynamoDB_20120810.';

/** The calls that only AWS knows, and the errors of the next ones. */
const calls: string[] = [];
const refusals: string[] = [];
const errorOf = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`;

/** Imitates the operations of AWS that the embedded engine lacks. A restored table has no stream. */
attached(async (call, pass) => {
  const [{ headers, body }] = call;
  const target = headers['x-amz-target'] ?? '';
  if (!target.startsWith(PREFIX)) return pass(...call);
  const operation = target.slice(PREFIX.length);
  const input = JSON.parse(new TextDecoder().decode(body as Uint8Array));
  if (!/^(?:RestoreTable|Update(?:ContinuousBackups|Table|TimeToLive)$)/.test(operation))
    return pass(...call);
  const refusal = refusals.shift();
  if (refusal) return answer(400, { __type: errorOf(refusal), message: 'no' });
  calls.push(`${operation} ${JSON.stringify(input)}`);
  if ('StreamSpecification' in input || operation === 'UpdateTimeToLive') return pass(...call);
  if (operation === 'RestoreTableToPointInTime') await copy(input.SourceTableName, input.TargetTableName);
  return answer(200, {});
});

const answer = (statusCode: number, json: object) => ({
  response: { statusCode, headers: {}, body: Buffer.from(JSON.stringify(json)) },
});

const directory = mkdtempSync(join(tmpdir(), 'resource-api-restore-'));
afterAll(() => rmSync(directory, { recursive: true }));

const wanted = { directory, tables: tablesNamed(['customers', 'orders', 'versions']), at: AT, pause: 1 };

test('restored tables have the items of one second, a stream, protection and recovery', async () => {
  const item = { id: 7, version: 1, createdAt: 0, updatedAt: 0, values: { name: 'Acme' }, internal: {} };
  await itemsOf(resourceOf('customers'), SERVICE).insert(item);
  const lines: string[] = [];
  await restore(wanted, (line) => lines.push(line));
  await restore(wanted, () => undefined);

  const names = wanted.tables.map(({ resource }) => config.tableName(resource));
  const [customers = '', orders = '', versions = ''] = names.map((name) => `${name}-20261121T090000Z`);
  const restorations = calls.filter((call) => call.startsWith('RestoreTable'));
  expect(restorations).toEqual(
    names.map((SourceTableName) => {
      const TargetTableName = `${SourceTableName}-20261121T090000Z`;
      const input = { TargetTableName, SourceTableName, RestoreDateTime: AT / 1000 };
      return `RestoreTableToPointInTime ${JSON.stringify(input)}`;
    }),
  );
  for (const table of [customers, orders]) {
    const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName: table }));
    expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(
      calls.filter((call) => call.includes(`"${table}"`) && /Protection|Recovery/.test(call)),
    ).not.toEqual([]);
  }
  const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName: versions }));
  expect(Table?.StreamSpecification?.StreamEnabled ?? false).toBe(false);
  const timeToLive = calls.filter((call) => call.includes(versions) && call.startsWith('UpdateTimeToLive'));
  expect(timeToLive[0]).toContain('"AttributeName":"expires"');
  expect(lines[0]).toBe('Restoring the data of 2026-11-21T09:00:00.000Z');
  expect(lines[1]).toBe(`customers: 1 rows in ${customers}, 1 in ${names[0]}`);
  expect(lines.at(-2)).toMatch(
    /-c adoptedTables=customers=arn:aws:dynamodb:[^,\s/]+\/[^,\s/]+,orders=[^,\s/]+\/[^,\s/]+,versions=[^,\s/]+\/[^,\s/]+$/,
  );
  expect(lines.at(-1)).toBe('Then: npm run data -- restored customers orders --environment …');
  const environment = JSON.parse(readFileSync(join(directory, 'worker.json'), 'utf8'));
  expect(environment.BUCKET).toBe(config.bucketName());
  expect(['customers', 'orders', 'members'].map((name) => tableIn(environment.TABLES, name))).toEqual([
    customers,
    orders,
    config.tableName('members'),
  ]);
});

test('without names, all tables that have a recovery are restored, to one second', async () => {
  calls.length = 0;
  const tables = tablesNamed([]);
  await restore({ ...wanted, tables, at: AT + 1000 }, () => undefined);
  const restorations = calls.filter((call) => call.startsWith('RestoreTable'));
  const all = registry.filter(({ table }) => table).map(({ name }) => name);
  expect(tables.map(({ resource }) => resource)).toEqual([...all, 'versions', 'changes', 'deliveries']);
  expect(restorations).toHaveLength(tables.length);
  for (const call of restorations) expect(call).toContain(`"RestoreDateTime":${AT / 1000 + 1}`);
  expect(() => tablesNamed(['idempotency'])).toThrow("There is no table of 'idempotency'");
});

test('an environment of an earlier release is refused before a restoration, or lacks the later tables after it', async () => {
  const whole = process.env.TABLES ?? '';
  process.env.TABLES = `customers=${config.tableName('customers')}`;
  calls.length = 0;
  try {
    await expect(restore({ ...wanted, at: AT + 3000 }, () => undefined)).rejects.toThrow(
      'The environment has no table of orders: get that of the worker again, or name the tables to restore',
    );
    expect(calls).toEqual([]);
    const lines: string[] = [];
    await restore({ ...wanted, tables: tablesNamed(['customers']), at: AT + 3000 }, (line) =>
      lines.push(line),
    );
    expect(lines.at(-1)).toBe('Then: npm run data -- restored customers --environment …');
    const { TABLES } = JSON.parse(readFileSync(join(directory, 'worker.json'), 'utf8'));
    expect(['customers', 'orders'].map((name) => tableIn(TABLES, name))).toEqual([
      expect.stringMatching(/-20261121T090003Z$/),
      undefined,
    ]);
  } finally {
    process.env.TABLES = whole;
  }
});

test('the command waits while DynamoDB is busy, at each of its steps', async () => {
  const busy = ['LimitExceededException', 'ResourceInUseException', 'ContinuousBackupsUnavailableException'];
  const tables = tablesNamed(['orders']);
  calls.length = 0;
  await restore({ ...wanted, tables, at: AT + 2000 }, () => undefined);
  const steps = calls.length;
  expect(steps).toBe(4);
  for (let step = 0; step < steps; step += 1) {
    const at = AT + 10_000 * (step + 1);
    calls.length = 0;
    // The steps before this one succeed.
    const lines: string[] = [];
    const arranged = [...Array.from({ length: step }, () => ''), ...busy];
    refusals.push(...arranged);
    await restore({ ...wanted, tables, at }, (line) => lines.push(line));
    expect(refusals).toEqual([]);
    expect(calls).toHaveLength(steps);
    expect(lines.at(-2)).toContain('adoptedTables=orders=');
  }
});

test.each([
  ['InvalidRestoreTimeException', /cannot restore .* to this time: choose one of the last 35 days/],
  ['AccessDeniedException', /DynamoDB says AccessDeniedException: no. Repeat the command/],
])('%s is refused with a sentence', async (name, sentence) => {
  refusals.push(name);
  await expect(restore({ ...wanted, at: AT - 1000 }, () => undefined)).rejects.toThrow(sentence);
});

test.each(['2026-04-31T00:00:00Z', '12/11/2026', '2026-11-21T09:00:00', '2026-11-21', ''])(
  'the command refuses the time %j',
  async (at) => {
    const ended = await data(directory, ['restore', directory, '--at', at, '--environment', 'worker.json'], {
      environment: {},
    });
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.output).toContain('a time such as 2026-11-21T09:00:00Z');
  },
);
