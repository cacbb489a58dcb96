import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config, tableIn } from '../../../shared/aws/config.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { restore } from '../../../tools/data/restore/restore.ts';
import { rows } from '../../../tools/data/rows.ts';
import { attached, resourceOf } from '../../engines/attached.ts';

const AT = Date.UTC(2026, 10, 21, 9, 0, 0);
const PREFIX = 'DynamoDB_20120810.';

/** The calls that only AWS knows, and the refusal of the next restoration. */
const calls: string[] = [];
let refusal: string | undefined;

/** Imitates the operations of AWS that the embedded engine lacks. A restored table has no stream. */
attached(async (call, pass) => {
  const [{ headers, body }] = call;
  const target = headers['x-amz-target'] ?? '';
  if (!target.startsWith(PREFIX)) return pass(...call);
  const operation = target.slice(PREFIX.length);
  const input = JSON.parse(new TextDecoder().decode(body as Uint8Array));
  const isProtection = 'DeletionProtectionEnabled' in input;
  if (!['RestoreTableToPointInTime', 'UpdateContinuousBackups'].includes(operation) && !isProtection)
    return pass(...call);
  if (refusal !== undefined) return answer(400, { __type: refusal, message: 'no' });
  calls.push(`${operation} ${JSON.stringify(input)}`);
  if (operation === 'RestoreTableToPointInTime') await copy(input.SourceTableName, input.TargetTableName);
  return answer(200, {});
});

const answer = (statusCode: number, json: object) => ({
  response: { statusCode, headers: {}, body: Buffer.from(JSON.stringify(json)) },
});

async function copy(source: string, TableName: string): Promise<void> {
  const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName: source }));
  const { AttributeDefinitions, KeySchema } = Table ?? {};
  const keys = AttributeDefinitions?.filter(({ AttributeName }) =>
    KeySchema?.some((key) => key.AttributeName === AttributeName),
  );
  const BillingMode = 'PAY_PER_REQUEST';
  await dynamoDb().send(
    new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions: keys, BillingMode }),
  );
  for await (const Item of rows(source)) await dynamoDb().send(new PutItemCommand({ TableName, Item }));
}

const directory = mkdtempSync(join(tmpdir(), 'resource-api-restore-'));
afterAll(() => rmSync(directory, { recursive: true }));

const wanted = { directory, resources: ['customers', 'orders'].map(resourceOf), at: AT, pause: 1 };

test('restored tables have the items of one second, a stream, protection and recovery', async () => {
  const item = { id: 7, version: 1, createdAt: 0, updatedAt: 0, values: { name: 'Acme' }, internal: {} };
  await itemsOf(resourceOf('customers'), SERVICE).insert(item);
  const lines: string[] = [];
  await restore(wanted, (line) => lines.push(line));
  await restore(wanted, () => undefined);

  const names = wanted.resources.map(({ name }) => config.tableName(name));
  const [customers = '', orders = ''] = names.map((name) => `${name}-20261121T090000Z`);
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
  expect(lines[0]).toBe(`customers: 1 items in ${customers}, 1 in ${names[0]}`);
  expect(lines.at(-1)).toMatch(
    /-c adoptedTables=customers=arn:aws:dynamodb:\S+\/stream\/[^,\s]+,orders=arn:aws:dynamodb:\S+\/stream\/\S+$/,
  );
  const environment = JSON.parse(readFileSync(join(directory, 'worker.json'), 'utf8'));
  expect(environment.BUCKET).toBe(config.bucketName());
  expect(['customers', 'orders', 'members'].map((name) => tableIn(environment.TABLES, name))).toEqual([
    customers,
    orders,
    config.tableName('members'),
  ]);
});

test('a time that DynamoDB cannot restore is refused with a sentence', async () => {
  refusal = 'com.amazonaws.dynamodb.v20120810#InvalidRestoreTimeException';
  await expect(restore({ ...wanted, at: AT - 1000 }, () => undefined)).rejects.toThrow(
    /cannot restore .* to this time: choose one of the last 35 days/,
  );
});
