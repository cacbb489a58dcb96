import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Credentials, inProcess, listen, newCredentials, openEngines, typedCalls } from 'embedded-aws';
import { claimEnded } from '../functions/worker/ended-items.ts';
import { routesOf } from '../infra/gateway/routing.ts';
import { throttlingOf } from '../infra/gateway/throttling.ts';
import { OPTIONS } from '../infra/options.ts';
import { refuseFaults } from '../service/faults.ts';
import { files } from '../service/files.ts';
import { isInstalled } from '../service/folders.ts';
import { registry } from '../service/registry.ts';
import { configureClients, TIMEOUTS } from '../shared/aws/clients/client.ts';
import { dynamoDb } from '../shared/aws/clients/dynamodb.ts';
import { bytesAndItems } from '../shared/files/comparison/bytes.ts';
import { compareWhole } from '../shared/files/comparison/compare.ts';
import { filesAndRows } from '../shared/files/comparison/files.ts';
import { SIGN_IN_CLIENT } from '../shared/http/sign-in.ts';
import { serve } from '../shared/lambda/serve.ts';
import { keptDays, type Resource } from '../shared/resource/resource.ts';
import { credentialsIn, dynamoDbCredentials, endpointsIn, transport, typedServicesIn } from './endpoints.ts';
import { requestAuthorizer } from './gateway/authorizer.ts';
import { gateway, type Handler } from './gateway/gateway.ts';
import type { Issuer } from './issuer/issuer.ts';
import type { Options } from './options.ts';
import { collectAfterLargeBodies } from './process/large-bodies.ts';
import { sweepStaged, sweepVersions } from './provision/leftovers.ts';
import { names, queueUrl } from './provision/names.ts';
import { provision, variables } from './provision/provision.ts';
import { announceEngines } from './running.ts';
import { exampleData, exampleProducts } from './seed/seed.ts';
import { callOnChange, startBackground } from './triggers/background.ts';
import { changesOf } from './triggers/changes.ts';
import { configureNotifications, forwardNotifications } from './triggers/file-events.ts';
import { StreamPump } from './triggers/stream-pump.ts';

const REGION = 'us-east-1';
/** A directory with this file had a start before, even if that start did not complete. */
const BEGUN = 'begun';
/** Milliseconds in which running requests can finish when the service stops. */
const GRACE_MS = 5000;
/** Connections that wait until the process accepts them. The kernel resets others, so they would get no 503. */
const BACKLOG = 4096;

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
  stop(): Promise<void>;
}

/**
 * Starts everything: engines, tables, gateway. The functions are the deployed ones, in this process. An engine with
 * an address in the environment replaces the embedded one. `now`: the clock of the engines, in ms since the epoch.
 * @throws Error with a sentence for each fault, if a definition of a resource is wrong
 */
export async function start(options: Options, now?: () => number): Promise<Service> {
  refuseFaults();
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
    const settings = { requestHandler: transport(engines, TIMEOUTS), credentials, region: REGION };
    const plugin = typedCalls(engines, typedServicesIn(process.env));
    configureClients({ ...settings, plugin });
    if (endpoints.dynamodb)
      dynamoDb().config.credentials = async () => dynamoDbCredentials(process.env, credentials);
    if (options.shards !== undefined) process.env.SHARDS = String(options.shards);
    Object.assign(process.env, variables(registry), {
      ALLOWED_ORIGIN: options.allowedOrigin,
      KEEPS_CONTENT_LENGTH: 'true',
    });
    // Long polls wait longer than the time-out of a function's clients.
    const sqs = new SQSClient({ ...settings, requestHandler: transport(engines) });
    plugin.applyToStack(sqs.middlewareStack);
    const queues = { sqs, embedded: new SQSClient({ ...settings, requestHandler: inProcess(engines) }) };
    const engineListener = await listen(engines, { host: '127.0.0.1', port: options.enginePort });
    ends.defer(() => engineListener.close());
    if (endpoints.s3 === undefined) process.env.CLIENT_ENDPOINT_URL_S3 = engineListener.url;
    const advice = await provision(
      registry,
      sqs,
      configureNotifications(endpoints, queues, engineListener.url),
    );
    // No writer runs yet.
    const settled = Number.POSITIVE_INFINITY;
    await compareWhole(bytesAndItems(registry, settled));
    await claimEnded(registry, {}, Number.POSITIVE_INFINITY);
    if (files) {
      await compareWhole(filesAndRows(files, settled));
      await sweepStaged((key) => redeliver(sqs, key));
      const days = keptDays(registry);
      if (days !== undefined) await sweepVersions(days, (now ?? Date.now)());
    }
    if (isNew) {
      if (!options.empty && !isInstalled) await exampleProducts(registry);
      writeFileSync(
        join(directory, BEGUN),
        'The first start added the example products, or left them out because of --empty.\n',
      );
    }
    if (options.seed && !isInstalled) await exampleData(registry);

    const place = { engines, directory, region: REGION, credentials };
    const changes = await changesOf(registry, endpoints, place);
    const handled = registry.filter(({ onChange }) => onChange);
    const toHandle = await changesOf(handled, endpoints, place, 'changes');
    const forget = announceEngines(directory, { url: engineListener.url, credentials });
    ends.defer(forget);
    const pumps = [
      startBackground(sqs, callOnChange(handled, toHandle, sqs)),
      ...(files ? forwardNotifications(endpoints, queues) : []),
      new StreamPump(changes, eventsHandler),
    ];
    ends.defer(async () => void (await Promise.all(pumps.map((one) => one.stop()))));
    const issuer = options.auth ? await issuerFor(options) : undefined;
    if (issuer) ends.defer(() => issuer.stop());
    const server = gateway({
      routes: routesOf(registry),
      handlers: new Map(registry.map((one) => [one.name, handlerOf(one, options)])),
      stage: {
        name: options.stage ?? 'local',
        inPath: options.stage !== undefined,
        ...(issuer ? { variables: { [SIGN_IN_CLIENT]: issuer.pagesClient } } : {}),
      },
      admission: options,
      ...(options.throttle ? { throttling: deployedThrottling(options) } : {}),
      ...(issuer ? { authorize: requestAuthorizer(await authorizer()) } : {}),
    });
    collectAfterLargeBodies(server);
    await listening(server, options);
    ends.defer(() => closed(server));
    const { port } = server.address() as AddressInfo;
    const host = options.host.includes(':') ? `[${options.host}]` : options.host;
    return {
      url: `http://${host}:${port}${options.stage === undefined ? '' : `/${options.stage}`}`,
      engineUrl: engineListener.url,
      credentials,
      s3Url: endpoints.s3 ?? engineListener.url,
      advice: [...advice, ...(issuer?.advice ?? [])],
      stop: () => ends.disposeAsync(),
    };
  } catch (error) {
    await ends.disposeAsync().catch((failure) => console.error(failure));
    throw error;
  }
}

/**
 * Returns the function of a resource. The site gets its files before its first request, because they take half of a start.
 */
function handlerOf(resource: Resource, { stage }: Options): Handler {
  const handler = serve(resource);
  if (!resource.uses.some((use) => 'objects' in use && use.access === 'published')) return handler;
  let published: Promise<void> | undefined;
  return async (event, context) => {
    published ??= import('./provision/site.ts').then(({ publishSite }) =>
      publishSite(registry, stage === undefined ? '' : `/${stage}`),
    );
    await published.catch((error) => {
      published = undefined;
      throw error;
    });
    return handler(event, context);
  };
}

/** Returns the throttling of a deployment that chooses no limits of its own. */
const deployedThrottling = ({ auth }: Options) =>
  throttlingOf({
    rateLimit: OPTIONS.rateLimit.otherwise,
    burstLimit: OPTIONS.burstLimit.otherwise,
    callerRateLimit: OPTIONS.callerRateLimit.otherwise,
    openRateLimit: OPTIONS.openRateLimit.otherwise,
    auth: auth ? 'token' : 'none',
  });

/** Starts a token issuer, and sets the environment variables that the authorizer reads. */
async function issuerFor({ issuerPort: port, stage }: Options): Promise<Issuer> {
  const { startIssuer } = await import('./issuer/issuer.ts');
  const issuer = await startIssuer(registry, { port, basePath: stage === undefined ? '' : `/${stage}` });
  Object.assign(process.env, issuer.variables);
  return issuer;
}

const authorizer = async () => (await import('../functions/authorizer/handler.ts')).handler;

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

const listening = (server: Server, { port, host }: Options) =>
  new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', failed);
      done();
    });
  });

/** Accepts no new requests, lets running ones finish, then closes the remaining connections. */
async function closed(server: Server): Promise<void> {
  const ended = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await ended;
  clearTimeout(timer);
}
