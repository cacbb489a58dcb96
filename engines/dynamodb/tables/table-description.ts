import { createHash } from 'node:crypto';
import type { Storage } from '../../storage.ts';
import type { Table } from './table.ts';

/**
 * On-demand tables have no provisioned throughput. Source: DynamoDB API Reference "ProvisionedThroughputDescription".
 */
const ProvisionedThroughput = { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 };

/**
 * The response of the operations that describe a table. It leaves out sizes in bytes, because they would need a scan.
 * Source: DynamoDB API Reference "TableDescription".
 */
export function toTableDescription(storage: Storage, { id, description }: Table): object {
  const { TableName, CreationDateTime, GlobalSecondaryIndexes = [] } = description;
  const TableArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
  const count = storage.get<{ items: number }>('SELECT count(*) AS items FROM item WHERE tbl = ?', id);
  return {
    DeletionProtectionEnabled: false,
    ...description,
    TableArn,
    TableId: uuidOf(`${TableArn} ${CreationDateTime}`),
    ItemCount: count?.items ?? 0,
    BillingModeSummary: {
      BillingMode: 'PAY_PER_REQUEST',
      LastUpdateToPayPerRequestDateTime: CreationDateTime,
    },
    ProvisionedThroughput,
    GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({
      ...index,
      IndexArn: `${TableArn}/index/${index.IndexName}`,
      ProvisionedThroughput,
    })),
  };
}

/** Returns a UUID that is derived from a text. Source: RFC 9562 §5.8 (version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
