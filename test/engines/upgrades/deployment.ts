import { deploymentOf, type Released } from '../../../infra/stored.ts';
import { names } from '../../../local/provision/names.ts';
import { provideTable } from '../../../local/provision/tables.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { tableVariable } from '../../../shared/aws/config.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Release } from './release.ts';

/** Code that runs, with the environment of its functions. */
export interface Deployment {
  readonly releases: readonly Release[];
  readonly environment: Readonly<Record<string, string>>;
  /** The indexes that the template declares, by the name of the table. */
  readonly indexes: ReadonlyMap<string, ReadonlySet<string>>;
}

const indexNames = (resource: Resource, file: Released): string[] =>
  deploymentOf(resource, file[resource.name]).next.indexes.map(({ name }) => name);

/**
 * Deploys releases as the stack does: it creates tables and indexes, and sets the environment of functions. `file`: what
 * docs/stored.released.json promises.
 */
export async function deploy(releases: readonly Release[], file: Released): Promise<Deployment> {
  const resources = releases.map(({ resource }) => resource);
  for (const one of resources) await provideTable(dynamoDb(), deploymentOf(one, file[one.name]).next);
  return {
    releases,
    environment: Object.fromEntries(resources.map(({ name }) => [tableVariable(name), names.table(name)])),
    indexes: new Map(resources.map((one) => [names.table(one.name), new Set(indexNames(one, file))])),
  };
}
