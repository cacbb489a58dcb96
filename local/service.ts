import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Credentials, inProcess, listen, newCredentials, openEngines, typedCalls } from 'embedded-aws';
import { claimEnded } from '../functions/worker/ended-items.ts';
import { HAS_SUBSCRIPTIONS } from '../service/about.ts';
import { refuseFaults } from '../service/faults.ts';
import { files } from '../service/files.ts';
import { isInstalled } from '../service/folders.ts';
import { registry } from '../service/registry.ts';
import { schedules } from '../service/schedules.ts';
import { configureClients, TIMEOUTS } from '../shared/aws/clients/client.ts';
import { dynamoDb } from '../shared/aws/clients/dynamodb.ts';
import { config } from '../shared/aws/config.ts';
import { bytesAndItems } from '../shared/files/comparison/bytes.ts';
import { compareWhole } from '../shared/files/comparison/compare.ts';
import { filesAndRows } from '../shared/files/comparison/files.ts';
import { keptDays } from '../shared/resource/resource.ts';
import {
  credentialsIn,
  dynamoDbCredentials,
  type Endpoints,
  endpointsIn,
  transport,
  typedServicesIn,
} from './endpoints.ts';
import { startServer } from './http-server.ts';
import type { Options } from './options.ts';
import { sweepStaged, sweepVersions } from './provision/leftovers.ts';
import { names, queueUrl } from './provision/names.ts';
import { provision, variables } from './provision/provision.ts';
import { announceEngines } from './running.ts';
import { exampleData, exampleProducts } from './seed/seed.ts';
import { type GivenSettings, provideSettings } from './settings.ts';
import { callOnChange, startBackground } from './triggers/background.ts';
import { changesOf } from './triggers/changes.ts';
import { configureNotifications, forwardNotifications, type Queues } from './triggers/file-events.ts';
import { runNow, startSchedules } from './triggers/schedules.ts';
import { StreamPump } from './triggers/stream-pump.ts';

const REGION = 'us-east-1';
/** A directory with this file had a start before, even if that start did not complete. */
const BEGUN = 'begun';
export interface Service {
  readonly url: string;
  /** Address of the embedded engines for other processes. */
  readonly engineUrl: string;
  /** The key pair of the engines. */
  readonly credentials: Credentials;
  /** Address of S3 for other processes. */
  readonly s3Url: string;
  /** More instructions for the user, one per line. */
  readonly advice: readonly string[];
  /** Begins the runs of schedules whose time has come. */
  look(): Promise<void>;
  /** Runs a schedule now. @throws Error if it fails */
  run(schedule: string): Promise<void>;
  /** True while streams or queues have work. */
  isBusy(): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Starts everything: engines, tables, gateway. The functions are the deployed ones, in this process. An engine with
 * an address in the environment replaces the embedded one. `now`: the clock of the engines, in ms since the epoch.
 * `settings`: variables and secrets of the code of the author; undefined: the environment and the file `.env` have them.
 * @throws Error with a sentence for each fault, if a definition of a resource is wrong
 */
export async function start(
  options: Options,
  now?: () => number,
  settings?: GivenSettings,
): Promise<Service> {
  refuseFaults();
  const missing = provideSettings([...registry, ...schedules], settings);
  const directory = resolve(options.directory);
  const isNew = !existsSync(join(directory, BEGUN));
  const endpoints = endpointsIn(process.env);
  const credentials = credentialsIn(process.env) ?? newCredentials();
  /** The ends of the parts that have started. The last part ends first, and each ends also if another one fails. */
  const ends = new AsyncDisposableStack();
  try {
    const engines = openEngines({ directory, credentials, ...(now && { now }) });
    ends.defer(() => engines.close());
    // Earlier versions let other users of the machine read the directory.
    if (!isNew) chmodSync(directory, 0o700);
    const client = { requestHandler: transport(engines, TIMEOUTS), credentials, region: REGION };
    const plugin = typedCalls(engines, typedServicesIn(process.env));
    configureClients({ ...client, plugin });
    if (endpoints.dynamodb)
      dynamoDb().config.credentials = async () => dynamoDbCredentials(process.env, credentials);
    if (options.shards !== undefined) process.env.SHARDS = String(options.shards);
    Object.assign(process.env, variables(registry), {
      ALLOWED_ORIGIN: options.allowedOrigin,
      KEEPS_CONTENT_LENGTH: 'true',
    });
    // Long polls wait longer than the time-out of a function's clients.
    const sqs = new SQSClient({ ...client, requestHandler: transport(engines) });
    plugin.applyToStack(sqs.middlewareStack);
    const queues = { sqs, embedded: new SQSClient({ ...client, requestHandler: inProcess(engines) }) };
    const engineListener = await listen(engines, { host: '127.0.0.1', port: options.enginePort });
    ends.defer(() => engineListener.close());
    if (endpoints.s3 === undefined) process.env.CLIENT_ENDPOINT_URL_S3 = engineListener.url;
    const advice = await provision(
      registry,
      sqs,
      configureNotifications(endpoints, queues, engineListener.url),
    );
    await settleStores(sqs, now);
    if (isNew) {
      if (!options.empty && !isInstalled) await exampleProducts(registry);
      writeFileSync(
        join(directory, BEGUN),
        'The first start added the example products, or left them out because of --empty.\n',
      );
    }
    if (options.seed && !isInstalled) await exampleData(registry);
    ends.defer(announceEngines(directory, { url: engineListener.url, credentials }));
    const triggers = await startTriggers(endpoints, queues, {
      engines,
      directory,
      region: REGION,
      credentials,
    });
    ends.defer(triggers.stop);
    const scheduler = startSchedules(sqs, schedules, isNew);
    ends.defer(() => scheduler.stop());
    const { url, advice: more } = await startServer(options, ends, now);
    return {
      url,
      engineUrl: engineListener.url,
      credentials,
      s3Url: endpoints.s3 ?? engineListener.url,
      advice: [...missing, ...advice, ...more],
      look: scheduler.look,
      run: (name) => runNow(schedules, name),
      isBusy: async () => triggers.isBusy() || (await areWaiting(sqs)),
      stop: () => ends.disposeAsync(),
    };
  } catch (error) {
    await ends.disposeAsync().catch((failure) => console.error(failure));
    throw error;
  }
}

/** Repairs what an earlier process left between two stores. No writer runs yet. */
async function settleStores(sqs: SQSClient, now = Date.now): Promise<void> {
  const settled = Number.POSITIVE_INFINITY;
  await compareWhole(bytesAndItems(registry, settled));
  await claimEnded(registry, {}, settled);
  if (!files) return;
  await compareWhole(filesAndRows(files, settled));
  await sweepStaged((key) => redeliver(sqs, key));
  const days = keptDays(registry);
  if (days !== undefined) await sweepVersions(days, now());
}

/** Starts what calls the functions of the background. Returns a function that stops it. */
async function startTriggers(
  endpoints: Endpoints,
  queues: Queues,
  place: Parameters<typeof changesOf>[2],
): Promise<{ isBusy(): boolean; stop(): Promise<void> }> {
  const handled = registry.filter(({ onChange }) => onChange);
  const changes = await changesOf(registry, endpoints, place);
  const toHandle = await changesOf(handled, endpoints, place, 'changes');
  const reacting = callOnChange(handled, toHandle, queues.sqs);
  const publishing = new StreamPump(changes, eventsHandler);
  const pumps = [
    startBackground(queues.sqs, reacting),
    ...(files ? forwardNotifications(endpoints, queues) : []),
    publishing,
  ];
  return {
    isBusy: () => [...reacting, publishing].some((one) => one.isBusy),
    stop: async () => void (await Promise.all(pumps.map((one) => one.stop()))),
  };
}

/** True if a queue has a message that a function gets now or processes. */
async function areWaiting(sqs: SQSClient): Promise<boolean> {
  const watched = [
    ...(files ? [names.uploadsQueue, names.largeUploadsQueue] : []),
    ...(HAS_SUBSCRIPTIONS ? [names.fanOutQueue, names.provenQueue, names.webhooksQueue] : []),
  ];
  const urls = [
    config.operationsQueue(),
    ...schedules.map(({ name }) => config.scheduleQueue(name)),
    ...watched.map((name) => queueUrl(name)),
  ];
  const counts = await Promise.all(
    urls.map(async (QueueUrl) => {
      const AttributeNames = [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
      ] as const;
      const read = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] });
      const { Attributes = {} } = await sqs.send(read);
      return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
    }),
  );
  return counts.some((count) => count > 0);
}

/** Sends a notification about an object in the format of S3. */
const redeliver = (sqs: SQSClient, key: string) =>
  sqs.send(
    new SendMessageCommand({
      QueueUrl: queueUrl(names.uploadsQueue),
      MessageBody: JSON.stringify({ Records: [{ s3: { object: { key } } }] }),
    }),
  );

/** Loaded at the first change. */
const eventsHandler = async () => (await import('../functions/events/handler.ts')).handler;
