import { Fault, invalid } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import type { DynamoDb } from '../context.ts';
import { keyOf } from '../key.ts';
import { type Row, readRow, writeRow } from '../rows.ts';
import { RETENTION_MS } from '../streams/changes.ts';
import { tableOf } from '../tables/schema.ts';
import { toTableDescription } from '../tables/table-description.ts';
import { requireTableName } from '../tables/tables.ts';
import { itemSize } from '../values/size.ts';

interface RestoreRequest {
  readonly SourceTableName?: string;
  readonly TargetTableName?: string;
  /** Seconds since the epoch. */
  readonly RestoreDateTime?: number;
}

/**
 * Restores a table as it was at a time, as a new one without stream and time to live. The stream of the source says what
 * changed since, for the 24 hours that it keeps changes. A table without a stream gets its present items. The new table is
 * complete when the response arrives. Source: DynamoDB API Reference "RestoreTableToPointInTime".
 */
export const restoreTable = jsonOperation(
  'SourceTableName TargetTableName RestoreDateTime',
  ({ storage, tables, changes }: DynamoDb, request: RestoreRequest) => {
    const { SourceTableName, TargetTableName, RestoreDateTime } = request;
    requireTableName(TargetTableName);
    const source = tables.named(SourceTableName);
    if (tables.has(TargetTableName))
      throw new Fault('TableAlreadyExistsException', `Table already exists: ${TargetTableName}`);
    if (typeof RestoreDateTime !== 'number') throw invalid('The parameter RestoreDateTime is required');
    const now = storage.now() / 1000;
    const earliest = Math.max(source.description.CreationDateTime, now - RETENTION_MS / 1000);
    if (RestoreDateTime > now || RestoreDateTime < earliest)
      throw new Fault(
        'InvalidRestoreTimeException',
        'An invalid restore time was specified: no change is known from then',
      );
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = source.description;
    const definition = {
      TableName: TargetTableName,
      AttributeDefinitions,
      KeySchema,
      ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
    };
    const table = tableOf(tables.nextId, definition, now);
    const write = (item: Row['item'], next: Row | undefined) => {
      const key = keyOf(table, item, false);
      writeRow(storage, { table, key, old: readRow(storage, table, key), next }, () => undefined);
    };
    storage.transaction(() => {
      for (const { doc } of storage.all<{ doc: string }>('SELECT doc FROM item WHERE tbl = ?', source.id)) {
        const row = rowOf(doc);
        write(row.item, row);
      }
      for (const { old_doc, new_doc } of changes.since(source, RestoreDateTime * 1000)) {
        const before = old_doc === null ? undefined : rowOf(old_doc);
        write(before?.item ?? rowOf(new_doc ?? '{}').item, before);
      }
      tables.save(table);
    });
    return { TableDescription: toTableDescription(storage, table) };
  },
);

function rowOf(doc: string): Row {
  const item: Row['item'] = JSON.parse(doc);
  return { item, size: itemSize(item), doc };
}
