/** What MiniStack lacks, and how a template does without it. docs/rehearsal.md has the same list. */

import type { Declared } from '../cdk.ts';

/** Resource types that MiniStack refuses, or cannot complete, with the reason. The deployment leaves them out. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::ApiKey': 'MiniStack takes keys from requests alone, and not from the authorizer',
  'AWS::ApiGateway::UsagePlan': 'MiniStack limits no requests',
  'AWS::ApiGateway::UsagePlanKey': 'MiniStack limits no requests',
  'AWS::Cognito::ManagedLoginBranding': 'MiniStack refuses the type',
  'Custom::CDKBucketDeployment': 'the function of the CDK needs Python and the AWS CLI of Lambda',
  'Custom::S3AutoDeleteObjects': 'the function of the CDK needs the SDK of Lambda’s runtime',
};

/** Other changes of the template, with the reason. */
export const CHANGED: Readonly<Record<string, string>> = {
  'x-amazon-apigateway-any-method': 'MiniStack does not read it: each path names its methods',
  'keys of callers at methods': 'MiniStack takes keys from requests alone, and not from the authorizer',
  'ProviderURL of the user pool': 'MiniStack has no such attribute: the address is written out',
  'JWKS_URI of the authorizer': 'the keys of the user pool are in MiniStack, and not at AWS',
};

const ANY_METHOD = 'x-amazon-apigateway-any-method';
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A template file of a synthesis. */
export interface TemplateFile {
  readonly Resources: Readonly<Record<string, Declared & { readonly DependsOn?: string | string[] }>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

/** Returns a template that MiniStack can deploy. `url`: its address. */
export function adapted({ Resources, Outputs = {}, ...others }: TemplateFile, url: string): TemplateFile {
  const kept = Object.entries(Resources).filter(([, { Type }]) => !(Type in LEFT_OUT));
  const names = new Set(kept.map(([id]) => id));
  const isThere = (id: string) => names.has(id) || !(id in Resources);
  const pool = kept.find(([, { Type }]) => Type === 'AWS::Cognito::UserPool')?.[0];
  const resources = kept.map(([id, one]) => {
    const needed = [one.DependsOn ?? []].flat().filter(isThere);
    const { DependsOn: _, ...rest } = one;
    const declared = needed.length > 0 ? { ...rest, DependsOn: needed } : rest;
    return [id, rewritten(pool === undefined ? declared : withKeys(declared, pool, url))];
  });
  const outputs = Object.entries(Outputs).filter(([, output]) =>
    referencesIn(output).every((id) => isThere(id)),
  );
  return {
    ...others,
    Resources: Object.fromEntries(resources),
    ...(outputs.length > 0
      ? { Outputs: Object.fromEntries(outputs.map(([name, one]) => [name, rewritten(one)])) }
      : {}),
  };
}

/** Returns the function that judges tokens with the address of the keys; any other resource as it is. */
function withKeys(one: Declared, pool: string, url: string): Declared {
  const variables = isObject(one.Properties?.Environment) ? one.Properties.Environment.Variables : undefined;
  if (one.Type !== 'AWS::Lambda::Function' || !isObject(variables) || !('ISSUER' in variables)) return one;
  const JWKS_URI = { 'Fn::Sub': `${url}/\${${pool}}/.well-known/jwks.json` };
  const Environment = { Variables: { ...variables, JWKS_URI } };
  return { ...one, Properties: { ...one.Properties, Environment } };
}

/** Returns a value with a method for each of any, and without the attribute that user pools lack. */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !(isObject(one) && 'api_key' in one)).map(rewritten);
  if (!isObject(value)) return value;
  const [pool, attribute] = Array.isArray(value['Fn::GetAtt']) ? value['Fn::GetAtt'] : [];
  if (attribute === 'ProviderURL')
    return { 'Fn::Sub': `https://cognito-idp.\${AWS::Region}.amazonaws.com/\${${pool}}` };
  const { [ANY_METHOD]: any, ...rest } = value;
  const methods = any === undefined ? [] : METHODS.map((method) => [method, any]);
  return Object.fromEntries(
    [...methods, ...Object.entries(rest)].map(([name, one]) => [name, rewritten(one)]),
  );
}

/** Returns the logical ids that a value names. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  const { Ref, 'Fn::GetAtt': attribute } = value;
  const named = [Ref, Array.isArray(attribute) ? attribute[0] : undefined].filter(
    (id) => typeof id === 'string',
  );
  return [...named, ...Object.values(value).flatMap(referencesIn)];
}
