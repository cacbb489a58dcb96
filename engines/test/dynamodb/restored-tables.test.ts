import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  PutItemCommand,
  QueryCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openEngines } from '../../engines.ts';
import { CREDENTIALS, embeddedClients } from '../clients.ts';

const MINUTE = 60_000;
let now = Date.UTC(2026, 10, 28, 9);
const directory = mkdtempSync(join(tmpdir(), 'engines-'));
const engines = openEngines({ directory, credentials: CREDENTIALS, now: () => now });
const { dynamodb: db } = embeddedClients(engines);
afterAll(async () => {
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});

const item = (id: string, rank: number) => ({ id: { S: id }, kind: { S: 'k' }, rank: { N: String(rank) } });
const write = (TableName: string, id: string, rank: number) =>
  db.send(new PutItemCommand({ TableName, Item: item(id, rank) }));
const restored = (source: string, target: string, at: number) =>
  db.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: source,
      TargetTableName: target,
      RestoreDateTime: new Date(at),
    }),
  );
const itemsIn = async (TableName: string) =>
  ((await db.send(new ScanCommand({ TableName }))).Items ?? [])
    .map(({ id, rank }) => `${id?.S} ${rank?.N}`)
    .sort();

const created = now;
let moment = 0;
beforeAll(async () => {
  for (const [TableName, StreamEnabled] of [
    ['streamed', true],
    ['silent', false],
  ] as const)
    await db.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['id', 'kind'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byKind',
            KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        ...(StreamEnabled && {
          StreamSpecification: { StreamEnabled, StreamViewType: 'NEW_AND_OLD_IMAGES' },
        }),
      }),
    );
  for (const table of ['streamed', 'silent']) for (const id of ['a', 'b']) await write(table, id, 1);
  now += MINUTE;
  moment = now;
  now += MINUTE;
  for (const table of ['streamed', 'silent']) {
    await write(table, 'a', 2);
    await write(table, 'a', 3);
    await write(table, 'c', 1);
    await write(table, 'b', 2);
    await db.send(new DeleteItemCommand({ TableName: table, Key: { id: { S: 'b' } } }));
  }
});

test('a table comes back as it was, with its indexes, and the source stays', async () => {
  await restored('streamed', 'streamed-then', moment);
  expect(await itemsIn('streamed-then')).toEqual(['a 1', 'b 1']);
  expect(await itemsIn('streamed')).toEqual(['a 3', 'c 1']);
  const { Items = [] } = await db.send(
    new QueryCommand({
      TableName: 'streamed-then',
      IndexName: 'byKind',
      KeyConditionExpression: 'kind = :kind',
      ExpressionAttributeValues: { ':kind': { S: 'k' } },
    }),
  );
  expect(Items.map(({ id }) => id?.S).sort()).toEqual(['a', 'b']);
});

test('a restored table has no stream, and takes one, protection and recovery', async () => {
  const TableName = 'streamed-now';
  await restored('streamed', TableName, now);
  expect(await itemsIn(TableName)).toEqual(['a 3', 'c 1']);
  const facts = async () => (await db.send(new DescribeTableCommand({ TableName }))).Table;
  expect(await facts()).toMatchObject({ DeletionProtectionEnabled: false });
  expect(await facts()).not.toHaveProperty('LatestStreamArn');
  await db.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  await db.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  expect(await facts()).toMatchObject({ DeletionProtectionEnabled: true, StreamSpecification });
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  expect(
    await db.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification })),
  ).toMatchObject({ ContinuousBackupsDescription: { ContinuousBackupsStatus: 'ENABLED' } });
});

test('a time before the changes that the stream keeps is refused', async () => {
  const then = now;
  now += 25 * 60 * MINUTE;
  await expect(restored('streamed', 'streamed-old', then)).rejects.toMatchObject({
    name: 'InvalidRestoreTimeException',
  });
  now = then;
});

test('a table without a stream comes back with its present items', async () => {
  await restored('silent', 'silent-then', moment);
  expect(await itemsIn('silent-then')).toEqual(['a 3', 'c 1']);
});

test.each([
  ['streamed', 'later', () => now + MINUTE, 'InvalidRestoreTimeException'],
  ['streamed', 'earlier', () => created - MINUTE, 'InvalidRestoreTimeException'],
  ['streamed', 'silent', () => moment, 'TableAlreadyExistsException'],
  ['none', 'other', () => moment, 'ResourceNotFoundException'],
])('refuses to restore %s as %s', async (source, target, at, name) => {
  await expect(restored(source, target, at())).rejects.toMatchObject({ name });
});
