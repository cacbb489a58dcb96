import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';

/** Middy with the SDK as it comes: one GetItem and one JSON.stringify. */
const client = new DynamoDBClient({});
export const handler = middy().handler(async ({ pathParameters }) => {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: 'members', Key: { id: { N: pathParameters.id } } }),
  );
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(Item) };
});
