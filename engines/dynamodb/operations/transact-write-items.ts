import { randomUUID } from 'node:crypto';
import { Fault, invalid } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { Consumption } from '../capacity.ts';
import type { DynamoDb } from '../context.ts';
import type { ItemRequest } from '../request.ts';
import { apply, isWriteKind, plan, type Write } from '../write.ts';

interface TransactWriteItemsRequest extends Pick<ItemRequest, 'ReturnConsumedCapacity'> {
  TransactItems?: Record<string, ItemRequest>[];
  ClientRequestToken?: string;
}

const MAXIMUM_ENTRIES = 100;
const MAXIMUM_BYTES = 4 * 1024 * 1024;

/**
 * Writes up to 100 items, all or none. Every condition sees the state before the transaction. A repeat with the same
 * client request token writes nothing again.
 * @throws TransactionCanceledException with one reason per entry, in order
 *
 * Source: DynamoDB API Reference "TransactWriteItems".
 */
export const transactWriteItems = jsonOperation(
  'TransactItems ReturnConsumedCapacity ClientRequestToken',
  (database: DynamoDb, request: TransactWriteItemsRequest) => {
    const {
      TransactItems: entries = [],
      ReturnConsumedCapacity: mode,
      ClientRequestToken: token = randomUUID(),
    } = request;
    const isCount = entries.length > 0 && entries.length <= MAXIMUM_ENTRIES;
    if (!isCount) throw invalid(`TransactItems must have 1 to ${MAXIMUM_ENTRIES} members`);
    const consumption = new Consumption();
    database.tokens.apply(token, entries, database.storage.now(), () =>
      database.storage.transaction(() => {
        const writes = entries.map((entry) => planEntry(database, entry));
        refuseRepeats(writes);
        refuseUnmet(writes);
        const bytes = writes.reduce(
          (sum, { old, next }) => sum + Math.max(old?.size ?? 0, next?.size ?? 0),
          0,
        );
        if (bytes > MAXIMUM_BYTES) throw invalid('Transaction request cannot include more than 4 MB of data');
        for (const write of writes) apply(database, write, consumption, 2);
      }),
    );
    const report = consumption.report(mode);
    return report.length > 0 ? { ConsumedCapacity: report } : {};
  },
);

function planEntry(database: DynamoDb, entry: Record<string, ItemRequest>): Write {
  const [[kind, request] = [], ...more] = Object.entries(entry);
  if (!isWriteKind(kind) || !request || more.length > 0) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  if (kind === 'ConditionCheck' && request.ConditionExpression === undefined) {
    throw invalid('The ConditionExpression parameter is required in a ConditionCheck');
  }
  return plan(database, kind, request);
}

function refuseRepeats(writes: readonly Write[]): void {
  const places = writes.map(({ table, key }) => JSON.stringify([table.id, key.pk, key.sk]));
  if (new Set(places).size === places.length) return;
  throw invalid('Transaction request cannot include multiple operations on one item');
}

function refuseUnmet(writes: readonly Write[]): void {
  if (writes.every(({ failed }) => !failed)) return;
  const failure = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
  const reasons = writes.map(({ failed }) => (failed ? { ...failure, ...failed } : { Code: 'None' }));
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  throw new Fault('TransactionCanceledException', message, 400, { CancellationReasons: reasons });
}
