import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

/** The time-out of a request to an issuer, in ms. */
export const PATIENCE = 2000;

/** The issuer did not return its keys, so the authorizer can neither accept nor finally refuse a token. */
export class IssuerUnavailable extends Error {}

/**
 * Returns a function that finds the public key of a token among those of its issuer. The first token fetches the
 * keys, which are then cached. An unknown key causes another fetch, at most once in 30 s, so that tokens with
 * invented keys do not load the issuer.
 *
 * `jwksUri`: the URL of the keys; undefined: the metadata of the issuer has it.
 *
 * @throws IssuerUnavailable from the returned function
 *
 * Source: RFC 7517 §5; OpenID Connect Discovery 1.0 §4.
 */
export function keysOf(issuer: string, jwksUri?: string): JWTVerifyGetKey {
  let known: Promise<JWTVerifyGetKey> | undefined;
  const begin = async () =>
    createRemoteJWKSet(new URL(jwksUri ?? (await jwksUriOf(issuer))), {
      timeoutDuration: PATIENCE,
      cooldownDuration: 30_000,
      cacheMaxAge: 600_000,
    });
  return async (header, token) => {
    known ??= begin().catch((error) => {
      known = undefined;
      throw error;
    });
    try {
      return await (await known)(header, token);
    } catch (error) {
      if (FAULTS_OF_TOKENS.some((kind) => error instanceof kind)) throw error;
      throw new IssuerUnavailable(`The service cannot get the keys of ${issuer}`, { cause: error });
    }
  };
}

/**
 * Returns the URL of the keys, from the metadata of the issuer.
 *
 * @throws Error if the issuer does not respond, or if the metadata names another issuer
 *
 * Source: OpenID Connect Discovery 1.0 §3, §4.
 */
async function jwksUriOf(issuer: string): Promise<string> {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PATIENCE),
    redirect: 'error',
  });
  if (!answer.ok) throw new Error(`${answer.status} for the metadata of ${issuer}`);
  const stated = (await answer.json()) as Readonly<Record<string, unknown>>;
  if (stated.issuer !== issuer || typeof stated.jwks_uri !== 'string')
    throw new Error(`The metadata is not of ${issuer}`);
  return stated.jwks_uri;
}

/** Errors of a token, and not of the issuer. */
const FAULTS_OF_TOKENS = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
