import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

/** Milliseconds that an issuer may take to answer. */
const PATIENCE = 2000;

/** The issuer did not say by which keys its tokens are judged: nobody can be let in or refused for good. */
export class IssuerUnavailable extends Error {}

/**
 * Finds the public key of a token among those of its issuer. They are fetched when the first token comes and kept; a key
 * that is not known is looked for anew, at most once in 30 s, so that tokens with invented keys cost the issuer nothing.
 *
 * `jwksUri`: where the keys are; undefined: where the issuer's metadata says.
 * @throws IssuerUnavailable from the function that is returned
 * Source: RFC 7517 §5; OpenID Connect Discovery 1.0 §4.
 */
export function keysOf(issuer: string, jwksUri?: string): JWTVerifyGetKey {
  let known: Promise<JWTVerifyGetKey> | undefined;
  const begin = async () =>
    createRemoteJWKSet(new URL(jwksUri ?? (await keyAddress(issuer))), {
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
      throw new IssuerUnavailable(`The keys of ${issuer} cannot be had`, { cause: error });
    }
  };
}

/** What is wrong with a token, not with the issuer. */
const FAULTS_OF_TOKENS = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** Where an issuer says that its keys are. */
async function keyAddress(issuer: string): Promise<string> {
  const metadata = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(PATIENCE),
    redirect: 'error',
  });
  if (!metadata.ok) throw new Error(`${metadata.status} for the metadata of ${issuer}`);
  const { issuer: named, jwks_uri: address } = (await metadata.json()) as Record<string, unknown>;
  if (named !== issuer || typeof address !== 'string') throw new Error(`The metadata is not of ${issuer}`);
  return address;
}
