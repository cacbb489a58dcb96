import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll } from '@jest/globals';
import { type Engines, inProcess, newCredentials, openEngines } from 'embedded-aws';
import { provision, variables } from '../../local/provision/provision.ts';
import { registry } from '../../service/registry.ts';
import { configureClients } from '../../shared/aws/clients/client.ts';
import { configureClock } from '../../shared/aws/clock.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { testTime } from '../support/clock.ts';

type Handle = ReturnType<typeof inProcess>['handle'];
export type Call = Parameters<Handle>[0];

/** A resource by its name. */
export const resourceOf = (name: string): Resource => registry.find((one) => one.name === name) as Resource;

/**
 * Attaches the service's clients to their own engines in a temporary folder, for the tests of a file. `between`
 * simulates a network between clients and engines: it passes calls on, late, twice or not at all.
 */
export function attached(between: (call: Parameters<Handle>, pass: Handle) => ReturnType<Handle>): void {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-attached-'));
  const credentials = newCredentials();
  let engines: Engines;
  beforeAll(async () => {
    engines = openEngines({ directory, credentials, now: testTime });
    configureClock(testTime);
    const whole = inProcess(engines);
    const handle: Handle = (...call) => between(call, whole.handle);
    const settings = { requestHandler: { ...whole, handle }, credentials, region: 'us-east-1' };
    configureClients(settings as Parameters<typeof configureClients>[0]);
    // As in a deployment.
    process.env.SHARDS ??= '4';
    Object.assign(process.env, variables(registry));
    await provision(
      registry,
      new SQSClient(settings as NonNullable<ConstructorParameters<typeof SQSClient>[0]>),
    );
  });
  afterAll(async () => {
    await engines.close();
    rmSync(directory, { recursive: true, force: true });
  });
}
