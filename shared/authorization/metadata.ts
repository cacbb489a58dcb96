/** The time-out of a request to an issuer, in ms. */
export const PATIENCE = 2000;

/** The metadata of an issuer that the service uses: URLs and the scopes that the issuer knows. */
export interface Metadata {
  readonly jwksUri: string;
  readonly authorizationEndpoint: string | undefined;
  readonly tokenEndpoint: string | undefined;
  readonly endSessionEndpoint: string | undefined;
  readonly scopes: readonly string[];
  /** True if every response of the authorization endpoint has the parameter `iss`. */
  readonly statesIssuer: boolean;
}

/** A text of the metadata; undefined if it is absent. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * Reads the metadata of an issuer.
 *
 * @throws Error if the issuer does not respond, or if the metadata names another issuer
 *
 * Source: OpenID Connect Discovery 1.0 §3, §4; OpenID Connect RP-Initiated Logout 1.0 §2.1; RFC 9207 §3.
 */
export async function metadataOf(issuer: string): Promise<Metadata> {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PATIENCE),
    redirect: 'error',
  });
  if (!answer.ok) throw new Error(`${answer.status} for the metadata of ${issuer}`);
  const stated = (await answer.json()) as Readonly<Record<string, unknown>>;
  const jwksUri = textOf(stated.jwks_uri);
  if (stated.issuer !== issuer || jwksUri === undefined) throw new Error(`The metadata is not of ${issuer}`);
  const scopes = Array.isArray(stated.scopes_supported) ? stated.scopes_supported : [];
  return {
    jwksUri,
    authorizationEndpoint: textOf(stated.authorization_endpoint),
    tokenEndpoint: textOf(stated.token_endpoint),
    endSessionEndpoint: textOf(stated.end_session_endpoint),
    scopes: scopes.filter((one): one is string => typeof one === 'string'),
    statesIssuer: stated.authorization_response_iss_parameter_supported === true,
  };
}
