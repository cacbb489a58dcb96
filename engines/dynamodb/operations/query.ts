import { invalid } from '../../fault.ts';
import { JsonText, jsonOperation } from '../../json-protocol.ts';
import { Consumption, readUnits } from '../capacity.ts';
import type { DynamoDb } from '../context.ts';
import { type Condition, parseCondition } from '../expressions/condition.ts';
import { Expressions } from '../expressions/expressions.ts';
import { parseKeyCondition } from '../expressions/key-condition.ts';
import type { Tokens } from '../expressions/tokens.ts';
import { readPage, startOf } from '../page.ts';
import type { ItemRequest } from '../request.ts';
import type { KeyShape } from '../tables/table.ts';
import { shownDoc } from '../values/value.ts';

const EXPRESSIONS =
  'KeyConditionExpression FilterExpression ProjectionExpression ExpressionAttributeNames ExpressionAttributeValues';

/** Reads a page of one partition in key order. Source: DynamoDB API Reference "Query". */
export const query = jsonOperation(
  `TableName IndexName ${EXPRESSIONS} Limit ExclusiveStartKey ConsistentRead ScanIndexForward ReturnConsumedCapacity`,
  ({ storage, tables }: DynamoDb, request: ItemRequest) => {
    const { IndexName: name, Limit: limit = Number.POSITIVE_INFINITY, ConsistentRead: consistent } = request;
    const table = tables.named(request.TableName);
    const index = table.indexes.find((each) => each.name === name);
    if (name !== undefined && !index) throw invalid(`The table does not have the specified index: ${name}`);
    if (index && consistent) throw invalid('Consistent reads are not supported on global secondary indexes');
    if (!(limit >= 1)) throw invalid("Value at 'limit' must be greater than or equal to 1");

    const { key } = index ?? table;
    const expressions = new Expressions(request);
    const range = expressions.read('KeyConditionExpression', (tokens) => parseKeyCondition(tokens, key));
    if (!range) throw invalid('KeyConditionExpression must be specified in the request.');
    const filter = expressions.read('FilterExpression', (tokens) => parseFilter(tokens, key));
    const names = expressions.projection();
    expressions.finish();

    const start = request.ExclusiveStartKey && startOf(request.ExclusiveStartKey, range, table, index);
    const forward = request.ScanIndexForward !== false;
    const page = readPage(storage, { table, index, range, forward, filter, limit, start });
    const consumption = new Consumption();
    consumption.add(table, readUnits(page.bytes, consistent), index);
    return new JsonText('Items', `[${page.docs.map((doc) => shownDoc(doc, names)).join()}]`, {
      Count: page.docs.length,
      ScannedCount: page.scanned,
      ...(page.last && { LastEvaluatedKey: page.last }),
      ...consumption.of(request.ReturnConsumedCapacity),
    });
  },
);

/** DynamoDB refuses a filter on the queried key, because it would read more rows than necessary. */
function parseFilter(tokens: Tokens, key: KeyShape): Condition {
  const filter = parseCondition(tokens);
  const part = key.find(({ name }) => tokens.attributes.has(name));
  if (!part) return filter;
  throw invalid(`Filter Expression can only contain non-primary key attributes: ${part.name}`);
}
