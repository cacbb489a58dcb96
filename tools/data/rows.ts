import { ScanCommand } from '#dynamodb';
import { dynamoDb } from '../../shared/aws/clients.ts';
import type { Attributes } from '../../shared/store/items/attributes.ts';

/** Yields all items of a table, page by page, each as last written. */
export async function* rows(TableName: string): AsyncGenerator<Attributes> {
  let ExclusiveStartKey: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamoDb().send(
      new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }),
    );
    yield* Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}
