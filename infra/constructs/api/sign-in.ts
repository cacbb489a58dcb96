import { Aws, CfnOutput, Fn, type Stack } from 'aws-cdk-lib';
import type { CfnStage, RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { SIGN_IN, SIGN_IN_CLIENT } from '../../../shared/http/sign-in.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { addressOf, type Options } from '../../options.ts';
import { type Issuer, issuerVariables } from './token-authorizer.ts';
import { CallerPool } from './user-pool.ts';

/**
 * True if people can sign in on pages: the issuer has a client for them, and the address of the pages is known before
 * the deployment of the edge.
 */
export const hasSignIn = ({ pages, auth, local, issuer, signInClient, edge, domainName }: Options): boolean =>
  pages &&
  auth === 'token' &&
  !local &&
  (issuer === undefined || signInClient !== undefined) &&
  (!edge || domainName !== undefined);

/** The issuer of the tokens of a stack: its own user pool (`pool`), or an issuer that the operator names. */
export interface StackIssuer {
  readonly issuer: Issuer;
  readonly pool?: CallerPool;
}

/** Returns the issuer that the operator named, or a new user pool of the stack; undefined if no caller needs a token. */
export function issuerOf(
  stack: Stack,
  { registry, options }: { readonly registry: readonly Resource[]; readonly options: Options },
): StackIssuer | undefined {
  const { local, auth, issuer: named, audience, scopePrefix, jwksUri } = options;
  if (local || auth === 'none') return undefined;
  const pool = named === undefined ? new CallerPool(stack, 'callers', { registry, options }) : undefined;
  const issuer = pool?.issuer ?? { issuer: String(named), audience, scopePrefix, jwksUri };
  const output = (id: string, value: string, description: string) =>
    new CfnOutput(stack, id, { value, description });
  output('Issuer', issuer.issuer, 'Whose tokens let callers in');
  if (!pool) return { issuer };
  if (pool.clientId !== undefined)
    output('ClientId', pool.clientId, 'The program that may get tokens; its secret is in the user pool');
  output('TokenEndpoint', pool.tokenEndpoint, 'Where programs get tokens');
  output('UserPool', pool.poolId, 'Where operators add people and programs');
  return { issuer, pool };
}

/**
 * Names the issuer to the function of the sign-in, which also has the metadata for programs. Makes the client of the
 * issuer a variable of the stage. A variable of a function would be a circle: the client names the API, and the API names
 * its functions. Without a client, pages have no sign-in.
 */
export function letPeopleSignIn(
  stack: Stack,
  { issuer, pool }: StackIssuer,
  { api, lambda, options }: { readonly api: RestApiBase; readonly lambda: Lambda; readonly options: Options },
): void {
  const { domainName, stage, edge, signInClient } = options;
  // Without a host of its own, the address of an edge is unknown.
  if (edge && domainName === undefined) return;
  for (const [name, value] of Object.entries(issuerVariables(issuer))) lambda.addEnvironment(name, value);
  if (edge) lambda.addEnvironment('PAGES_ORIGIN', `https://${domainName}`);
  if (!hasSignIn(options)) return;
  if (pool?.signInScopes) lambda.addEnvironment('SIGN_IN_SCOPES', pool.signInScopes.join(' '));
  const url =
    addressOf(options) ??
    `https://${Fn.join('.', [api.restApiId, 'execute-api', Aws.REGION, Aws.URL_SUFFIX])}/${stage}`;
  const client = pool ? pool.addPages(url) : signInClient;
  if (client !== undefined)
    (api.deploymentStage.node.defaultChild as CfnStage).variables = { [SIGN_IN_CLIENT]: client };
  new CfnOutput(stack, 'SignIn', { value: url + SIGN_IN, description: 'Where people sign in' });
}
