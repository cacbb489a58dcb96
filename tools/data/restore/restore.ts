/** Restores tables as they were at a time. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeTableCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { ServiceTable } from '../../../service/derived/tables.ts';
import { commandLine } from '../../../service/folders.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config, tableIn, tablesText } from '../../../shared/aws/config.ts';
import { isNamed } from '../../../shared/aws/faults.ts';
import { sleep } from '../../../shared/concurrency/retry.ts';
import { itemRows } from '../../../shared/store/items/read-items.ts';
import { UserError } from '../../user-error.ts';
import { placeHere, RESOURCES, TABLES } from '../place.ts';

/** The tables to restore. `at`: the time of the data in ms since the epoch. */
interface Restoration {
  readonly directory: string;
  readonly tables: readonly ServiceTable[];
  readonly at: number;
  /** Milliseconds between two looks at a table. */
  readonly pause: number;
}

/**
 * Restores tables of a deployment as new ones, all from the same second, and gives them what a restoration leaves out:
 * stream, time to live, point-in-time recovery and deletion protection. The tables of the service do not change. A
 * repeated call continues, because the new names follow from the time.
 *
 * Reports the time, how many rows both tables have, and how to use the new ones. Writes `worker.json`, the environment with
 * which the other commands read the new tables.
 *
 * @throws UserError if the environment has no such table, and if DynamoDB cannot restore one to this time or refuses a step
 *
 * Source: Amazon DynamoDB Developer Guide, "Restoring a DynamoDB table to a point in time".
 */
export async function restore(
  { directory, tables, at, pause }: Restoration,
  report: (line: string) => void,
): Promise<void> {
  report(`Restoring the data of ${new Date(at).toISOString()}`);
  const restored = tables.map((table) => {
    const source = present(table.resource);
    if (source === undefined)
      throw new UserError(
        `The environment has no table of ${table.resource}: get that of the worker again, or name the tables to restore`,
      );
    return { table, source, target: `${source}-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}` };
  });
  for (const { source, target } of restored) await begin(source, target, { at, pause });
  const adopted: string[] = [];
  for (const { table, source, target } of restored) {
    adopted.push(`${table.resource}=${await complete(target, table, pause)}`);
    report(
      `${table.resource}: ${await countOf(target)} rows in ${target}, ${await countOf(source)} in ${source}`,
    );
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = new Map(restored.map(({ table, target }) => [table.resource, target]));
  const known = TABLES.map(({ resource }) => [resource, names.get(resource) ?? present(resource)]);
  const environment = {
    TABLES: tablesText(Object.fromEntries(known.filter(([, name]) => name !== undefined))),
    BUCKET: config.bucketName(),
    ...placeHere(),
  };
  writeFileSync(join(directory, 'worker.json'), `${JSON.stringify(environment, undefined, 2)}\n`);
  report(`To read them: ${commandLine('data', `export … --environment ${join(directory, 'worker.json')}`)}`);
  report(
    `To use them: npx cdk deploy --all -c env=… -c deployment=all-at-once -c adoptedTables=${adopted.join(',')}`,
  );
  const resources = RESOURCES.flatMap(({ name }) => (names.has(name) ? [name] : []));
  report(`Then: ${commandLine('data', ['restored', ...resources, '--environment …'].join(' '))}`);
}

/** Returns the name of a present table. An environment of an earlier release lacks later tables. */
const present = (resource: string): string | undefined => tableIn(process.env.TABLES ?? '', resource);

async function begin(
  SourceTableName: string,
  TargetTableName: string,
  { at, pause }: Pick<Restoration, 'at' | 'pause'>,
): Promise<void> {
  if (await described(TargetTableName)) return;
  const input = { SourceTableName, TargetTableName, RestoreDateTime: new Date(at) };
  try {
    await whenFree(pause, () => dynamoDb().send(new RestoreTableToPointInTimeCommand(input)));
  } catch (error) {
    if (
      !isNamed(error, 'InvalidRestoreTimeException') &&
      !isNamed(error, 'PointInTimeRecoveryUnavailableException')
    )
      throw error;
    throw new UserError(
      `DynamoDB cannot restore ${SourceTableName} to this time: choose one of the last 35 days`,
    );
  }
}

/** Waits for the table and completes it. Returns its ARN. */
async function complete(
  TableName: string,
  { hasStream, timeToLive }: ServiceTable,
  pause: number,
): Promise<string> {
  const update = async (send: () => Promise<unknown>): Promise<TableDescription> => {
    await whenFree(pause, send);
    return active(TableName, pause);
  };
  let table = await active(TableName, pause);
  if (hasStream && !table.StreamSpecification?.StreamEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
    table = await update(() => dynamoDb().send(new UpdateTableCommand({ TableName, StreamSpecification })));
  }
  if (!table.DeletionProtectionEnabled)
    await update(() =>
      dynamoDb().send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })),
    );
  if (timeToLive !== undefined) {
    const TimeToLiveSpecification = { AttributeName: timeToLive, Enabled: true };
    await update(() =>
      dynamoDb()
        .send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
        // DynamoDB returns this error if the time to live is enabled already.
        .catch((error: unknown) => {
          if (!isNamed(error, 'ValidationException')) throw error;
        }),
    );
  }
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  const recovery = { TableName, PointInTimeRecoverySpecification };
  await update(() => dynamoDb().send(new UpdateContinuousBackupsCommand(recovery)));
  return table.TableArn ?? '';
}

/** DynamoDB changes a table once at a time, and a new one not at once. Source: Amazon DynamoDB API Reference. */
const BUSY = [
  'ContinuousBackupsUnavailableException',
  'LimitExceededException',
  'ResourceInUseException',
  'TableInUseException',
];
/** Errors that have an own sentence. */
const KNOWN = ['InvalidRestoreTimeException', 'PointInTimeRecoveryUnavailableException'];

/** Sends a request again while DynamoDB is busy. @throws UserError for an error that is not among the known ones */
async function whenFree(pause: number, send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send();
      return;
    } catch (error) {
      if (!(error instanceof Error) || KNOWN.some((name) => isNamed(error, name))) throw error;
      if (!BUSY.some((name) => isNamed(error, name)))
        throw new UserError(`DynamoDB says ${error.name}: ${error.message}. Repeat the command`);
      await sleep(pause);
    }
  }
}

/** Returns the description of a table that is ready. A restoration takes minutes to hours. */
async function active(TableName: string, pause: number): Promise<TableDescription> {
  for (;;) {
    const table = await described(TableName);
    if (table?.TableStatus === 'ACTIVE') return table;
    await sleep(pause);
  }
}

async function described(TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await dynamoDb().send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

async function countOf(table: string): Promise<number> {
  let count = 0;
  for await (const _ of itemRows(table)) count += 1;
  return count;
}
