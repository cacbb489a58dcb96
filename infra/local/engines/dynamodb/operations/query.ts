import type { Condition } from '../condition.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { parts } from '../key.ts';
import { keyRange } from '../key-condition.ts';
import type { Operand } from '../operand.ts';
import { type PageRequest, readPage, sourceOf } from '../page.ts';
import { Scope } from '../scope.ts';
import type { KeyShape } from '../tables.ts';

interface QueryRequest extends PageRequest {
  KeyConditionExpression?: string;
  ScanIndexForward?: boolean;
}

/** Reads a page of one partition in key order. Source: DynamoDB API Reference "Query". */
export const query = operation<QueryRequest>(
  [
    'TableName',
    'IndexName',
    'KeyConditionExpression',
    'FilterExpression',
    'ProjectionExpression',
    'ExpressionAttributeNames',
    'ExpressionAttributeValues',
    'Select',
    'Limit',
    'ExclusiveStartKey',
    'ConsistentRead',
    'ScanIndexForward',
    'ReturnConsumedCapacity',
  ],
  (database, request) => {
    const { table, index } = sourceOf(database, request);
    const scope = new Scope(request);
    const condition = scope.condition('KeyConditionExpression', request.KeyConditionExpression);
    if (!condition) {
      throw invalid(
        'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
      );
    }
    const filter = scope.condition('FilterExpression', request.FilterExpression);
    const paths = scope.projection(request.ProjectionExpression);
    scope.finish();
    if (filter) refuseKeys(filter, scope, index ?? table);
    const range = keyRange(condition, scope, index ?? table);
    const forward = request.ScanIndexForward !== false;
    return readPage(database, request, { table, index, range, forward, filter, paths, scope });
  },
);

/** A filter on the queried key would silently read more than it has to; DynamoDB refuses it. */
function refuseKeys(filter: Condition, scope: Scope, shape: KeyShape): void {
  const names = new Set(parts(shape).map(({ name }) => name));
  for (const operand of operands(filter)) {
    const first = 'path' in operand ? scope.path(operand.path)[0] : undefined;
    if (typeof first === 'string' && names.has(first)) {
      throw invalid(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${first}`,
      );
    }
  }
}

function operands(condition: Condition): Operand[] {
  switch (condition.is) {
    case 'and':
    case 'or':
      return [...operands(condition.left), ...operands(condition.right)];
    case 'not':
      return operands(condition.condition);
    case 'compare':
      return [condition.left, condition.right];
    case 'between':
      return [condition.operand, condition.low, condition.high];
    case 'in':
      return [condition.operand, ...condition.candidates];
    case 'exists':
      return [{ path: condition.path }];
    default:
      return [condition.subject, condition.operand];
  }
}
