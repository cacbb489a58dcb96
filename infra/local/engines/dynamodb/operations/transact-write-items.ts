import { Fault } from '../../fault.ts';
import { type CapacityMode, Consumption, readUnits } from '../capacity.ts';
import { type DynamoDb, operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';
import { remember, replayed } from '../transaction-token.ts';
import {
  apply,
  planCheck,
  planDelete,
  planPut,
  planUpdate,
  type Write,
  type WriteRequest,
} from '../write.ts';

type Entry = {
  [Kind in 'Put' | 'Update' | 'Delete' | 'ConditionCheck']?: WriteRequest & { Item?: unknown; Key?: unknown };
};

interface TransactWriteItemsRequest {
  TransactItems?: Entry[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: CapacityMode;
  ReturnItemCollectionMetrics?: string;
}

interface Planned {
  write?: Write;
  reason: { Code: string; Message?: string; Item?: unknown };
}

const MAX_ENTRIES = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const PLANS = { Put: planPut, Update: planUpdate, Delete: planDelete, ConditionCheck: planCheck };

/**
 * Writes up to 100 items, all or none. Every condition sees the state before the transaction.
 *
 * Source: DynamoDB API Reference "TransactWriteItems".
 * @throws TransactionCanceledException with one reason per entry, in order
 */
export const transactWriteItems = operation<TransactWriteItemsRequest>(
  ['TransactItems', 'ClientRequestToken', 'ReturnConsumedCapacity', 'ReturnItemCollectionMetrics'],
  (database, { TransactItems: entries = [], ClientRequestToken: token, ReturnConsumedCapacity: mode }) => {
    if (entries.length === 0 || entries.length > MAX_ENTRIES) {
      throw invalid(
        `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${MAX_ENTRIES}`,
      );
    }
    const consumption = database.storage.transaction(() => {
      const reads = token ? replayed(database, token, entries) : undefined;
      return reads ? replay(database, reads) : write(database, entries, token);
    });
    const report = consumption.report(mode);
    return report.length > 0 ? { ConsumedCapacity: report } : {};
  },
);

function write(database: DynamoDb, entries: Entry[], token: string | undefined): Consumption {
  const planned = entries.map((entry) => planEntry(database, entry));
  const writes = planned.flatMap((each) => each.write ?? []);
  refuseRepeats(writes);
  if (planned.some(({ reason }) => reason.Code !== 'None')) {
    const reasons = planned.map(({ reason }) => reason);
    const codes = reasons.map(({ Code }) => Code).join(', ');
    throw new Fault(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
      400,
      { CancellationReasons: reasons },
    );
  }
  const bytes = writes.reduce((sum, { old, next }) => sum + Math.max(old?.size ?? 0, next?.size ?? 0), 0);
  if (bytes > MAX_BYTES) throw invalid('Transaction request cannot include more than 4 MB of data');
  const consumption = new Consumption('Write');
  const reads: Record<string, number> = Object.create(null);
  for (const each of writes) {
    apply(database, each, consumption, 2);
    const name = each.table.name;
    reads[name] = (reads[name] ?? 0) + readUnits(each.next?.size ?? 0, 'transaction');
  }
  if (token) remember(database, token, entries, reads);
  return consumption;
}

function planEntry(database: DynamoDb, entry: Entry): Planned {
  const [kind, ...more] = Object.keys(entry) as (keyof Entry)[];
  const request = kind && entry[kind];
  if (!kind || !request || more.length > 0 || !Object.hasOwn(PLANS, kind)) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  if (kind === 'ConditionCheck' && request.ConditionExpression === undefined) {
    throw invalid('The ConditionExpression parameter is required in a ConditionCheck');
  }
  const planned = PLANS[kind](database, request);
  if (planned.allowed) return { write: planned, reason: { Code: 'None' } };
  const item = request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? planned.old?.item : undefined;
  return {
    write: planned,
    reason: {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      ...(item && { Item: item }),
    },
  };
}

function refuseRepeats(writes: Write[]): void {
  const keys = writes.map(
    ({ table, key }) => `${table.id} ${key.pk.toString('hex')} ${key.sk.toString('hex')}`,
  );
  if (new Set(keys).size < keys.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
}

function replay(database: DynamoDb, reads: Record<string, number>): Consumption {
  const consumption = new Consumption('Read');
  for (const [name, units] of Object.entries(reads)) {
    const table = database.tables.find(name);
    if (table) consumption.add(table, units);
  }
  return consumption;
}
