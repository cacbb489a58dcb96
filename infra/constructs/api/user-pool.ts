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
import { AUDIT_SCOPE, scopesOf } from '../../../shared/resource/access.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Options } from '../../options.ts';
import { retention } from '../functions/retention.ts';
import type { Issuer } from './token-authorizer.ts';

/**
 * The token issuer, if the operator names no other: an Amazon Cognito user pool with the scopes of all resources. It
 * has one client, a program that gets tokens with its own credentials (RFC 6749 §4.4). Self-registration is off.
 * An operator adds a client for programs that see the authors of items (`audit:read`).
 *
 * Source: Amazon Cognito Developer Guide, "Scopes, M2M, and resource servers", "Security best practices for user
 * pools".
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
    const scopeOf = (scopeName: string) =>
      new ResourceServerScope({ scopeName, scopeDescription: `May ${scopeName}` });
    const scopes = registry.flatMap(scopesOf).map(scopeOf);
    // A program gets all scopes of its client if it names none. This client must not see the authors of items.
    const api = pool.addResourceServer('api', {
      identifier: name,
      scopes: [...scopes, scopeOf(AUDIT_SCOPE)],
    });
    const client = pool.addClient('program', {
      generateSecret: true,
      authFlows: {},
      oAuth: {
        flows: { clientCredentials: true },
        scopes: scopes.map((one) => OAuthScope.resourceServer(api, one)),
      },
      enableTokenRevocation: true,
    });
    // All callers are programs, so there is no choice of an identity provider.
    (client.node.defaultChild as CfnUserPoolClient).addPropertyDeletionOverride('SupportedIdentityProviders');
    const domain = pool.addDomain('domain', {
      cognitoDomain: { domainPrefix: authDomain ?? Fn.join('-', [name.toLowerCase(), Aws.ACCOUNT_ID]) },
    });
    this.clientId = client.userPoolClientId;
    this.tokenEndpoint = `${domain.baseUrl()}/oauth2/token`;
    // Any program of the pool that has a scope of this API can call it.
    this.issuer = { issuer: pool.userPoolProviderUrl, scopePrefix: `${name}/` };
  }
}
