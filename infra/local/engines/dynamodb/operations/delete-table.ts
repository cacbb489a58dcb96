import { Fault } from '../../fault.ts';
import { describe } from '../describe.ts';
import { operation } from '../dynamodb.ts';
import { invalid } from '../faults.ts';

/** Deletes a table, gone at once. Source: DynamoDB API Reference "DeleteTable". */
export const deleteTable = operation<{ TableName?: string }>(
  ['TableName'],
  (database, { TableName: name = '' }) => {
    const table = database.tables.find(name);
    if (!table) {
      throw new Fault('ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`);
    }
    if (table.deletionProtection) {
      throw invalid(
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
      );
    }
    const TableDescription = describe(database, table, 'DELETING');
    database.tables.remove(table);
    return { TableDescription };
  },
);
