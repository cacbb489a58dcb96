import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteItemCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { readRecords } from '../../dynamodb/streams/get-records.ts';
import { openEngines } from '../../engines.ts';
import { CREDENTIALS, embeddedClients } from '../clients.ts';

test('the stream names the service itself as the actor of a removal by time to live', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'engines-'));
  const opened = () => openEngines({ directory, credentials: CREDENTIALS });
  const engines = opened();
  const { dynamodb: db } = embeddedClients(engines);
  const TableName = 'expiring';
  const { TableDescription } = await db.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  const TimeToLiveSpecification = { AttributeName: 'end', Enabled: true };
  await db.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  for (const pk of ['by hand', 'by time'])
    await db.send(new PutItemCommand({ TableName, Item: { pk: { S: pk }, end: { N: '1000' } } }));
  await db.send(new DeleteItemCommand({ TableName, Key: { pk: { S: 'by hand' } } }));
  await engines.close();

  const again = opened();
  const records = readRecords(again.dynamoDb, TableDescription?.LatestStreamArn as string, 0, 100);
  const userIdentity = { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' };
  expect(records.slice(2)).toMatchObject([
    { eventName: 'REMOVE', dynamodb: { Keys: { pk: { S: 'by hand' } } } },
    { eventName: 'REMOVE', dynamodb: { OldImage: { pk: { S: 'by time' } } }, userIdentity },
  ]);
  expect(records[2]).not.toHaveProperty('userIdentity');
  await again.close();
  rmSync(directory, { recursive: true, force: true });
});
