import { deploymentOf, type Released } from '../../../infra/stored.ts';
import { names } from '../../../local/provision/names.ts';
import { provideTable } from '../../../local/provision/tables.ts';
import { tablesText } from '../../../shared/aws/config.ts';
import { OPERATION_FACTS } from '../../../shared/operations/record/operations.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
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
  for (const one of resources) await provideTable(deploymentOf(one, file[one.name]).next);
  const tables = [...resources.map(({ name }) => name), OPERATION_FACTS.name, IDEMPOTENCY_TABLE.name];
  return {
    releases,
    environment: {
      TABLES: tablesText(Object.fromEntries(tables.map((name) => [name, names.table(name)]))),
    },
    indexes: new Map(resources.map((one) => [names.table(one.name), new Set(indexNames(one, file))])),
  };
}
