import { operation } from '../dynamodb.ts';
import { type PageRequest, readPage, sourceOf } from '../page.ts';
import { Scope } from '../scope.ts';

/** Reads a page of a whole table or index. Source: DynamoDB API Reference "Scan". */
export const scan = operation<PageRequest>(
  [
    'TableName',
    'IndexName',
    'FilterExpression',
    'ProjectionExpression',
    'ExpressionAttributeNames',
    'ExpressionAttributeValues',
    'Select',
    'Limit',
    'ExclusiveStartKey',
    'ConsistentRead',
    'ReturnConsumedCapacity',
  ],
  (database, request) => {
    const { table, index } = sourceOf(database, request);
    const scope = new Scope(request);
    const filter = scope.condition('FilterExpression', request.FilterExpression);
    const paths = scope.projection(request.ProjectionExpression);
    scope.finish();
    return readPage(database, request, { table, index, forward: true, filter, paths, scope });
  },
);
