import type { Storage } from '../storage.ts';
import type { RequestTokens } from './request-tokens.ts';
import type { Changes } from './streams/changes.ts';
import type { Tables } from './tables/tables.ts';

/** The context of every DynamoDB operation. */
export interface DynamoDb {
  storage: Storage;
  tables: Tables;
  changes: Changes;
  tokens: RequestTokens;
}
