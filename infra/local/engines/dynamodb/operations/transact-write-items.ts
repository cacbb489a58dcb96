import { Fault } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { type CapacityMode, Consumption } from '../capacity.ts';
import { invalid } from '../faults.ts';
import type { DynamoDb } from '../tables.ts';
import {
  apply,
  failedItem,
  planCheck,
  planDelete,
  planPut,
  planUpdate,
  type Write,
  type WriteRequest,
} from '../write.ts';

type Entry = { [Kind in keyof typeof PLANS]?: WriteRequest };

interface TransactWriteItemsRequest {
  TransactItems?: Entry[];
  ReturnConsumedCapacity?: CapacityMode;
}

const MAX_ENTRIES = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const PLANS = { Put: planPut, Update: planUpdate, Delete: planDelete, ConditionCheck: planCheck };

/**
 * Writes up to 100 items, all or none. Every condition sees the state before the transaction. The SDK sends a
 * ClientRequestToken always; it has no effect here.
 *
 * Source: DynamoDB API Reference "TransactWriteItems".
 * @throws TransactionCanceledException with one reason per entry, in order
 */
export const transactWriteItems = jsonOperation(
  'TransactItems ReturnConsumedCapacity ClientRequestToken',
  (
    database: DynamoDb,
    { TransactItems: entries = [], ReturnConsumedCapacity: mode }: TransactWriteItemsRequest,
  ) => {
    if (entries.length === 0 || entries.length > MAX_ENTRIES) {
      throw invalid(`TransactItems must have 1 to ${MAX_ENTRIES} members`);
    }
    const consumption = new Consumption();
    database.storage.transaction(() => {
      const planned = entries.map((entry) => planEntry(database, entry));
      const writes = planned.map(({ write }) => write);
      refuseRepeats(writes);
      refuseUnmet(planned.map(({ reason }) => reason));
      const bytes = writes.reduce((sum, { old, next }) => sum + Math.max(old?.size ?? 0, next?.size ?? 0), 0);
      if (bytes > MAX_BYTES) throw invalid('Transaction request cannot include more than 4 MB of data');
      for (const write of writes) apply(database, write, consumption, 2);
    });
    const report = consumption.report(mode);
    return report.length > 0 ? { ConsumedCapacity: report } : {};
  },
);

function planEntry(database: DynamoDb, entry: Entry): { write: Write; reason: { Code: string } } {
  const [kind, ...more] = Object.keys(entry) as (keyof Entry)[];
  const request = kind && entry[kind];
  if (!request || more.length > 0 || !Object.hasOwn(PLANS, kind)) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  if (kind === 'ConditionCheck' && request.ConditionExpression === undefined) {
    throw invalid('The ConditionExpression parameter is required in a ConditionCheck');
  }
  const write = PLANS[kind](database, request);
  if (write.allowed) return { write, reason: { Code: 'None' } };
  const failure = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
  return { write, reason: { ...failure, ...failedItem(write, request) } };
}

function refuseUnmet(reasons: readonly { Code: string }[]): void {
  const codes = reasons.map(({ Code }) => Code);
  if (codes.every((code) => code === 'None')) return;
  throw new Fault(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    400,
    { CancellationReasons: reasons },
  );
}

function refuseRepeats(writes: readonly Write[]): void {
  const keys = writes.map(({ table, key }) =>
    [table.id, key.pk.toString('hex'), key.sk.toString('hex')].join(' '),
  );
  if (new Set(keys).size < keys.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
}
