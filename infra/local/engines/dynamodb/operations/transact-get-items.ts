import { type CapacityMode, Consumption, readUnits } from '../capacity.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { keyOf } from '../key.ts';
import { project } from '../projection.ts';
import { readRow } from '../rows.ts';
import { type Placeholders, Scope } from '../scope.ts';
import { canonicalItem } from '../value.ts';

interface Get extends Placeholders {
  TableName?: string;
  Key?: unknown;
  ProjectionExpression?: string;
}

interface TransactGetItemsRequest {
  TransactItems?: { Get?: Get }[];
  ReturnConsumedCapacity?: CapacityMode;
}

const MAX_ENTRIES = 100;

/** Reads up to 100 items as of one moment. Source: DynamoDB API Reference "TransactGetItems". */
export const transactGetItems = operation<TransactGetItemsRequest>(
  ['TransactItems', 'ReturnConsumedCapacity'],
  (database, { TransactItems: entries = [], ReturnConsumedCapacity: mode }) => {
    if (entries.length === 0 || entries.length > MAX_ENTRIES) {
      throw invalid(
        `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${MAX_ENTRIES}`,
      );
    }
    const consumption = new Consumption('Read');
    const Responses = entries.map(({ Get: request = {} }) => {
      const table = database.tables.named(request.TableName);
      const scope = new Scope(request);
      const paths = scope.projection(request.ProjectionExpression);
      scope.finish();
      const row = readRow(database.storage, table, keyOf(table, canonicalItem(request.Key ?? {})));
      consumption.add(table, readUnits(row?.size ?? 0, 'transaction'));
      return row ? { Item: paths ? project(row.item, paths) : row.item } : {};
    });
    const report = consumption.report(mode);
    return { Responses, ...(report.length > 0 && { ConsumedCapacity: report }) };
  },
);
