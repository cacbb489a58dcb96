import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Check } from '../../test/support/checks.ts';
import type { Declared, Template } from './cdk.ts';
import { NOT_MADE, type TableMade, type There } from './moto.ts';

/** A template and the resources that moto created from it. */
export interface Deployed {
  readonly template: Template;
  readonly there: There;
}

type Properties = Readonly<Record<string, unknown>>;

/** The resources of a type, by logical id. */
const ofType = ({ Resources }: Template, type: string): [id: string, declared: Declared][] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type);

function onlyOf(template: Template, type: string): [id: string, declared: Declared] {
  const [found, ...others] = ofType(template, type);
  ok(found && others.length === 0, `The number of ${type} is not one`);
  return found;
}

/** The physical id of a reference, or the text itself; undefined for a value of several parts. */
function resolved({ resources }: There, value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { Ref } = value as { Ref?: string };
  return Ref === undefined ? undefined : resources[Ref];
}

const physical = ({ resources }: There, id: string): string => {
  const name = resources[id];
  ok(name, `${id} is not in the stack`);
  return name;
};

/** Checks that moto has the resources of the template, with the properties that moto supports. */
export async function present(check: Check, deployed: Deployed): Promise<void> {
  const { template, there } = deployed;
  const count = (type: string) => ofType(template, type).length;
  await check(`${Object.keys(template.Resources).length} resources are in the stack`, () => {
    deepStrictEqual(Object.keys(there.resources).sort(), Object.keys(template.Resources).sort());
  });
  await check('every output has a value', () => {
    deepStrictEqual(Object.keys(there.outputs).sort(), Object.keys(template.Outputs).sort());
    for (const [name, value] of Object.entries(there.outputs))
      ok(/^[\w:/.@-]+$/.test(value), `${name}: ${value}`);
    const [api] = there.apis;
    strictEqual(there.outputs.URL, `https://${api?.id}.execute-api.us-east-1.amazonaws.com/v1`);
  });
  await check(`${count('AWS::DynamoDB::GlobalTable')} tables: keys, indexes, protection, streams`, () =>
    tables(deployed),
  );
  await check(`${count('AWS::SQS::Queue')} queues: times and dead-letter queues`, () => queues(deployed));
  await check('the bucket, and the bus of events', () => {
    for (const [id] of ofType(template, 'AWS::S3::Bucket')) ok(there.buckets.includes(physical(there, id)));
    for (const [id] of ofType(template, 'AWS::Events::EventBus'))
      ok(there.buses.includes(physical(there, id)));
  });
  await check(`${count('AWS::Lambda::Function')} functions: code, memory, time-out, environment`, () =>
    functions(deployed),
  );
  await check(`${count('AWS::Lambda::EventSourceMapping')} queues and streams invoke functions`, () =>
    sources(deployed),
  );
  await check('every path of the API: its methods invoke functions', () => methods(deployed));
  await check('the authorizer: its header field and the lifetime of its results', () => authorizer(deployed));
  await check('the gateway responses, on the stage', () => refusals(deployed));
}

function tables({ template, there }: Deployed): void {
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::DynamoDB::GlobalTable')) {
    const made = there.tables[physical(there, id)];
    ok(made, id);
    const [replica = {}] = Properties.Replicas as Properties[];
    deepStrictEqual(madeOf(made), {
      KeySchema: Properties.KeySchema,
      GlobalSecondaryIndexes: Properties.GlobalSecondaryIndexes ?? [],
      BillingMode: Properties.BillingMode,
      protected: replica.DeletionProtectionEnabled ?? false,
      streams: Properties.StreamSpecification !== undefined,
      expires: (Properties.TimeToLiveSpecification as Properties | undefined)?.AttributeName,
      restorable: replica.PointInTimeRecoverySpecification !== undefined,
    });
  }
}

const madeOf = (made: TableMade) => ({
  KeySchema: made.KeySchema,
  GlobalSecondaryIndexes: (made.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  })),
  BillingMode: made.BillingModeSummary.BillingMode,
  protected: made.DeletionProtectionEnabled,
  streams: made.LatestStreamArn !== undefined,
  expires: made.TimeToLive.AttributeName,
  restorable: made.Backups.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus === 'ENABLED',
});

function queues({ template, there }: Deployed): void {
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::SQS::Queue')) {
    const made = queue(there, id);
    ok(made, id);
    strictEqual(made.VisibilityTimeout, String(Properties.VisibilityTimeout ?? 30), id);
    strictEqual(made.MessageRetentionPeriod, String(Properties.MessageRetentionPeriod ?? 345_600), id);
    ok(made.Policy?.includes('aws:SecureTransport'), id);
    const redrive = Properties.RedrivePolicy as
      | { deadLetterTargetArn: { 'Fn::GetAtt': [string] } }
      | undefined;
    if (redrive === undefined) continue;
    const dead = queue(there, redrive.deadLetterTargetArn['Fn::GetAtt'][0]);
    strictEqual(JSON.parse(made.RedrivePolicy as string).deadLetterTargetArn, dead?.QueueArn, id);
  }
}

/** Finds a queue by its name, because the host in its URL depends on the host of the request. */
function queue(there: There, id: string) {
  const nameOf = (url: string) => url.split('/').at(-1);
  const name = nameOf(physical(there, id));
  return Object.entries(there.queues).find(([url]) => nameOf(url) === name)?.[1];
}

/** A value without references, or a dynamic reference to a secret, which moto does not resolve. */
const RESOLVED = /^(?:[^{}<>]*|\{\{resolve:secretsmanager:[^{}<>]+\}\})$/;

interface Alias {
  readonly Name: string;
  readonly FunctionName: { readonly Ref: string };
  readonly FunctionVersion: { readonly 'Fn::GetAtt': readonly [version: string, attribute: 'Version'] };
}

function functions({ template, there }: Deployed): void {
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::Lambda::Function')) {
    const made = there.functions[physical(there, id)];
    ok(made, id);
    ok(made.CodeSize > 0, id);
    const { Runtime, Handler, MemorySize, Timeout } = made;
    const said = ['Runtime', 'Handler', 'MemorySize', 'Timeout'].map((name) => Properties[name]);
    deepStrictEqual([Runtime, Handler, MemorySize, Timeout], said, id);
    const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Properties };
    for (const [name, value] of Object.entries(Variables)) {
      const actual: string | undefined = made.Environment.Variables[name];
      strictEqual(actual, resolved(there, value) ?? actual, `${id} has ${name}`);
      ok(actual !== undefined && RESOLVED.test(actual), `${id} has ${name}: ${actual}`);
    }
  }
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::Lambda::Alias')) {
    const { FunctionName, FunctionVersion, Name } = Properties as unknown as Alias;
    const [live] = there.functions[physical(there, FunctionName.Ref)]?.aliases ?? [];
    const version = physical(there, FunctionVersion['Fn::GetAtt'][0]).split(':').at(-1);
    deepStrictEqual([live?.Name, live?.FunctionVersion], [Name, version], id);
  }
}

function sources({ template, there }: Deployed): void {
  const arns = new Set([
    ...Object.values(there.tables).map(({ LatestStreamArn }) => LatestStreamArn),
    ...Object.values(there.queues).map(({ QueueArn }) => QueueArn),
  ]);
  const readers = new Set(Object.values(there.functions).map(({ FunctionArn }) => FunctionArn));
  strictEqual(there.sources.length, ofType(template, 'AWS::Lambda::EventSourceMapping').length);
  for (const { EventSourceArn, FunctionArn } of there.sources) {
    ok(arns.has(EventSourceArn), EventSourceArn);
    ok(readers.has(FunctionArn), FunctionArn);
  }
}

/** The parts of the OpenAPI document that the checks read. */
interface Definition {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: unknown }>>>>;
  readonly components: { readonly securitySchemes: { readonly token: Properties } };
  readonly 'x-amazon-apigateway-gateway-responses': Readonly<
    Record<string, { readonly statusCode?: string }>
  >;
}

function definitionOf(template: Template): Definition {
  const [, { Properties = {} }] = onlyOf(template, 'AWS::ApiGateway::RestApi');
  return Properties.Body as Definition;
}

function methods({ template, there }: Deployed): void {
  const [api] = there.apis;
  const made = (api?.paths ?? []).flatMap(({ path, resourceMethods = {} }) =>
    Object.entries(resourceMethods).map(([method, said]) => ({ name: `${method} ${path}`, ...said })),
  );
  const declared = Object.values(definitionOf(template).paths).flatMap((one) => Object.values(one));
  strictEqual(made.length, declared.length);
  const functions = new Set(Object.values(there.functions).map(({ FunctionArn }) => FunctionArn));
  for (const { name, methodIntegration } of made) {
    const { type, uri, credentials } = methodIntegration;
    strictEqual(type, 'AWS_PROXY', name);
    const [, arn = '', alias] = /functions\/(arn:[^/]+?)(?::(live))?\/invocations$/.exec(uri) ?? [];
    ok(functions.has(arn), `${name} leads to ${uri}`);
    strictEqual(alias, 'live', name);
    ok(/^arn:aws:iam::\d+:role\//.test(credentials), name);
  }
  const judged = made.filter(({ authorizationType }) => authorizationType === 'CUSTOM');
  strictEqual(judged.length, declared.filter(({ security }) => security !== undefined).length);
}

function authorizer({ template, there }: Deployed): void {
  const { token } = definitionOf(template).components.securitySchemes;
  const settings = token['x-amazon-apigateway-authorizer'] as Properties;
  const [made, ...others] = there.apis[0]?.authorizers ?? [];
  deepStrictEqual(others, []);
  ok(made);
  strictEqual(made.identitySource, settings.identitySource);
  strictEqual(made.authorizerResultTtlInSeconds, settings.authorizerResultTtlInSeconds);
  const arns = Object.values(there.functions).map(({ FunctionArn }) => FunctionArn);
  ok(
    arns.some((arn) => made.authorizerUri.endsWith(`/functions/${arn}:live/invocations`)),
    made.authorizerUri,
  );
}

function refusals({ template, there }: Deployed): void {
  const [api] = there.apis;
  const said = Object.entries(definitionOf(template)['x-amazon-apigateway-gateway-responses']).map(
    ([type, { statusCode }]) => [type, statusCode],
  );
  const made = api?.refusals.map(({ responseType, statusCode }) => [responseType, statusCode]) ?? [];
  deepStrictEqual(made.sort(), said.sort());
  const [stage, ...others] = api?.stages ?? [];
  deepStrictEqual(others, []);
  const [, { Properties = {} }] = onlyOf(template, 'AWS::ApiGateway::Stage');
  strictEqual(stage?.stageName, Properties.StageName);
  strictEqual(stage?.deploymentId, resolved(there, Properties.DeploymentId));
}

/** Checks that the stack is deleted and the retained resources still exist. */
export async function destroyed(check: Check, { template, there }: Deployed, after: There): Promise<void> {
  const kept = (type: string) =>
    ofType(template, type)
      .filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')
      .map(([id]) => physical(there, id))
      .sort();
  await check('destroyed: the stack, its functions and queues are gone', () => {
    deepStrictEqual([after.outputs, after.resources], [{}, {}]);
    deepStrictEqual([after.functions, after.queues], [{}, {}]);
  });
  await check('destroyed: only tables with data and the bucket remain', () => {
    const tables = kept('AWS::DynamoDB::GlobalTable');
    ok(tables.length > 0);
    deepStrictEqual(Object.keys(after.tables).sort(), tables);
    for (const name of kept('AWS::S3::Bucket')) ok(after.buckets.includes(name));
  });
}

/** The resource types of the template that moto lacks, with a line for each. */
export function notMade(template: Template): string[] {
  return Object.entries(NOT_MADE)
    .map(([type, reason]) => ({ type, reason, count: ofType(template, type).length }))
    .filter(({ count }) => count > 0)
    .map(({ type, reason, count }) => `${count} × ${type}: ${reason}`);
}
