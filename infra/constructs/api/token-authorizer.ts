import { IdentitySource } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction, Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { DENIED_SUBJECTS } from '../../../shared/store/idempotency/denied-subjects.ts';
import { type Options, pathPrefix } from '../../options.ts';
import { bundledFunction } from '../functions/bundled-function.ts';
import { allowing } from '../stores/grants.ts';
import type { Tables } from '../stores/tables.ts';
import { API_KEY, AUTHORIZER, type Definition, invocation } from './paths.ts';

/** Seconds that API Gateway waits for the authorizer. */
const TIMEOUT_SECONDS = 10;
/** Seconds that API Gateway caches a decision of the authorizer. Functions refuse a token that expires meanwhile. */
const CACHE_SECONDS = 300;

/** The issuer whose tokens the API accepts, and the form of its tokens. */
export interface Issuer {
  readonly issuer: string;
  /** The required `aud`; undefined: a scope of this API in the token is enough. */
  readonly audience?: string | undefined;
  readonly scopePrefix: string;
  readonly jwksUri?: string | undefined;
}

/** Returns the environment variables of the functions that verify tokens. */
export const issuerVariables = ({ issuer, audience, scopePrefix, jwksUri }: Issuer) => ({
  ISSUER: issuer,
  SCOPE_PREFIX: scopePrefix,
  ...(audience === undefined ? {} : { AUDIENCE: audience }),
  ...(jwksUri === undefined ? {} : { JWKS_URI: jwksUri }),
});

export interface TokenAuthorizerProps {
  readonly issuer: Issuer;
  /** One of them has the subjects that an operator denies access. */
  readonly tables: Tables;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly options: Options;
}

/** Lets a function read the row with the subjects that operators deny access, and no other row of its table. */
export const letReadDenied = (grantee: IFunction, { kept }: Tables): void =>
  allowing(grantee)({
    actions: ['dynamodb:GetItem'],
    resources: [kept.tableArn],
    conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [DENIED_SUBJECTS] } },
  });

/** The function that decides about each request to a path that is not public. */
export class TokenAuthorizer extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, id: string, { issuer, tables, bundle, options }: TokenAuthorizerProps) {
    super(scope, id);
    this.lambda = bundledFunction(this, {
      name: 'authorizer',
      description: 'Verifies tokens and compares scopes',
      bundle,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        ...issuerVariables(issuer),
        BASE_PATH: pathPrefix(options),
        ...tables.variable([IDEMPOTENCY_TABLE.name]),
      },
      options,
    });
    letReadDenied(this.lambda, tables);
  }
}

/**
 * Returns the authorizer of the API and the API key that it names. API Gateway calls it before the function of a
 * resource. It caches a decision only for the same token, method and path template.
 *
 * With a cache, API Gateway itself refuses a request without one of the identity sources. A browser has no
 * `Authorization`, so an API whose pages have a sign-in has neither (decision 52). API Gateway requires the name `Unused`
 * for an authorizer that does not read a single header field.
 *
 * Source: API Gateway Developer Guide, "Configure a Lambda authorizer", "Enable authorization caching",
 * "x-amazon-apigateway-authorizer object", "Configure a method to use API keys with an OpenAPI definition".
 */
export const authorizersOf = (
  lambda: IFunction,
  { invoker, isCached }: { readonly invoker: string; readonly isCached: boolean },
): Definition => ({
  [AUTHORIZER]: {
    type: 'apiKey',
    in: 'header',
    name: 'Unused',
    'x-amazon-apigateway-authtype': 'custom',
    'x-amazon-apigateway-authorizer': {
      type: 'request',
      authorizerUri: invocation(lambda),
      authorizerCredentials: invoker,
      ...(isCached
        ? {
            identitySource: [
              IdentitySource.header('Authorization'),
              IdentitySource.context('httpMethod'),
              IdentitySource.context('resourcePath'),
            ].join(','),
            authorizerResultTtlInSeconds: CACHE_SECONDS,
          }
        : { authorizerResultTtlInSeconds: 0 }),
    },
  },
  // API Gateway knows this name: a method that requires it needs an API key.
  [API_KEY]: { type: 'apiKey', in: 'header', name: 'x-api-key' },
});
