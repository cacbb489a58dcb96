import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import { dynamoDb } from '../../../shared/aws/clients.ts';
import { connect } from './sdk.mjs';

/** Middy with the same client: one GetItem and one JSON.stringify. */
connect();
export const handler = middy().handler(async ({ pathParameters }) => {
  const { Item } = await dynamoDb().send(
    new GetItemCommand({ TableName: 'members', Key: { id: { N: pathParameters.id } } }),
  );
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(Item) };
});
