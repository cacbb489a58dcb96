import { Fault } from '../../fault.ts';
import { type AttributeDefinition, type IndexDefinition, indexOf } from '../definition.ts';
import { describe } from '../describe.ts';
import { operation } from '../dynamodb.ts';
import { invalid, tableNotFound } from '../faults.ts';
import { parts } from '../key.ts';
import { fillIndex } from '../rows.ts';
import { indexId, type Table } from '../tables.ts';

interface UpdateTableRequest {
  TableName?: string;
  AttributeDefinitions?: AttributeDefinition[];
  GlobalSecondaryIndexUpdates?: { Create?: IndexDefinition; Delete?: { IndexName: string } }[];
  DeletionProtectionEnabled?: boolean;
  BillingMode?: Table['billing'];
  ProvisionedThroughput?: unknown;
}

/**
 * Creates (and fills) or deletes one index, and changes settings; done when it answers.
 *
 * Source: DynamoDB API Reference "UpdateTable".
 */
export const updateTable = operation<UpdateTableRequest>(
  [
    'TableName',
    'AttributeDefinitions',
    'GlobalSecondaryIndexUpdates',
    'DeletionProtectionEnabled',
    'BillingMode',
    'ProvisionedThroughput',
  ],
  (database, request) => {
    const { storage, tables } = database;
    const { GlobalSecondaryIndexUpdates: updates = [] } = request;
    const table = structuredClone(tables.named(request.TableName));
    if (updates.length > 1) {
      throw new Fault(
        'LimitExceededException',
        'Only 1 online index can be created or deleted simultaneously',
      );
    }
    const { Create: create, Delete: remove } = updates[0] ?? {};
    table.deletionProtection = request.DeletionProtectionEnabled ?? table.deletionProtection;
    table.billing = request.BillingMode ?? table.billing;
    storage.transaction(() => {
      if (create) {
        if (table.indexes.some(({ name }) => name === create.IndexName)) {
          throw invalid(`Attempting to create an index which already exists: ${create.IndexName}`);
        }
        const known = [table, ...table.indexes]
          .flatMap(parts)
          .map(({ name, type }) => ({ AttributeName: name, AttributeType: type }));
        const index = indexOf(create, [...(request.AttributeDefinitions ?? []), ...known], table.nextIndex++);
        table.indexes.push(index);
        fillIndex(storage, table, index);
      }
      if (remove) {
        const index = table.indexes.find(({ name }) => name === remove.IndexName);
        if (!index) throw tableNotFound();
        table.indexes = table.indexes.filter((each) => each !== index);
        storage.run('DELETE FROM gsi WHERE idx = ?', indexId(table, index));
      }
      tables.save(table);
    });
    return { TableDescription: describe(database, table) };
  },
);
