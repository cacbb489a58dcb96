import { Aws, Duration, Fn } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnManagedLoginBranding,
  type CfnUserPoolClient,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { SIGN_IN, SIGN_OUT } from '../../../shared/http/sign-in.ts';
import { WIDE_SCOPES } from '../../../shared/resource/access/access.ts';
import { fieldScopesOf, scopesOf } from '../../../shared/resource/access/scopes.ts';
import { AUDIT_SCOPE } from '../../../shared/resource/access/sight.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Options } from '../../options.ts';
import { RELEASED } from '../../stored.ts';
import { retention } from '../functions/retention.ts';
import type { Issuer } from './token-authorizer.ts';

/** Maximum numbers of scopes. Source: Amazon Cognito Developer Guide, "Quotas in Amazon Cognito". */
const MAXIMUM = { client: 50, 'resource server': 100 };
/** Scopes of OpenID Connect of the client for pages. */
const IDENTITY = [OAuthScope.OPENID, OAuthScope.PROFILE, OAuthScope.EMAIL];

/** @throws Error if a client or a resource server with so many scopes is impossible */
function refuseTooMany(what: keyof typeof MAXIMUM, scopes: number): void {
  if (scopes > MAXIMUM[what])
    throw new Error(
      `The resources need ${scopes} scopes, and a ${what} of the user pool has at most ${MAXIMUM[what]}: set issuer, or leave resources out`,
    );
}

/**
 * Returns the fewest scopes for every path of these resources: the wide ones, and those of actions with a scope of their
 * own.
 */
const fewestScopesOf = (registry: readonly Resource[]): string[] => [
  ...WIDE_SCOPES,
  ...new Set(
    registry.flatMap((one) =>
      scopesOf(one).filter((scope) => ![`${one.name}:read`, `${one.name}:write`].includes(scope)),
    ),
  ),
];

/**
 * Returns the scopes of the clients of the stack: those of all resources one by one, if a client can have so many.
 * Otherwise the wide ones, and the pairs of as many resources as fit. Resources of the last release come first, because
 * programs may ask for their scopes by name.
 */
function clientScopesOf(registry: readonly Resource[], options: Options) {
  const room = MAXIMUM.client - (options.pages ? IDENTITY.length : 0);
  const all = registry.flatMap(scopesOf);
  if (all.length <= room) return { names: all, wide: undefined };
  const wide = fewestScopesOf(registry);
  refuseTooMany('client', MAXIMUM.client - room + wide.length);
  const isReleased = ({ name }: Resource) => Object.hasOwn(RELEASED, name);
  const inOrder = [...registry.filter(isReleased), ...registry.filter((one) => !isReleased(one))];
  const others = inOrder.flatMap(scopesOf).filter((one) => !wide.includes(one));
  return { names: [...wide, ...others].slice(0, room), wide };
}

/**
 * The token issuer, if the operator names no other: an Amazon Cognito user pool with the scopes of all resources. It
 * has a client for the sign-in of people on pages, and if the operator asks for it one for programs, which get tokens with
 * their own credentials (RFC 6749 §4.4). Self-registration is off: an operator adds the people. An operator also adds a
 * client for programs with other scopes, such as those that see the authors of items (`audit:read`).
 *
 * Source: Amazon Cognito Developer Guide, "Scopes, M2M, and resource servers", "Security best practices for user
 * pools".
 */
export class CallerPool extends Construct {
  readonly issuer: Issuer;
  /** The client for programs; undefined: the operator adds the clients. */
  readonly clientId: string | undefined;
  readonly tokenEndpoint: string;
  readonly poolId: string;
  /** The scopes for people, if a client cannot have the scopes of all resources one by one. */
  readonly signInScopes: readonly string[] | undefined;
  readonly #pool: UserPool;
  readonly #scopes: readonly OAuthScope[];

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
    // A program gets all scopes of its client if it names none. The clients of the stack must not see the authors of
    // items, and no field that needs a scope of its own.
    const special = [AUDIT_SCOPE, ...registry.flatMap(fieldScopesOf)];
    const all = [...new Set([...registry.flatMap(scopesOf), ...special, ...WIDE_SCOPES])];
    refuseTooMany('resource server', all.length);
    const api = pool.addResourceServer('api', { identifier: name, scopes: all.map(scopeOf) });
    this.#pool = pool;
    this.poolId = pool.userPoolId;
    const { names, wide } = clientScopesOf(registry, options);
    this.signInScopes = wide;
    this.#scopes = names.map((one) => OAuthScope.resourceServer(api, scopeOf(one)));
    const domain = pool.addDomain('domain', {
      cognitoDomain: { domainPrefix: authDomain ?? Fn.join('-', [name.toLowerCase(), Aws.ACCOUNT_ID]) },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    const reading = names.filter((one) => one.endsWith(':read')).map(scopeOf);
    const readScopes = reading.map((one) => OAuthScope.resourceServer(api, one));
    this.clientId =
      options.program === 'none'
        ? undefined
        : this.#addProgram(options.program === 'read' ? readScopes : this.#scopes);
    this.tokenEndpoint = `${domain.baseUrl()}/oauth2/token`;
    // Any program of the pool that has a scope of this API can call it.
    this.issuer = { issuer: pool.userPoolProviderUrl, scopePrefix: `${name}/` };
  }

  /** Adds the client for programs. Returns its identifier. */
  #addProgram(scopes: readonly OAuthScope[]): string {
    const client = this.#pool.addClient('program', {
      generateSecret: true,
      authFlows: {},
      oAuth: { flows: { clientCredentials: true }, scopes: [...scopes] },
      enableTokenRevocation: true,
    });
    // Programs use this client, so there is no choice of an identity provider.
    (client.node.defaultChild as CfnUserPoolClient).addPropertyDeletionOverride('SupportedIdentityProviders');
    return client.userPoolClientId;
  }

  /**
   * Adds the client for the sign-in on pages, and the look of the login page. A browser keeps no secret, so its proof
   * is the code verifier. `url`: the address of the API. Returns the identifier of the client.
   *
   * Source: Amazon Cognito Developer Guide, "Application-specific settings with app clients", "Managed login branding";
   * RFC 7636.
   */
  addPages(url: string): string {
    const client = this.#pool.addClient('pages', {
      generateSecret: false,
      authFlows: { userSrp: true },
      preventUserExistenceErrors: true,
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [...IDENTITY, ...this.#scopes],
        callbackUrls: [`${url}${SIGN_IN}/callback`],
        logoutUrls: [`${url}${SIGN_OUT}`],
      },
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(30),
      enableTokenRevocation: true,
    });
    new CfnManagedLoginBranding(this, 'login', {
      userPoolId: this.poolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    return client.userPoolClientId;
  }
}
