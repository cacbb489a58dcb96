import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engines, newCredentials, openEngines } from 'embedded-aws';
import { variables } from '../../../local/provision/provision.ts';
import { provideTables } from '../../../local/provision/tables.ts';
import { tablesOf } from '../../../service/derived/tables.ts';
import { registry } from '../../../service/registry.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { configureLog } from '../../../shared/aws/log.ts';
import { seed } from '../../cost/measured/seed.ts';
import { VirtualClock } from './clock.ts';
import { type CallingEnvironment, Database, retriesOfEnvironments, type Tables } from './database.ts';
import type { Refusals } from './model/refusals.ts';
import { ITEMS, RESOURCE, valuesAt } from './requests.ts';

/** A service on embedded engines, whose calls take the time of the clock. */
export interface Service {
  readonly clock: VirtualClock;
  readonly engines: Engines;
  /** A new budget of the SDK for retries. */
  readonly retries: () => Promise<CallingEnvironment['retries']>;
}

interface Opening {
  readonly tables: Tables;
  readonly shards: number;
  readonly refusals: Refusals;
  readonly seed: number;
}

/** Opens the tables with their first items, and does some work on the clock. A process can do this once. */
export async function withService<Result>(
  { tables, shards, refusals, seed: number }: Opening,
  warmUp: (service: Service) => Promise<unknown>,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-scale-'));
  const credentials = newCredentials();
  const engines = openEngines({ directory, credentials });
  const clock = new VirtualClock(number);
  const database = new Database(clock, engines, tables, refusals);
  const { make, retryStrategy } = await retriesOfEnvironments();
  const { requestHandler } = database;
  configureClients({ requestHandler, credentials, region: 'us-east-1', retryStrategy });
  configureLog(() => undefined);
  // The functions of a deployment read the inventories of the tables every ten seconds.
  Object.assign(process.env, { SHARDS: String(shards), INVENTORY_SECONDS: '86400' });
  Object.assign(process.env, variables(registry));
  const service = { clock, engines, retries: make };
  try {
    await provideTables(tablesOf(registry));
    await seed(RESOURCE, ITEMS, valuesAt);
    await warmUp(service);
    const restore = clock.install();
    try {
      return await work(service);
    } finally {
      restore();
    }
  } finally {
    await engines.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
