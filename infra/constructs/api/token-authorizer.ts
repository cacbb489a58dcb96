import { IdentitySource } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction, Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { AUTHORIZER_CACHE_SECONDS } from '../../gateway/authorizer-cache.ts';
import type { Options } from '../../options.ts';
import { bundledFunction } from '../functions/bundled-function.ts';
import { API_KEY, AUTHORIZER, type Definition, invocation } from './paths.ts';

/** Seconds that API Gateway waits for the authorizer. */
const TIMEOUT_SECONDS = 10;

/** The issuer whose tokens the API accepts, and the form of its tokens. */
export interface Issuer {
  readonly issuer: string;
  /** The required `aud`; undefined: a scope of this API in the token is enough. */
  readonly audience?: string | undefined;
  readonly scopePrefix: string;
  readonly jwksUri?: string | undefined;
}

export interface TokenAuthorizerProps {
  readonly issuer: Issuer;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly options: Options;
}

/** The function that decides about each request to a path that is not public. */
export class TokenAuthorizer extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, id: string, { issuer, bundle, options }: TokenAuthorizerProps) {
    super(scope, id);
    this.lambda = bundledFunction(this, {
      name: 'authorizer',
      description: 'Verifies tokens and compares scopes',
      bundle,
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        ISSUER: issuer.issuer,
        SCOPE_PREFIX: issuer.scopePrefix,
        ...(issuer.audience === undefined ? {} : { AUDIENCE: issuer.audience }),
        ...(issuer.jwksUri === undefined ? {} : { JWKS_URI: issuer.jwksUri }),
      },
      options,
    });
  }
}

/**
 * The authorizer of the API and the API key that it names. API Gateway calls it before the function of a resource. It
 * caches a decision only for the same token, method and path template.
 *
 * Source: API Gateway Developer Guide, "Configure a Lambda authorizer", "Enable authorization caching",
 * "x-amazon-apigateway-authorizer object", "Configure a method to use API keys with an OpenAPI definition".
 */
export const authorizersOf = (lambda: IFunction, invoker: string): Definition => ({
  [AUTHORIZER]: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    'x-amazon-apigateway-authtype': 'custom',
    'x-amazon-apigateway-authorizer': {
      type: 'request',
      authorizerUri: invocation(lambda),
      authorizerCredentials: invoker,
      identitySource: [
        IdentitySource.header('Authorization'),
        IdentitySource.context('httpMethod'),
        IdentitySource.context('resourcePath'),
      ].join(','),
      authorizerResultTtlInSeconds: AUTHORIZER_CACHE_SECONDS,
    },
  },
  // API Gateway knows this name: a method that requires it needs an API key.
  [API_KEY]: { type: 'apiKey', in: 'header', name: 'x-api-key' },
});
