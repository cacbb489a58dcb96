import { setTimeout } from 'node:timers/promises';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  ordersVariable,
  type Released,
  type Stored,
  shardsToDeploy,
  tableToDeploy,
} from '../../../infra/stored.ts';
import { names } from '../../../local/provision/names.ts';
import { provideTable } from '../../../local/provision/provision.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { DEFAULT_SHARDS, shardsVariable, tableVariable } from '../../../shared/aws/config.ts';
import { attributeOf } from '../../../shared/resource/description/attribute.ts';
import { descriptionOf } from '../../../shared/resource/description/described.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { tableOf } from '../../../shared/store/items/table.ts';
import type { Release } from './release.ts';

/** Code that runs, with the environment of its functions. */
export interface Deployment {
  readonly releases: readonly Release[];
  readonly environment: Readonly<Record<string, string>>;
  /** The indexes that the template declares, by the name of the table. */
  readonly indexes: ReadonlyMap<string, ReadonlySet<string>>;
}

const indexNames = (resource: Resource, file: Released): string[] =>
  tableToDeploy(resource, file).indexes.map(({ name }) => name);

const partitionsOf = ({ name, table }: Resource, file: Released) =>
  shardsToDeploy(name, table?.shards ?? DEFAULT_SHARDS, file);

/**
 * Deploys releases as the stack does: it creates tables and indexes, and sets the environment of functions. `file`: what
 * docs/stored.released.json says. @throws if the synthesis refuses it
 */
export async function deploy(releases: readonly Release[], file: Released): Promise<Deployment> {
  const resources = releases.map(({ resource }) => resource);
  for (const one of resources) {
    await provideTable(dynamoDb(), tableToDeploy(one, file));
    await active(names.table(one.name));
  }
  const environment = Object.fromEntries(
    resources.flatMap((one) => {
      const { write, read } = partitionsOf(one, file);
      return [
        [tableVariable(one.name), names.table(one.name)],
        [shardsVariable(one.name), `${write}/${read}`],
      ];
    }),
  );
  return {
    releases,
    environment: { ORDERS_BY_READING: '', ...environment, ...ordersVariable(resources, file) },
    indexes: new Map(resources.map((one) => [names.table(one.name), new Set(indexNames(one, file))])),
  };
}

/** Waits for the indexes of a table. DynamoDB Local, unlike DynamoDB, refuses writes while it creates one. */
async function active(TableName: string): Promise<void> {
  for (;;) {
    const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName }));
    if (Table?.GlobalSecondaryIndexes?.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')) return;
    await setTimeout(50);
  }
}

/** The work of the operators after a deployment: run the backfill, change an entry of the file, and deploy again. */
export interface Step {
  readonly backfill: boolean;
  readonly stored: Stored;
}

/** The next step of the operators for a table; undefined: no step is left. Source: docs/deploy.md, "Change a deployment". */
export function nextStep({ resource, version }: Release, file: Released): Step | undefined {
  const stored = file[resource.name] as Stored;
  const deployed = indexNames(resource, file);
  if (deployed.some((name) => !stored.indexes.includes(name)))
    return { backfill: false, stored: { ...stored, indexes: deployed } };
  const { read } = partitionsOf(resource, file);
  if (read > (stored.shards ?? DEFAULT_SHARDS))
    return { backfill: false, stored: { ...stored, shards: read } };
  const sortable = attributesOf(resource, resource.sortable);
  if (version > stored.schema || sortable.some((one) => !stored.sortable.includes(one)))
    return { backfill: true, stored: { ...stored, sortable, schema: version } };
  const declared = tableOf(resource).indexes.map(({ name }) => name);
  const [left] = stored.indexes.filter((name) => !declared.includes(name));
  if (left === undefined) return undefined;
  return { backfill: false, stored: { ...stored, indexes: stored.indexes.filter((name) => name !== left) } };
}

const attributesOf = (resource: Resource, fields: readonly string[]): string[] =>
  fields.map((field) => attributeOf(descriptionOf(resource), field));

/** The file without the orders that a release removes; undefined: it removes none. The release before deploys it. */
export function withoutOrders(releases: readonly Release[], file: Released): Released | undefined {
  const changed = releases.flatMap(({ resource }) => {
    const stored = file[resource.name];
    const sortable = attributesOf(resource, resource.sortable);
    const left = stored?.sortable.filter((one) => sortable.includes(one));
    return stored && left?.length !== stored.sortable.length
      ? [[resource.name, { ...stored, sortable: left ?? [] }] as const]
      : [];
  });
  return changed.length === 0 ? undefined : { ...file, ...Object.fromEntries(changed) };
}

/** An entry of the file in the commit that changes a definition: a field that is gone leaves it. */
export function entryFor({ resource }: Release, stored: Stored): Stored {
  const declared = attributesOf(resource, Object.keys(resource.description?.fields ?? {}));
  return {
    ...stored,
    fields: Object.fromEntries(Object.entries(stored.fields).filter(([name]) => declared.includes(name))),
  };
}
