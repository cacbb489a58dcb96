import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routesOf } from '../infra/gateway/routing.ts';
import { throttlingOf } from '../infra/gateway/throttling.ts';
import { OPTIONS } from '../infra/options.ts';
import { registry } from '../service/registry.ts';
import { SIGN_IN_CLIENT } from '../shared/http/sign-in.ts';
import { serve } from '../shared/lambda/serve.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { requestAuthorizer } from './gateway/authorizer.ts';
import { gateway, type Handler } from './gateway/gateway.ts';
import type { Issuer } from './issuer/issuer.ts';
import type { Options } from './options.ts';
import { collectAfterLargeBodies } from './process/large-bodies.ts';

/** Milliseconds in which running requests can finish when the service stops. */
const GRACE_MS = 5000;
/** Connections that wait until the process accepts them. The kernel resets others, so they would get no 503. */
const BACKLOG = 4096;

/**
 * Starts the HTTP server with the functions of all resources behind the gateway and, with `auth`, the issuer of tokens.
 * `ends` gets the ends of both. `now`: the clock of requests, in ms since the epoch; undefined: that of the machine. Returns the URL of the service, and instructions for the user.
 */
export async function startServer(
  options: Options,
  ends: AsyncDisposableStack,
  now?: () => number,
): Promise<{ readonly url: string; readonly advice: readonly string[] }> {
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
    ...(now && { now }),
    ...(options.throttle ? { throttling: deployedThrottling(options) } : {}),
    ...(issuer ? { authorize: requestAuthorizer(await authorizer()) } : {}),
  });
  collectAfterLargeBodies(server);
  await listening(server, options);
  ends.defer(() => closed(server));
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const url = `http://${host}:${port}${basePathOf(options)}`;
  process.env.API_URL = url;
  return { url, advice: issuer?.advice ?? [] };
}

/** Returns the prefix of all paths: the stage, if the options name one. */
const basePathOf = ({ stage }: Options): string => (stage === undefined ? '' : `/${stage}`);

/**
 * Returns the function of a resource. The site gets its files before its first request, because they take half of a start.
 */
function handlerOf(resource: Resource, options: Options): Handler {
  const handler = serve(resource);
  if (!resource.uses.some((use) => 'objects' in use && use.access === 'published')) return handler;
  let published: Promise<void> | undefined;
  return async (event, context) => {
    published ??= import('./provision/site.ts').then(({ publishSite }) =>
      publishSite(registry, basePathOf(options)),
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
async function issuerFor(options: Options): Promise<Issuer> {
  const { startIssuer } = await import('./issuer/issuer.ts');
  const issuer = await startIssuer(registry, {
    port: options.issuerPort,
    basePath: basePathOf(options),
  });
  Object.assign(process.env, issuer.variables);
  return issuer;
}

const authorizer = async () => (await import('../functions/authorizer/handler.ts')).handler;

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
