import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Template } from '../cdk.ts';
import { type Deployed, onlyOf, type Properties, resolveReference } from './deployed.ts';

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

/** Checks that each method of the API invokes the alias of a function, with a role. */
export function methods({ template, there }: Deployed): void {
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

/** Checks the settings of the authorizer. */
export function authorizer({ template, there }: Deployed): void {
  const { token } = definitionOf(template).components.securitySchemes;
  const settings = token['x-amazon-apigateway-authorizer'] as Properties;
  const [made, ...others] = there.apis[0]?.authorizers ?? [];
  deepStrictEqual(others, []);
  ok(made);
  strictEqual(made.identitySource ?? undefined, settings.identitySource);
  strictEqual(made.authorizerResultTtlInSeconds, settings.authorizerResultTtlInSeconds);
  const arns = Object.values(there.functions).map(({ FunctionArn }) => FunctionArn);
  ok(
    arns.some((arn) => made.authorizerUri.endsWith(`/functions/${arn}:live/invocations`)),
    made.authorizerUri,
  );
}

/** Checks the gateway responses and the stage. */
export function refusals({ template, there }: Deployed): void {
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
  strictEqual(stage?.deploymentId, resolveReference(there, Properties.DeploymentId));
  for (const [name, value] of Object.entries((Properties.Variables ?? {}) as Properties))
    strictEqual(stage?.variables[name], resolveReference(there, value), name);
}
