import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { requestCheck, tokenCheck } from '../../../functions/pre-traffic/check.ts';
import { preTraffic } from '../../../functions/pre-traffic/hook.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { configureLog } from '../../../shared/aws/log.ts';

/** CodeDeploy and Lambda behind one address. */
interface Place {
  group: string;
  appSpec: string;
  /** The results of one invocation after the other; the last one repeats. */
  results: { readonly error?: string; readonly payload: unknown }[];
  invoked: { readonly path: string; readonly event: Record<string, unknown> }[];
  reported: unknown[];
}

const APP_SPEC = JSON.stringify({
  version: '0.0',
  Resources: [
    {
      members: {
        Type: 'AWS::Lambda::Function',
        Properties: { Name: 'stack-members-X', Alias: 'live', CurrentVersion: '6', TargetVersion: '7' },
      },
    },
  ],
  Hooks: [{ BeforeAllowTraffic: 'stack-hook-X' }],
});

let place: Place;
let logged: Record<string, unknown>[];
const found = { payload: { statusCode: 200, body: '{}' } };
const failed = { payload: { statusCode: 500, body: '{}' } };
const threw = (errorMessage: string) => ({ error: 'Unhandled', payload: { errorMessage } });

function codeDeploy(operation: string, input: { readonly [name: string]: unknown }): object {
  const revision = { revisionType: 'String', string: { sha256: 'abc' } };
  if (operation === 'GetDeployment')
    return { deploymentInfo: { applicationName: 'app', deploymentGroupName: place.group, revision } };
  if (operation === 'GetApplicationRevision') {
    expect(input).toEqual({ applicationName: 'app', revision });
    return { revision: { revisionType: 'String', string: { content: place.appSpec, sha256: 'abc' } } };
  }
  place.reported.push(input);
  return {};
}

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { url: path = '', headers } = request;
  const [, operation] = String(headers['x-amz-target'] ?? '').split('.');
  if (operation) {
    response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(codeDeploy(operation, JSON.parse(text))));
    return;
  }
  const result = place.results[Math.min(place.invoked.length, place.results.length - 1)];
  place.invoked.push({ path, event: JSON.parse(text) });
  if (!result) return void response.writeHead(403, { 'x-amzn-ErrorType': 'AccessDenied' }).end('{}');
  response.writeHead(200, result.error ? { 'X-Amz-Function-Error': result.error } : {});
  response.end(JSON.stringify(result.payload));
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  configureClients({ region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  configureLog((_, line) => logged.push(JSON.parse(line)));
});
afterAll(() => {
  delete process.env.AWS_ENDPOINT_URL;
  configureLog();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  place = { group: 'members', appSpec: APP_SPEC, results: [found], invoked: [], reported: [] };
  logged = [];
});

const CHECKS = {
  members: requestCheck('members', { path: '/members', query: { limit: '1' } }),
  authorizer: tokenCheck,
};
const hook = preTraffic(CHECKS, async () => {});

/** Runs the hook. Returns its report to CodeDeploy. */
async function ran(): Promise<unknown> {
  await hook({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' });
  expect(place.reported).toHaveLength(1);
  const [{ deploymentId, lifecycleEventHookExecutionId, status }] = place.reported as [
    Record<string, unknown>,
  ];
  expect([deploymentId, lifecycleEventHookExecutionId]).toEqual(['d-1', 'e-1']);
  return status;
}

test('lets a deployment continue if the new version answers a GET', async () => {
  expect(await ran()).toBe('Succeeded');
  expect(place.invoked).toMatchObject([
    {
      path: '/2015-03-31/functions/stack-members-X/invocations?Qualifier=7',
      event: {
        httpMethod: 'GET',
        resource: '/members',
        multiValueQueryStringParameters: { limit: ['1'] },
        requestContext: {
          requestId: 'd-1',
          authorizer: { principalId: 'pre-traffic', scope: 'members:read' },
        },
      },
    },
  ]);
  expect(logged).toMatchObject([{ level: 'info', deployment: 'd-1', group: 'members', version: '7' }]);
});

test('lets a deployment continue if only the first attempt fails', async () => {
  place.results = [failed, found];
  expect(await ran()).toBe('Succeeded');
  expect(place.invoked).toHaveLength(2);
});

test.each([
  ['answers 500', [failed], 'GET /members got 500'],
  ['refuses the request', [{ payload: { statusCode: 403 } }], 'GET /members got 403'],
  ['does not start', [threw('Cannot find module')], 'it threw an error: Cannot find module'],
  ['returns nothing', [{ payload: null }], 'GET /members got undefined'],
])('stops a deployment and logs the reason if the new version %s', async (_, results, fault) => {
  place.results = results;
  expect(await ran()).toBe('Failed');
  expect(place.invoked).toHaveLength(2);
  expect(logged).toMatchObject([
    { level: 'error', deployment: 'd-1', group: 'members', name: 'stack-members-X', version: '7', fault },
  ]);
});

test('stops a deployment if Lambda refuses the invocation', async () => {
  place.results = [];
  expect(await ran()).toBe('Failed');
  expect(logged[0]?.fault).toMatch(/^Lambda refused: AccessDenied/);
});

test.each([
  ['refuses a forged token', [threw('Unauthorized')], 'Succeeded'],
  ['accepts a forged token', [{ payload: { principalId: 'x' } }], 'Failed'],
  ['cannot read the keys of the issuer', [threw('The service cannot get the keys of x')], 'Failed'],
])('reports for an authorizer that %s', async (_, results, status) => {
  Object.assign(place, { group: 'authorizer', results });
  expect(await ran()).toBe(status);
  const [{ event } = { event: {} }] = place.invoked;
  expect(JSON.stringify(event)).toContain('Bearer ey');
});

test.each([
  [
    'the deployment group has no check',
    { group: 'things' },
    'fault',
    /the deployment group things has no check/,
  ],
  ['the AppSpec names no version', { appSpec: '{}' }, 'error', /deployment d-1 names no new version/],
  ['the AppSpec is not JSON', { appSpec: 'version: 0.0' }, 'error', /SyntaxError/],
])('stops a deployment if %s', async (_, changes, member, reason) => {
  Object.assign(place, changes);
  expect(await ran()).toBe('Failed');
  expect(logged[0]?.[member]).toMatch(reason);
  expect(place.invoked).toEqual([]);
});
