import { CreateTableCommand, DescribeTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { itemRows } from '../../../shared/store/items/read-items.ts';

/** Copies a table with its indexes and without its stream, as a restoration of DynamoDB to the present time does. */
export async function copy(source: string, TableName: string): Promise<void> {
  const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName: source }));
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = Table ?? {};
  await dynamoDb().send(
    new CreateTableCommand({
      TableName,
      KeySchema,
      AttributeDefinitions,
      GlobalSecondaryIndexes: GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  for await (const Item of itemRows(source)) await dynamoDb().send(new PutItemCommand({ TableName, Item }));
}
