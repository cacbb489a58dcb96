/** Finds tables and buckets that a stack once had. */

import { DescribeTableCommand, paginateListTables } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { tablesOf } from '../../../service/derived/tables.ts';
import { registry } from '../../../service/registry.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { config, PREFIXED, tablePrefix } from '../../../shared/aws/config.ts';
import { UserError } from '../../user-error.ts';

/** A table with the prefix of the stack. `name`: as in `TABLES`. `rows`: as DynamoDB counted them some hours ago. */
interface RetainedTable {
  readonly name: string;
  readonly arn: string;
  readonly rows: number;
}

/**
 * Reports the tables and buckets that have the prefix of the stack, and that its functions do not use: a deployment has
 * removed them from the stack, and the data stays. A release that needs them again creates empty ones, unless it adopts
 * these. Returns their number.
 *
 * @throws UserError if the names have no common prefix
 */
export async function reportRetained(report: (line: string) => void): Promise<number> {
  const prefix = tablePrefix();
  if (prefix === undefined)
    throw new UserError(`retained needs the environment of a worker: TABLES has no prefix '${PREFIXED}='`);
  const used = tablesOf(registry).map(({ resource }) => config.tableName(resource));
  const found: RetainedTable[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client: dynamoDb() }, {}))
    for (const TableName of TableNames) {
      const name = nameIn(TableName, prefix);
      if (name === undefined || used.includes(TableName)) continue;
      const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName }));
      const { ItemCount: rows = 0, TableArn: arn = '', CreationDateTime: created } = Table ?? {};
      found.push({ name, arn, rows });
      report(`${name}: ${TableName}, about ${rows} rows, created ${created?.toISOString()}`);
    }
  const { Buckets = [] } = await s3().send(new ListBucketsCommand());
  const start = `${prefix.replace(/-tables$/, '')}-objects`.toLowerCase();
  const buckets = Buckets.flatMap(({ Name = '' }) =>
    Name.startsWith(start) && Name !== config.bucketName() ? [Name] : [],
  );
  for (const one of buckets) report(`A bucket: ${one}`);
  // Several tables of a name: a stack has lost it twice.
  const fullest = new Map(found.sort((a, b) => a.rows - b.rows).map(({ name, arn }) => [name, arn]));
  if (fullest.size > 0)
    report(`To use the fullest: -c adoptedTables=${[...fullest].map((one) => one.join('=')).join(',')}`);
  return found.length + buckets.length;
}

/**
 * Returns the name of a resource in the name of a table that CloudFormation chose: prefix, logical id, random text. A
 * restored table has another name: the restoration prints how to adopt it.
 */
const nameIn = (table: string, prefix: string): string | undefined =>
  table.startsWith(prefix)
    ? /^([a-z][a-z0-9]*?)[0-9A-F]{8}-[0-9A-Z]+$/.exec(table.slice(prefix.length))?.[1]
    : undefined;
