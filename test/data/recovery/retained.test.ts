import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { tablesOf } from '../../../service/derived/tables.ts';
import { registry } from '../../../service/registry.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { reportRetained } from '../../../tools/data/restore/retained.ts';
import { attached } from '../../engines/attached.ts';

/** The tables and buckets of the account, which the embedded engines do not list. */
const tables: string[] = [];
const buckets: string[] = [];
attached(async (call, pass) => {
  const [{ headers, method, path, query }] = call;
  const answer = (body: string) => ({ response: { statusCode: 200, headers: {}, body: Buffer.from(body) } });
  if (headers['x-amz-target']?.endsWith('.ListTables')) return answer(JSON.stringify({ TableNames: tables }));
  if (method === 'GET' && path === '/' && query?.['x-id'] === 'ListBuckets') {
    const all = buckets.map((name) => `<Bucket><Name>${name}</Name></Bucket>`).join('');
    return answer(`<ListAllMyBucketsResult><Buckets>${all}</Buckets></ListAllMyBucketsResult>`);
  }
  return pass(...call);
});

/** Creates a table with the name that CloudFormation would give it. */
async function created(TableName: string): Promise<string> {
  const KeySchema = [{ AttributeName: 'id', KeyType: 'HASH' as const }];
  const AttributeDefinitions = [{ AttributeName: 'id', AttributeType: 'N' as const }];
  const input = { TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' as const };
  tables.push(TableName);
  const { TableDescription } = await dynamoDb().send(new CreateTableCommand(input));
  return TableDescription?.TableArn ?? '';
}

const PREFIX = 'shop-tables';
const physical = (name: string, at: string) => `${PREFIX}${name}5ECFC4E7-${at}`;
beforeAll(async () => {
  const names = tablesOf(registry).map(({ resource }) => `${resource}=*5ECFC4E7-NOW`);
  process.env.TABLES = [`*=${PREFIX}`, ...names].join(' ');
  process.env.BUCKET = 'shop-objects7623fc4f-now';
  for (const name of ['customers', 'orders']) await created(physical(name, 'NOW'));
  buckets.push(process.env.BUCKET, 'another');
});

const reported = async () => {
  const lines: string[] = [];
  return { number: await reportRetained((line) => lines.push(line)), lines };
};

test('a stack that uses all its tables has retained none', async () => {
  expect(await reported()).toEqual({ number: 0, lines: [] });
});

test('tables and buckets with the prefix of the stack that its functions do not use are named, and how to adopt them', async () => {
  const parcels = await created(physical('parcels', 'OLD'));
  const orders = await created(physical('orders', 'OLD'));
  await created('other-tablesparcels5ECFC4E7-OLD');
  await created(`${physical('orders', 'OLD')}-20261121T090000Z`);
  buckets.push('shop-objects7623fc4f-old');
  const { number, lines } = await reported();
  expect(number).toBe(3);
  expect(lines).toContainEqual(
    expect.stringContaining(`parcels: ${physical('parcels', 'OLD')}, about 0 rows`),
  );
  expect(lines).toContain('A bucket: shop-objects7623fc4f-old');
  expect(lines.at(-1)).toMatch(/^To use the fullest: -c adoptedTables=/);
  for (const one of [`parcels=${parcels}`, `orders=${orders}`]) expect(lines.at(-1)).toContain(one);
});

test('names without a prefix are refused with a sentence', async () => {
  process.env.TABLES = 'orders=orders';
  await expect(reported()).rejects.toThrow('needs the environment of a worker');
});
