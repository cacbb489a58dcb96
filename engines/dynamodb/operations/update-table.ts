import { invalid, notImplemented } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import { fillIndex } from '../rows.ts';
import { hasStream } from '../streams/changes.ts';
import { type StreamSpecification, streamOf } from '../streams/specification.ts';
import { tableOf } from '../tables/schema.ts';
import type { AttributeDefinition, Index, IndexDefinition, Table } from '../tables/table.ts';
import { toTableDescription } from '../tables/table-description.ts';

interface UpdateTableRequest {
  TableName?: string;
  AttributeDefinitions?: AttributeDefinition[];
  GlobalSecondaryIndexUpdates?: { Create?: IndexDefinition }[];
  StreamSpecification?: StreamSpecification;
  DeletionProtectionEnabled?: boolean;
}

/**
 * Creates and fills one index, enables the stream, or protects the table, which no operation deletes. The change is complete when the response arrives. Source:
 * DynamoDB API Reference "UpdateTable".
 */
export const updateTable = jsonOperation(
  'TableName AttributeDefinitions GlobalSecondaryIndexUpdates StreamSpecification DeletionProtectionEnabled',
  (database: DynamoDb, request: UpdateTableRequest) => {
    const { GlobalSecondaryIndexUpdates: updates = [], StreamSpecification: specification } = request;
    const table = database.tables.named(request.TableName);
    if (request.DeletionProtectionEnabled !== undefined)
      return protect(database, table, request.DeletionProtectionEnabled);
    if (specification && updates.length === 0) return enableStream(database, table, specification);
    const create = updates[0]?.Create;
    if (!create || updates.length > 1 || specification)
      throw notImplemented('DynamoDB UpdateTable but to create one index or to enable the stream');
    return createIndex(database, table, create, request.AttributeDefinitions);
  },
);

function protect({ storage, tables }: DynamoDb, table: Table, isProtected: boolean) {
  const description = { ...table.description, DeletionProtectionEnabled: isProtected };
  const changed = { ...table, description };
  tables.save(changed);
  return { TableDescription: toTableDescription(storage, changed) };
}

function createIndex(
  { storage, tables }: DynamoDb,
  { id, indexes, description, timeToLive }: Table,
  create: IndexDefinition,
  definitions: AttributeDefinition[] = [],
) {
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
  return { TableDescription: toTableDescription(storage, table) };
}

function enableStream({ storage, tables }: DynamoDb, table: Table, specification: StreamSpecification) {
  const stream = streamOf(table.description.TableName, specification, storage.now());
  if (hasStream(table)) {
    if (stream.LatestStreamArn) throw invalid('Table already has an enabled stream');
    throw notImplemented('DynamoDB UpdateTable to disable the stream');
  }
  if (!stream.LatestStreamArn) throw invalid('Table has no stream to disable');
  const streamed = { ...table, description: { ...table.description, ...stream } };
  tables.save(streamed);
  return { TableDescription: toTableDescription(storage, streamed) };
}
