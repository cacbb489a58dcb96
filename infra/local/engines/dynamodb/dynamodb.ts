import type { JsonOperation } from '../json-protocol.ts';
import { jsonOperation } from '../json-protocol.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from './tables.ts';

/** What every DynamoDB operation works on. `clock` in milliseconds since 1970. */
export interface DynamoDb {
  storage: Storage;
  tables: Tables;
  clock: () => number;
}

/** A DynamoDB operation that accepts exactly the named members. */
export function operation<Request extends object>(
  accepts: readonly (keyof Request & string)[],
  run: (database: DynamoDb, request: Request) => object,
): JsonOperation<DynamoDb> {
  return jsonOperation<DynamoDb, Request>(accepts, run);
}
