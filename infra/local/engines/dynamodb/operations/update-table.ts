import { notImplemented } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { invalid } from '../faults.ts';
import { fillIndex } from '../rows.ts';
import {
  type AttributeDefinitions,
  definitionsOf,
  describe,
  type IndexDefinition,
  indexOf,
} from '../schema.ts';
import type { DynamoDb } from '../tables.ts';

interface UpdateTableRequest {
  TableName?: string;
  AttributeDefinitions?: AttributeDefinitions;
  GlobalSecondaryIndexUpdates?: { Create?: IndexDefinition }[];
}

/** Creates and fills one index; done when it answers. Source: DynamoDB API Reference "UpdateTable". */
export const updateTable = jsonOperation(
  'TableName AttributeDefinitions GlobalSecondaryIndexUpdates',
  ({ storage, tables }: DynamoDb, request: UpdateTableRequest) => {
    const { AttributeDefinitions: definitions = [], GlobalSecondaryIndexUpdates: updates = [] } = request;
    const table = tables.named(request.TableName);
    const create = updates[0]?.Create;
    if (!create || updates.length > 1) throw notImplemented('DynamoDB UpdateTable but to create one index');
    if (table.indexes.some(({ name }) => name === create.IndexName)) {
      throw invalid(`Attempting to create an index which already exists: ${create.IndexName}`);
    }
    const known = [...definitions, ...definitionsOf(table)];
    const index = indexOf(create, known, table.id, table.indexes.length);
    const changed = { ...table, indexes: [...table.indexes, index] };
    storage.transaction(() => {
      fillIndex(storage, table, index);
      tables.save(changed);
    });
    return { TableDescription: describe(changed) };
  },
);
