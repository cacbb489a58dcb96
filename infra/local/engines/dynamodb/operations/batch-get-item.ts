import { type CapacityMode, Consumption, readUnits } from '../capacity.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { keyOf } from '../key.ts';
import { project } from '../projection.ts';
import { readRow } from '../rows.ts';
import { Scope } from '../scope.ts';
import { canonicalItem, type Item } from '../value.ts';

interface KeysAndAttributes {
  Keys?: unknown[];
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
}

interface BatchGetItemRequest {
  RequestItems?: Record<string, KeysAndAttributes>;
  ReturnConsumedCapacity?: CapacityMode;
}

const MAX_KEYS = 100;
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads up to 100 items; what does not fit into 16 MB comes back unprocessed. Source: API Reference "BatchGetItem". */
export const batchGetItem = operation<BatchGetItemRequest>(
  ['RequestItems', 'ReturnConsumedCapacity'],
  (database, { RequestItems: requested = {}, ReturnConsumedCapacity: mode }) => {
    const count = Object.values(requested).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);
    if (count === 0) throw invalid('The batch get request must contain at least one key');
    if (count > MAX_KEYS) throw invalid('Too many items requested for the BatchGetItem call');
    const consumption = new Consumption();
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, KeysAndAttributes> = {};
    let bytes = 0;
    for (const [name, request] of Object.entries(requested)) {
      const table = database.tables.named(name);
      const scope = new Scope(request);
      const paths = scope.projection(request.ProjectionExpression);
      scope.finish();
      const found: Item[] = [];
      const left: unknown[] = [];
      const seen = new Set<string>();
      for (const wire of request.Keys ?? []) {
        const key = keyOf(table, canonicalItem(wire));
        const identity = `${key.pk.toString('hex')} ${key.sk.toString('hex')}`;
        if (seen.has(identity)) throw invalid('Provided list of item keys contains duplicates');
        seen.add(identity);
        const row = readRow(database.storage, table, key);
        if (bytes + (row?.size ?? 0) > MAX_BYTES) {
          left.push(wire);
          continue;
        }
        bytes += row?.size ?? 0;
        consumption.add(table, readUnits(row?.size ?? 0, request.ConsistentRead ? 'strong' : 'eventual'));
        if (row) found.push(paths ? project(row.item, paths) : row.item);
      }
      Responses[name] = found;
      if (left.length > 0) UnprocessedKeys[name] = { ...request, Keys: left };
    }
    const report = consumption.report(mode);
    return { Responses, UnprocessedKeys, ...(report.length > 0 && { ConsumedCapacity: report }) };
  },
);
