import { invalid, notImplemented } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { Consumption, readUnits } from '../capacity.ts';
import type { DynamoDb } from '../context.ts';
import { keyOf } from '../key.ts';
import type { ItemRequest } from '../request.ts';
import { readRow } from '../rows.ts';
import { canonicalItem, type Item } from '../values/value.ts';

/** The keys to read in one table. */
interface TableKeys {
  Keys?: unknown[];
  ConsistentRead?: boolean;
}

interface BatchGetItemRequest extends Pick<ItemRequest, 'ReturnConsumedCapacity'> {
  RequestItems?: Record<string, TableKeys>;
}

const MAXIMUM_KEYS = 100;
const MAXIMUM_BYTES = 16 * 1024 * 1024;
const ACCEPTED = ['Keys', 'ConsistentRead'];

/**
 * Reads up to 100 items of several tables. Missing items are absent from the response. After 16 MB of items, the
 * response names the keys that it did not read. Source: DynamoDB API Reference "BatchGetItem".
 */
export const batchGetItem = jsonOperation(
  'RequestItems ReturnConsumedCapacity',
  ({ storage, tables }: DynamoDb, request: BatchGetItemRequest) => {
    const requested = Object.entries(request.RequestItems ?? {});
    const count = requested.reduce((sum, [, { Keys = [] }]) => sum + Keys.length, 0);
    if (requested.length === 0 || requested.some(([, { Keys = [] }]) => Keys.length === 0)) {
      throw invalid('RequestItems must have at least 1 table, and Keys at least 1 member');
    }
    if (count > MAXIMUM_KEYS) throw invalid('Too many items requested for the BatchGetItem call');
    const consumption = new Consumption();
    const responses: Record<string, Item[]> = {};
    const unprocessed: Record<string, TableKeys> = {};
    let bytes = 0;
    for (const [name, wanted] of requested) {
      const other = Object.keys(wanted).find((member) => !ACCEPTED.includes(member));
      if (other !== undefined) throw notImplemented(`BatchGetItem with ${other}`);
      const table = tables.named(name);
      const keys = (wanted.Keys ?? []).map((given) => ({ given, key: keyOf(table, canonicalItem(given)) }));
      const places = keys.map(({ key }) => JSON.stringify([key.pk, key.sk]));
      if (new Set(places).size < places.length)
        throw invalid('Provided list of item keys contains duplicates');
      const items: Item[] = [];
      responses[name] = items;
      const left: unknown[] = [];
      for (const { given, key } of keys) {
        const row = readRow(storage, table, key);
        if (bytes + (row?.size ?? 0) > MAXIMUM_BYTES) {
          left.push(given);
          continue;
        }
        bytes += row?.size ?? 0;
        consumption.add(table, readUnits(row?.size ?? 0, wanted.ConsistentRead));
        if (row) items.push(row.item);
      }
      if (left.length > 0) unprocessed[name] = { ...wanted, Keys: left };
    }
    const report = consumption.report(request.ReturnConsumedCapacity);
    return {
      Responses: responses,
      UnprocessedKeys: unprocessed,
      ...(report.length > 0 && { ConsumedCapacity: report }),
    };
  },
);
