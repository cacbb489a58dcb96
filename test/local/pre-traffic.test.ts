import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent, Context } from 'aws-lambda';
import { authorizing } from '../../functions/authorizer/authorizer.ts';
import { type Check, requestCheck, tokenCheck } from '../../functions/pre-traffic/check.ts';
import type { Invocation } from '../../functions/pre-traffic/invocation.ts';
import { type Service, start } from '../../local/service.ts';
import { PROBES } from '../../service/catalog.ts';
import { registry } from '../../service/registry.ts';
import { configureLog } from '../../shared/aws/log.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { temporary } from '../support/service/service.ts';

/** The checks judge the functions themselves, which run on the embedded engines. */
for (const name of Object.keys(process.env))
  if (name.startsWith('AWS_ENDPOINT_URL')) delete process.env[name];

let service: Service;
let place: Awaited<ReturnType<typeof temporary>>;

beforeAll(async () => {
  place = await temporary();
  service = await start({
    directory: place.directory,
    port: 0,
    host: '127.0.0.1',
    allowedOrigin: 'loopback',
    enginePort: 0,
    auth: true,
    throttle: false,
    allowedHosts: [],
    issuerPort: 0,
    empty: false,
    seed: false,
    stage: undefined,
    shards: undefined,
  });
  // The service publishes its description before the first request for it, as a deployment does before all requests.
  await (await fetch(`${service.url}/openapi.json`)).arrayBuffer();
  process.env.AUTH = 'token';
  configureLog(() => {});
});
afterAll(async () => {
  delete process.env.AUTH;
  configureLog();
  await service.stop();
  await place.remove();
});

/** The fault that the check finds in a handler. */
async function faultOf({ event, fault }: Check, run: (event: object) => Promise<unknown>) {
  const end: Promise<Invocation> = run(JSON.parse(JSON.stringify(event('d-1')))).then(
    (value) => ({ kind: 'returned', value }),
    ({ message }: Error) => ({ kind: 'threw', message }),
  );
  return fault(await end);
}

test.each(registry)('the function of $name passes its check', async (resource) => {
  const probe = PROBES[resource.name];
  if (!probe) throw new Error('There is no probe: run npm run generate');
  const handler = serve(resource);
  const run = (event: object) => handler(event as APIGatewayProxyEvent, {} as Context);
  expect(await faultOf(requestCheck(resource.name, probe), run)).toBeUndefined();
});

test('a function that lost its table fails its check', async () => {
  const members = registry.find(({ name }) => name === 'members');
  if (!members) throw new Error('There is no resource members');
  const { TABLES: tables = '' } = process.env;
  process.env.TABLES = 'members=another';
  const handler = serve(members);
  const run = (event: object) => handler(event as APIGatewayProxyEvent, {} as Context);
  const check = requestCheck('members', { path: '/members', query: { limit: '1' } });
  expect(await faultOf(check, run)).toMatch(/^GET \/members got 5/);
  process.env.TABLES = tables;
});

const authorize = () => {
  const authorizer = authorizing(
    { '/': { resource: null } },
    { basePathOf: () => '', isDenied: async () => false },
  );
  return (event: object) => authorizer(event as APIGatewayRequestAuthorizerEvent);
};

test('the authorizer passes its check', async () => {
  expect(await faultOf(tokenCheck, authorize())).toBeUndefined();
});

test('an authorizer with a wrong issuer fails its check', async () => {
  const { ISSUER: issuer = '' } = process.env;
  process.env.ISSUER = 'http://127.0.0.1:1';
  expect(await faultOf(tokenCheck, authorize())).toMatch(
    /^it threw an error: The service cannot get the keys of/,
  );
  process.env.ISSUER = issuer;
});
