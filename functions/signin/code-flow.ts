import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  type IDToken,
  None,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import { PATIENCE } from '../../shared/authorization/issuer.ts';
import { isLoopbackOrigin } from '../../shared/http/origin.ts';
import { Unavailable } from '../../shared/http/problem.ts';

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

/** Texts that no one can guess: 43 characters of base64url, 256 bits each. */
export const newSecrets = (): Secrets => ({
  state: generateRandomState(),
  nonce: generateRandomNonce(),
  verifier: generateRandomCodeVerifier(),
});

/** The metadata of an issuer. Source: OpenID Connect Discovery 1.0 §3. */
export type Metadata = AuthorizationServer;

/** Time-out of a request to the issuer. Only an issuer on a loopback name or address may use http. */
const optionsFor = (issuer: string) => ({
  signal: AbortSignal.timeout(PATIENCE),
  [allowInsecureRequests]: isLoopbackOrigin(new URL(issuer).origin),
});

/**
 * Reads the metadata of an issuer.
 *
 * @throws Error if the issuer does not respond, or if the metadata names another issuer
 *
 * Source: OpenID Connect Discovery 1.0 §3, §4.
 */
export async function metadataOf(issuer: string): Promise<AuthorizationServer> {
  const url = new URL(issuer);
  const answer = await withRetry(() => discoveryRequest(url, optionsFor(issuer)));
  return processDiscoveryResponse(url, answer);
}

/** Repeats a request without a response once: the first connection of a new process can take too long. */
const withRetry = (request: () => Promise<Response>): Promise<Response> => request().catch(request);

/** Scopes of OpenID Connect for the name of the person and for a refresh token. */
const IDENTITY = ['profile', 'email', 'offline_access'];

/**
 * Returns the URL at which the issuer signs the person in. `scopes`: the scopes of this API, with the issuer's prefix.
 *
 * @throws Unavailable if the issuer has no such page
 *
 * Source: OpenID Connect Core 1.0 §3.1.2.1; RFC 7636 §4.3.
 */
export async function authorizationUrl(
  { authorization_endpoint, scopes_supported = [] }: AuthorizationServer,
  { id, callback }: Client,
  { state, nonce, verifier }: Secrets,
  scopes: readonly string[],
): Promise<string> {
  if (authorization_endpoint === undefined)
    throw new Unavailable(new Error('The issuer has no authorization endpoint'));
  const url = new URL(authorization_endpoint);
  const asked = ['openid', ...IDENTITY.filter((one) => scopes_supported.includes(one)), ...scopes];
  const parameters = {
    response_type: 'code',
    client_id: id,
    redirect_uri: callback,
    scope: asked.join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The tokens of a person. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
}

const tokensIn = ({ access_token, refresh_token }: TokenEndpointResponse): Tokens => ({
  access: access_token,
  refresh: refresh_token,
});

/** The result of a sign-in: tokens and the name of the person, or the reason why it fails. */
export type SignedIn =
  | { readonly kind: 'signed-in'; readonly tokens: Tokens; readonly person: string }
  | { readonly kind: 'failed'; readonly because: string };

const failed = (because: string): SignedIn => ({ kind: 'failed', because });

/**
 * Exchanges the code in the response of the issuer for tokens. `parameters`: those of the callback.
 *
 * @throws Unavailable if the token endpoint does not respond, or with a status that is not a refusal
 *
 * Source: RFC 6749 §4.1.3, §5.1, §5.2; RFC 7636 §4.5; RFC 9207 §2.4; OpenID Connect Core 1.0 §3.1.3.7.
 */
export async function signedIn(
  parameters: URLSearchParams,
  metadata: AuthorizationServer,
  { id, callback }: Client,
  { state, nonce, verifier }: Secrets,
): Promise<SignedIn> {
  const client = { client_id: id };
  let valid: URLSearchParams;
  try {
    valid = validateAuthResponse(metadata, client, parameters, state);
  } catch (error) {
    const isRefusal = error instanceof AuthorizationResponseError;
    return failed(isRefusal ? 'The issuer has not signed you in' : 'The response is of another issuer');
  }
  if (!valid.get('code')) return failed('The issuer has not signed you in');
  const options = optionsFor(metadata.issuer);
  const answer = await grantedBy(() =>
    authorizationCodeGrantRequest(metadata, client, None(), valid, callback, verifier, options),
  );
  if (!answer) return failed('The issuer has refused the code of the sign-in');
  try {
    const tokens = await processAuthorizationCodeResponse(metadata, client, answer, { expectedNonce: nonce });
    await validateApplicationLevelSignature(metadata, answer, options);
    const claims = getValidatedIdTokenClaims(tokens);
    // The library compares azp only if the token has several audiences.
    if (claims && (claims.azp ?? id) === id)
      return { kind: 'signed-in', tokens: tokensIn(tokens), person: nameIn(claims) };
  } catch {
    // The reason is for the operators of the issuer. The person can only begin again.
  }
  return failed('The issuer has sent the identity of another sign-in');
}

/**
 * Returns new tokens for a refresh token; undefined if the issuer refuses it, or if its response is malformed.
 *
 * @throws Unavailable if the token endpoint does not respond, or with a status that is not a refusal
 *
 * Source: RFC 6749 §6; OpenID Connect Core 1.0 §12.2.
 */
export async function renewTokens(
  token: string,
  metadata: AuthorizationServer,
  { id }: Client,
): Promise<Tokens | undefined> {
  const client = { client_id: id };
  const answer = await grantedBy(() =>
    withRetry(() => refreshTokenGrantRequest(metadata, client, None(), token, optionsFor(metadata.issuer))),
  );
  if (!answer) return undefined;
  return processRefreshTokenResponse(metadata, client, answer).then(tokensIn, () => undefined);
}

/** Returns the response with tokens; undefined if the issuer refuses the grant. Source: RFC 6749 §5.2. */
async function grantedBy(request: () => Promise<Response>): Promise<Response | undefined> {
  try {
    const answer = await request();
    if (answer.status === 400 || answer.status === 401) return undefined;
    if (!answer.ok) throw new Error(`${answer.status} from the token endpoint`);
    return answer;
  } catch (error) {
    throw new Unavailable(error);
  }
}

/** Claims with a name for people, the best one first. Source: OpenID Connect Core 1.0 §5.1. */
const NAMES = ['name', 'preferred_username', 'email', 'sub'];

const nameIn = (claims: IDToken): string =>
  String(NAMES.map((one) => claims[one]).find((one) => typeof one === 'string' && one.trim() !== ''));

/**
 * Returns the URL at which the issuer ends its session and sends the browser to `next`; undefined if the issuer has no
 * such page. Amazon Cognito has its own name for the parameter.
 *
 * Source: OpenID Connect RP-Initiated Logout 1.0 §2; Amazon Cognito Developer Guide, "Logout endpoint".
 */
export function endSessionUrl(
  { end_session_endpoint, authorization_endpoint }: AuthorizationServer,
  id: string,
  next: string,
): string | undefined {
  const [, cognito] = /^(https:\/\/[^/]+)\/oauth2\/authorize$/.exec(authorization_endpoint ?? '') ?? [];
  const address = end_session_endpoint ?? (cognito && `${cognito}/logout`);
  if (address === undefined) return undefined;
  const url = new URL(address);
  url.searchParams.set('client_id', id);
  url.searchParams.set(cognito ? 'logout_uri' : 'post_logout_redirect_uri', next);
  return url.href;
}
