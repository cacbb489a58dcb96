import {
  type AttributeValue,
  CreateTableCommand,
  DeleteTableCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from '@jest/globals';
import { openClients, REAL, unique } from '../../clients.ts';

const clients = openClients();
export const db = clients.dynamodb;
export const TableName = unique('contract');
export const S = (text: string): AttributeValue => ({ S: text });
export const N = (text: string | number): AttributeValue => ({ N: String(text) });

export const put = (Item: Record<string, AttributeValue>) => db.send(new PutItemCommand({ TableName, Item }));
export const get = async (pk: string, sk: number | string = 0) =>
  (await db.send(new GetItemCommand({ TableName, Key: { pk: S(pk), sk: N(sk) }, ConsistentRead: true })))
    .Item;
export const query = (input: Partial<QueryCommandInput>) =>
  db.send(new QueryCommand({ TableName, ...input }));
export const update = (pk: string, input: Partial<UpdateItemCommandInput>) =>
  db.send(
    new UpdateItemCommand({ TableName, Key: { pk: S(pk), sk: N(0) }, ReturnValues: 'ALL_NEW', ...input }),
  );

/** Creates the table before the tests of a file, and closes its clients after them. */
export function withTable(): void {
  beforeAll(async () => {
    await db.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'N' },
          { AttributeName: 'kind', AttributeType: 'S' },
          { AttributeName: 'rank', AttributeType: 'N' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byKind',
            KeySchema: [
              { AttributeName: 'kind', KeyType: 'HASH' },
              { AttributeName: 'rank', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    );
    await waitUntilTableExists({ client: db, maxWaitTime: 60 }, { TableName });
  });
  afterAll(async () => {
    if (REAL.dynamodb) await db.send(new DeleteTableCommand({ TableName }));
    await clients.close();
  });
}
