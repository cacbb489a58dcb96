import { mkdirSync } from 'node:fs';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import Fastify from 'fastify';
import { openEngines } from '../../../engines/engines.ts';
import { inProcess } from '../../../engines/in-process.ts';
import { newCredentials } from '../../../engines/signature.ts';

/** A small service without this project: Fastify on the same embedded DynamoDB, with ROWS members. */
mkdirSync(process.env.DATA_DIR, { recursive: true });
const credentials = newCredentials();
const engines = openEngines({ directory: process.env.DATA_DIR, credentials });
const client = new DynamoDBClient({ requestHandler: inProcess(engines), credentials, region: 'us-east-1' });
const TableName = 'members';
await client.send(
  new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'N' },
      { AttributeName: 'all', AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_id',
        KeySchema: [
          { AttributeName: 'all', KeyType: 'HASH' },
          { AttributeName: 'id', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }),
);

const put = (id, name, age) =>
  client.send(
    new PutItemCommand({
      TableName,
      Item: { id: { N: String(id) }, all: { N: '0' }, name: { S: name }, age: { N: String(age) } },
    }),
  );
for (let id = 1; id <= Number(process.env.ROWS); id += 1) await put(id, 'Ada Byron', 36);

const app = Fastify();
app.post('/members', async ({ body }, reply) => {
  const id = Math.floor(Math.random() * 2 ** 52);
  await put(id, body.name, body.age);
  reply.code(201).header('Location', `/members/${id}`);
  return { id, ...body };
});
app.get('/members/:id', async ({ params }, reply) => {
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: { id: { N: params.id } } }));
  if (!Item) return reply.code(404).send();
  return { id: Number(Item.id.N), name: Item.name.S, age: Number(Item.age.N) };
});
app.get('/members', async () => {
  const { Items } = await client.send(
    new QueryCommand({
      TableName,
      IndexName: 'by_id',
      KeyConditionExpression: '#all = :all',
      ExpressionAttributeNames: { '#all': 'all' },
      ExpressionAttributeValues: { ':all': { N: '0' } },
      Limit: 25,
    }),
  );
  return Items.map((item) => ({ id: Number(item.id.N), name: item.name.S, age: Number(item.age.N) }));
});
console.log(`Listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
process.on('SIGTERM', () => process.exit(0));
