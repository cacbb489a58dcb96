/** Restores tables as they were at a time. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeTableCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { commandLine } from '../../../service/folders.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config, tablesText } from '../../../shared/aws/config.ts';
import { isNamed } from '../../../shared/aws/faults.ts';
import { sleep } from '../../../shared/concurrency/retry.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { Obstacle } from '../../obstacle.ts';
import { RESOURCES } from '../place.ts';
import { rows } from '../rows.ts';

/** The tables to restore. `at`: the time of the data in ms since the epoch. */
interface Restoration {
  readonly directory: string;
  readonly resources: readonly Resource[];
  readonly at: number;
  /** Milliseconds between two looks at a table. */
  readonly pause: number;
}

/**
 * Restores tables of a deployment as new ones, all from the same second, and gives them what a restoration leaves out:
 * stream, point-in-time recovery and deletion protection. The tables of the service do not change. A
 * repeated call continues, because the new names follow from the time.
 *
 * Reports how many items both tables have, and how to use the new ones. Writes `worker.json`, the environment with
 * which the other commands read the new tables.
 *
 * @throws Obstacle if DynamoDB cannot restore a table to this time
 *
 * Source: Amazon DynamoDB Developer Guide, "Restoring a DynamoDB table to a point in time".
 */
export async function restore(
  { directory, resources, at, pause }: Restoration,
  report: (line: string) => void,
): Promise<void> {
  const restored = resources.map((resource) => {
    const source = config.tableName(resource.name);
    return { resource, source, target: `${source}-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}` };
  });
  for (const { source, target } of restored) await begin(source, target, at);
  const adopted: string[] = [];
  for (const { resource, source, target } of restored) {
    const stream = await complete(target, pause);
    adopted.push(`${resource.name}=${stream}`);
    report(
      `${resource.name}: ${await countOf(target)} items in ${target}, ${await countOf(source)} in ${source}`,
    );
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = new Map(restored.map(({ resource, target }) => [resource.name, target]));
  const tables = RESOURCES.map(({ name }) => [name, names.get(name) ?? config.tableName(name)]);
  const environment = { TABLES: tablesText(Object.fromEntries(tables)), BUCKET: config.bucketName() };
  writeFileSync(join(directory, 'worker.json'), `${JSON.stringify(environment, undefined, 2)}\n`);
  report(`To read them: ${commandLine('data', `export … --environment ${join(directory, 'worker.json')}`)}`);
  const tablesToUse = adopted.join(',');
  report(
    `To use them: npx cdk deploy --all -c env=… -c deployment=all-at-once -c adoptedTables=${tablesToUse}`,
  );
}

async function begin(source: string, target: string, at: number): Promise<void> {
  if (await described(target)) return;
  try {
    const RestoreDateTime = new Date(at);
    const input = { SourceTableName: source, TargetTableName: target, RestoreDateTime };
    await dynamoDb().send(new RestoreTableToPointInTimeCommand(input));
  } catch (error) {
    if (
      !isNamed(error, 'InvalidRestoreTimeException') &&
      !isNamed(error, 'PointInTimeRecoveryUnavailableException')
    )
      throw error;
    throw new Obstacle(`DynamoDB cannot restore ${source} to this time: choose one of the last 35 days`);
  }
}

/** Waits for the table and completes it. Returns the ARN of its stream. */
async function complete(TableName: string, pause: number): Promise<string> {
  const before = await active(TableName, pause);
  if (!before.StreamSpecification?.StreamEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
    await dynamoDb().send(new UpdateTableCommand({ TableName, StreamSpecification }));
  }
  if (!(await active(TableName, pause)).DeletionProtectionEnabled)
    await dynamoDb().send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  await dynamoDb().send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  const { LatestStreamArn } = await active(TableName, pause);
  if (LatestStreamArn === undefined) throw new Error(`The table ${TableName} has no stream`);
  return LatestStreamArn;
}

/** The description of a table that is ready. A restoration takes minutes to hours. */
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
  for await (const _ of rows(table)) count += 1;
  return count;
}
