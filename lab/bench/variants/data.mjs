import { GetItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { attributes } from './member.mjs';

/**
 * Makes `send` of the service's own DynamoDB client return at once: the data layer of both variants. Hono uses it without
 * the store of the service: it sends a command and converts the attributes to an object.
 */
export function stub() {
  process.env.TABLES = 'members=members';
  configureClients({ region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } });
  dynamoDb().send = async ({ input }) => {
    if (input.KeyConditionExpression) {
      const Items = Array.from({ length: 7 }, (_, at) => attributes(at * 4 + 1));
      return { Items, ScannedCount: Items.length };
    }
    return input.UpdateExpression ? { Attributes: attributes(7) } : { Item: attributes(7) };
  };
}

const plain = (item) =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name]) => !name.startsWith('_'))
      .map(([name, value]) => [name, value.N === undefined ? value.S : Number(value.N)]),
  );

const TableName = 'members';

export async function read(id) {
  const { Item } = await dynamoDb().send(new GetItemCommand({ TableName, Key: { id: { N: String(id) } } }));
  return Item && plain(Item);
}

export async function list() {
  const pages = await Promise.all(
    [0, 1, 2, 3].map((shard) =>
      dynamoDb().send(
        new QueryCommand({
          TableName,
          IndexName: 'by_id',
          KeyConditionExpression: '#s = :s',
          ExpressionAttributeNames: { '#s': '_shard' },
          ExpressionAttributeValues: { ':s': { N: String(shard) } },
        }),
      ),
    ),
  );
  const items = pages.flatMap(({ Items }) => Items.map(plain));
  return items.sort((a, b) => a.id - b.id).slice(0, 25);
}

export async function patch(id, version, change) {
  const current = await read(id);
  const { Attributes } = await dynamoDb().send(
    new UpdateItemCommand({
      TableName,
      Key: { id: { N: String(id) } },
      UpdateExpression: 'SET #n = :n',
      ConditionExpression: '#v = :v',
      ExpressionAttributeNames: { '#n': 'name', '#v': '_version' },
      ExpressionAttributeValues: {
        ':n': { S: { ...current, ...change }.name },
        ':v': { N: String(version) },
      },
    }),
  );
  return plain(Attributes);
}
