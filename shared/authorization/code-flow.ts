import { type JWTVerifyGetKey, jwtVerify } from 'jose';
import { Unavailable } from '../http/unavailable.ts';
import { type Metadata, PATIENCE } from './metadata.ts';
import { challengeOf } from './pkce.ts';

/** The registration of this service at an issuer: a public client, whose proof is the code verifier. */
export interface Client {
  readonly id: string;
  /** The URL to which the issuer sends the browser back. */
  readonly callback: string;
}

/** The secrets of one sign-in. They protect the response from forgery and from use in another browser. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Scopes of OpenID Connect for the name of the person and for a refresh token. */
const IDENTITY = ['profile', 'email', 'offline_access'];

/**
 * The URL at which the issuer signs the person in. `scopes`: the scopes of this API, with the issuer's prefix.
 *
 * @throws Unavailable if the issuer has no such page
 *
 * Source: OpenID Connect Core 1.0 §3.1.2.1; RFC 7636 §4.3.
 */
export function authorizationUrl(
  { authorizationEndpoint, scopes: known }: Metadata,
  { id, callback }: Client,
  { state, nonce, verifier }: Secrets,
  scopes: readonly string[],
): string {
  if (authorizationEndpoint === undefined)
    throw new Unavailable(new Error('The issuer has no authorization endpoint'));
  const url = new URL(authorizationEndpoint);
  const asked = ['openid', ...IDENTITY.filter((one) => known.includes(one)), ...scopes];
  const parameters = {
    response_type: 'code',
    client_id: id,
    redirect_uri: callback,
    scope: asked.join(' '),
    state,
    nonce,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The tokens of a person. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  /** The identity token of a new sign-in. A renewal may have none. */
  readonly identity: string | undefined;
}

/** The grant that the service sends to the token endpoint: a new code, or a refresh token. */
export type Grant =
  | { readonly kind: 'code'; readonly code: string; readonly verifier: string }
  | { readonly kind: 'refresh'; readonly token: string };

/**
 * Gets tokens from the issuer; undefined if the issuer refuses the grant.
 *
 * @throws Unavailable if the issuer does not respond, or not as a token endpoint does
 *
 * Source: RFC 6749 §4.1.3, §5.1, §5.2, §6; RFC 7636 §4.5.
 */
export async function tokensFor(
  grant: Grant,
  { tokenEndpoint }: Metadata,
  { id, callback }: Client,
): Promise<Tokens | undefined> {
  try {
    if (tokenEndpoint === undefined) throw new Error('The issuer has no token endpoint');
    const answer = await fetch(tokenEndpoint, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({ ...parametersOf(grant, callback), client_id: id }),
      signal: AbortSignal.timeout(PATIENCE),
      redirect: 'error',
    });
    if (answer.status === 400 || answer.status === 401) return undefined;
    if (!answer.ok) throw new Error(`${answer.status} from the token endpoint`);
    const { access_token, refresh_token, id_token } = (await answer.json()) as Readonly<
      Record<string, unknown>
    >;
    if (typeof access_token !== 'string') throw new Error('The token endpoint gave no access token');
    return {
      access: access_token,
      refresh: typeof refresh_token === 'string' ? refresh_token : undefined,
      identity: typeof id_token === 'string' ? id_token : undefined,
    };
  } catch (error) {
    throw new Unavailable(error);
  }
}

const parametersOf = (grant: Grant, callback: string): Readonly<Record<string, string>> =>
  grant.kind === 'code'
    ? {
        grant_type: 'authorization_code',
        code: grant.code,
        redirect_uri: callback,
        code_verifier: grant.verifier,
      }
    : { grant_type: 'refresh_token', refresh_token: grant.token };

/** Claims with a name for people, the best one first. Source: OpenID Connect Core 1.0 §5.1. */
const NAMES = ['name', 'preferred_username', 'email', 'sub'];

/**
 * The name of the person in an identity token of this sign-in.
 *
 * @throws errors of jose if the token is not of this issuer, client and sign-in
 *
 * Source: OpenID Connect Core 1.0 §3.1.3.7.
 */
export async function personIn(
  token: string,
  { issuer, id, nonce }: { readonly issuer: string; readonly id: string; readonly nonce: string },
  keys: JWTVerifyGetKey,
): Promise<string> {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: id,
    clockTolerance: 5,
    requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
  });
  if (payload.nonce !== nonce) throw new NotOfThisSignIn('The identity token is of another sign-in');
  const name = NAMES.map((one) => payload[one]).find((one) => typeof one === 'string' && one.trim() !== '');
  return String(name);
}

/** The identity token belongs to another sign-in. */
export class NotOfThisSignIn extends Error {}

/**
 * The URL at which the issuer ends its session and sends the browser to `next`; undefined if the issuer has no such
 * page. Amazon Cognito has its own name for the parameter.
 *
 * Source: OpenID Connect RP-Initiated Logout 1.0 §2; Amazon Cognito Developer Guide, "Logout endpoint".
 */
export function endSessionUrl(
  { endSessionEndpoint, authorizationEndpoint }: Metadata,
  id: string,
  next: string,
): string | undefined {
  const [, cognito] = /^(https:\/\/[^/]+)\/oauth2\/authorize$/.exec(authorizationEndpoint ?? '') ?? [];
  const address = endSessionEndpoint ?? (cognito && `${cognito}/logout`);
  if (address === undefined) return undefined;
  const url = new URL(address);
  url.searchParams.set('client_id', id);
  url.searchParams.set('post_logout_redirect_uri', next);
  url.searchParams.set('logout_uri', next);
  return url.href;
}
