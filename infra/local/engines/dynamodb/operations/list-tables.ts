import { operation } from '../dynamodb.ts';

interface ListTablesRequest {
  ExclusiveStartTableName?: string;
  Limit?: number;
}

/** Lists table names in order, at most 100 a page. Source: DynamoDB API Reference "ListTables". */
export const listTables = operation<ListTablesRequest>(
  ['ExclusiveStartTableName', 'Limit'],
  (database, { ExclusiveStartTableName: after = '', Limit: limit = 100 }) => {
    const left = database.tables.names().filter((name) => name > after);
    const TableNames = left.slice(0, limit);
    return {
      TableNames,
      ...(left.length > limit && { LastEvaluatedTableName: TableNames.at(-1) }),
    };
  },
);
