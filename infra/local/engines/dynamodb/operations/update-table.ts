import { invalid, notImplemented } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { fillIndex } from '../rows.ts';
import { type AttributeDefinition, type IndexDefinition, tableOf } from '../schema.ts';
import type { DynamoDb, Index } from '../tables.ts';

interface UpdateTableRequest {
  TableName?: string;
  AttributeDefinitions?: AttributeDefinition[];
  GlobalSecondaryIndexUpdates?: { Create?: IndexDefinition }[];
}

/** Creates and fills one index; done when it answers. Source: DynamoDB API Reference "UpdateTable". */
export const updateTable = jsonOperation(
  'TableName AttributeDefinitions GlobalSecondaryIndexUpdates',
  ({ storage, tables }: DynamoDb, request: UpdateTableRequest) => {
    const { AttributeDefinitions: definitions = [], GlobalSecondaryIndexUpdates: updates = [] } = request;
    const { id, indexes, description, timeToLive } = tables.named(request.TableName);
    const create = updates[0]?.Create;
    if (!create || updates.length > 1) throw notImplemented('DynamoDB UpdateTable but to create one index');
    if (indexes.some(({ name }) => name === create.IndexName)) {
      throw invalid(`Attempting to create an index which already exists: ${create.IndexName}`);
    }
    const AttributeDefinitions = [...description.AttributeDefinitions, ...definitions];
    const GlobalSecondaryIndexes = [...(description.GlobalSecondaryIndexes ?? []), create];
    const definition = { ...description, AttributeDefinitions, GlobalSecondaryIndexes };
    const table = { ...tableOf(id, definition, description.CreationDateTime), timeToLive };
    storage.transaction(() => {
      fillIndex(storage, table, table.indexes.at(-1) as Index);
      tables.save(table);
    });
    return { TableDescription: table.description };
  },
);
