import type { ExpressionMembers } from './expressions/expressions.ts';

/** The value of ReturnConsumedCapacity. */
export type CapacityMode = 'NONE' | 'TOTAL' | 'INDEXES' | undefined;

/** The members of requests about items. Each operation accepts some of them. */
export interface ItemRequest extends ExpressionMembers {
  TableName?: string;
  IndexName?: string;
  Item?: unknown;
  Key?: unknown;
  Limit?: number;
  ExclusiveStartKey?: object;
  ConsistentRead?: boolean;
  ScanIndexForward?: boolean;
  ReturnConsumedCapacity?: CapacityMode;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}
