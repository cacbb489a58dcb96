import { Duration } from 'aws-cdk-lib';
import { type IAuthorizer, IdentitySource, RequestAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { AUTHORIZER_CACHE_SECONDS } from '../../gateway/authorizer-cache.ts';
import type { Options } from '../../options.ts';
import { bundledFunction } from '../functions/bundled-function.ts';

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

/**
 * Authorizes each request to a path that is not public, before API Gateway calls the function. API Gateway caches a
 * decision only for the same token, method and path template.
 *
 * Source: API Gateway Developer Guide, "Configure a Lambda authorizer", "Enable authorization caching".
 */
export class TokenAuthorizer extends Construct {
  readonly authorizer: IAuthorizer;
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
    // Another id makes another authorizer, whose cache has no decision without an API key.
    this.authorizer = new RequestAuthorizer(this, 'callers', {
      handler: this.lambda,
      identitySources: [
        IdentitySource.header('Authorization'),
        IdentitySource.context('httpMethod'),
        IdentitySource.context('resourcePath'),
      ],
      resultsCacheTtl: Duration.seconds(AUTHORIZER_CACHE_SECONDS),
    });
  }
}
