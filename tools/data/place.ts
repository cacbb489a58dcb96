/** Finds the tables and the bucket of a service. */

import { readFileSync } from 'node:fs';
import { credentialsIn, dynamoDbCredentials, endpointsIn } from '../../local/endpoints.ts';
import { variables } from '../../local/provision/provision.ts';
import { runningEngines } from '../../local/running.ts';
import { type ServiceTable, tablesOf } from '../../service/derived/tables.ts';
import { registry } from '../../service/registry.ts';
import { configureClients } from '../../shared/aws/clients/client.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { UserError } from '../user-error.ts';

/** The tables that a restoration can bring back. The others have nothing that lasts. */
export const TABLES: readonly ServiceTable[] = tablesOf(registry).filter(({ isRecovered }) => isRecovered);

/**
 * Returns the tables with these names; all of them if there is no name.
 * @throws UserError for a name that no table has
 */
export function tablesNamed(names: readonly string[]): readonly ServiceTable[] {
  const known = TABLES.map(({ resource }) => resource);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UserError(`There is no table of '${unknown}': name some of ${known.join(', ')}`);
  return names.length === 0 ? TABLES : TABLES.filter(({ resource }) => names.includes(resource));
}

/** The resources whose items the commands read and write. Operations end within days, so they stay where they are. */
export const RESOURCES: readonly Resource[] = registry.filter(({ table, tracked }) => table && !tracked);

/**
 * Returns the resources with these names; all of them if there is no name.
 * @throws UserError for a name that no resource with items has
 */
export function resourcesNamed(names: readonly string[]): readonly Resource[] {
  const known = RESOURCES.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UserError(`There are no items of '${unknown}': name some of ${known.join(', ')}`);
  return names.length === 0 ? RESOURCES : RESOURCES.filter(({ name }) => names.includes(name));
}

/** A transfer of a large file takes minutes. */
const TIMEOUTS = { connectionTimeout: 5000, requestTimeout: 900_000 };

/**
 * Attaches the clients of AWS to a service: to the deployment whose environment variables the file contains, and to its
 * bus, or to the running `npm start`.
 *
 * @throws UserError if there is no such file, no running service, no region, or no credentials
 *
 * Source: AWS SDKs and Tools Reference Guide, "Standardized credential providers".
 */
export async function attach({
  environment,
  bus,
}: {
  readonly environment?: string | undefined;
  readonly bus?: string | undefined;
}): Promise<void> {
  const variables = environment === undefined ? {} : variablesIn(environment);
  if (environment === undefined || IS_LOCAL in variables) {
    attachLocally();
    Object.assign(process.env, variables);
  } else await attachTo({ ...variables, ...(bus === undefined ? {} : { EVENT_BUS: bus }) });
}

let isAttachedLocally = false;

/** The member of an environment whose tables are in the running `npm start`. */
const IS_LOCAL = 'LOCAL';

/** Returns what the environment of restored tables says about their place. */
export const placeHere = (): Readonly<Record<string, string>> =>
  isAttachedLocally ? { [IS_LOCAL]: 'true' } : {};

/** The SDK finds region and credentials by its default chain, and renews credentials that expire during a run. */
async function attachTo(deployed: Readonly<Record<string, string>>): Promise<void> {
  Object.assign(process.env, deployed);
  configureClients({ requestHandler: TIMEOUTS });
  const { region, credentials } = dynamoDb().config;
  try {
    await region();
    await credentials();
  } catch (error) {
    const reason = (error as Error).message;
    throw new UserError(`Set AWS_PROFILE, or AWS_REGION and credentials. The AWS SDK says: ${reason}`);
  }
}

function attachLocally(): void {
  isAttachedLocally = true;
  const running = runningEngines(process.env);
  if (!running) {
    throw new UserError(
      'No npm start runs with this DATA_DIR: start it, or name a deployment with --environment',
    );
  }
  const { dynamodb, s3 } = endpointsIn(process.env);
  const credentials = credentialsIn(process.env) ?? running.credentials;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamodb ?? running.url;
  process.env.AWS_ENDPOINT_URL_S3 = s3 ?? running.url;
  process.env.AWS_ENDPOINT_URL_EVENTBRIDGE = running.url;
  Object.assign(process.env, variables(registry));
  configureClients({ requestHandler: TIMEOUTS, credentials, region: 'us-east-1' });
  if (dynamodb) dynamoDb().config.credentials = async () => dynamoDbCredentials(process.env, credentials);
}

/** Returns the environment variables of a function, as `aws lambda get-function-configuration` prints them. */
function variablesIn(file: string): Readonly<Record<string, string>> {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} is not a file with JSON: ${(error as Error).message}`);
  }
  const entries = typeof read === 'object' && read !== null ? Object.entries(read) : [];
  const named = entries.filter(([name]) => /^(?:TABLES|BUCKET|SHARDS|LOCAL)$/.test(name));
  const missing = ['TABLES', 'BUCKET'].find((needed) => !named.some(([name]) => name === needed));
  if (missing !== undefined)
    throw new UserError(`${file} does not have the environment of the worker: it names no ${missing}`);
  return Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
}
