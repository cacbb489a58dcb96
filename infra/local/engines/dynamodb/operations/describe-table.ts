import { Fault } from '../../fault.ts';
import { describe } from '../describe.ts';
import { operation } from '../dynamodb.ts';

/** Describes a table; sizes are exact, not six hours old. Source: DynamoDB API Reference "DescribeTable". */
export const describeTable = operation<{ TableName?: string }>(
  ['TableName'],
  (database, { TableName: name = '' }) => {
    const table = database.tables.find(name);
    if (!table) {
      throw new Fault('ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`);
    }
    return { Table: describe(database, table) };
  },
);
