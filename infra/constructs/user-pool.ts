import { Aws, Fn } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPoolClient,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { scopesOf } from '../../shared/resource/access.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Options } from '../options.ts';
import { retention } from './retention.ts';
import type { Issuer } from './token-authorizer.ts';

/**
 * Callers and their tokens, where no other issuer is named: an Amazon Cognito user pool with the scopes of all resources
 * and one client, a program, that gets tokens by its credentials (RFC 6749 §4.4). Nobody signs up by themselves.
 *
 * Source: Amazon Cognito Developer Guide, "Scopes, M2M, and resource servers", "Security best practices for user pools".
 */
export class CallerPool extends Construct {
  readonly issuer: Issuer;
  readonly clientId: string;
  readonly tokenEndpoint: string;

  constructor(
    scope: Construct,
    id: string,
    { registry, options }: { registry: readonly Resource[]; options: Options },
  ) {
    super(scope, id);
    const { name, authDomain } = options;
    const pool = new UserPool(this, 'pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
      },
      featurePlan: FeaturePlan.ESSENTIALS,
      ...retention(options),
    });
    const scopes = registry
      .flatMap(scopesOf)
      .map((scopeName) => new ResourceServerScope({ scopeName, scopeDescription: `May ${scopeName}` }));
    const api = pool.addResourceServer('api', { identifier: name, scopes });
    const client = pool.addClient('program', {
      generateSecret: true,
      authFlows: {},
      oAuth: {
        flows: { clientCredentials: true },
        scopes: scopes.map((one) => OAuthScope.resourceServer(api, one)),
      },
      enableTokenRevocation: true,
    });
    // Where programs are the only callers there is nobody whose provider could be chosen.
    (client.node.defaultChild as CfnUserPoolClient).addPropertyDeletionOverride('SupportedIdentityProviders');
    const domain = pool.addDomain('domain', {
      cognitoDomain: { domainPrefix: authDomain ?? Fn.join('-', [name.toLowerCase(), Aws.ACCOUNT_ID]) },
    });
    this.clientId = client.userPoolClientId;
    this.tokenEndpoint = `${domain.baseUrl()}/oauth2/token`;
    // Whatever program of the pool was given a scope of this API may call it.
    this.issuer = { issuer: pool.userPoolProviderUrl, scopePrefix: `${name}/` };
  }
}
