import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Principal } from '../http/request.ts';

/** Whose tokens are good, and for whom they must have been made. */
export interface Terms {
  readonly issuer: string;
  /** The API's name in `aud`; where an issuer leaves that out (Amazon Cognito does), the client's in `client_id`. */
  readonly audience: string;
  /** What the issuer puts before each scope of this API: '' or, with Amazon Cognito, `resource-api/`. */
  readonly scopePrefix: string;
}

/** The token is none that lets its bearer in. */
export class NotAuthenticated extends Error {}

/** Signatures by a public key alone: with a shared secret whoever can check a token could make one. Source: RFC 8725 §3.1. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Seconds that the issuer's clock may differ from this one. */
const CLOCK_TOLERANCE = 5;

/**
 * Who bears an access token: a JWT, signed by the issuer, made for this API, and current.
 *
 * @throws NotAuthenticated when it is not; whatever `keys` throws when the issuer cannot be asked
 * Source: RFC 9068 §4, RFC 8725 §3, RFC 7519 §4.1; Amazon Cognito Developer Guide, "Understanding the access token".
 */
export async function principalOf(token: string, terms: Terms, keys: JWTVerifyGetKey): Promise<Principal> {
  const claims = await verified(token, terms, keys);
  const { aud, sub, client_id: client, token_use: use, scope } = claims;
  if (use !== undefined && use !== 'access') throw new NotAuthenticated('The token is no access token');
  const audiences = aud === undefined ? [client] : [aud].flat();
  if (!audiences.includes(terms.audience)) throw new NotAuthenticated('The token is for somebody else');
  if (typeof sub !== 'string' || sub === '') throw new NotAuthenticated('The token names nobody');
  return { subject: sub, scopes: scopesOf(scope ?? claims.scp, terms.scopePrefix) };
}

async function verified(token: string, { issuer }: Terms, keys: JWTVerifyGetKey): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['exp'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new NotAuthenticated(error.message, { cause: error });
    throw error;
  }
}

/** Scopes as one text or a list, without the issuer's prefix; those of other APIs are left out. Source: RFC 8693 §4.2. */
function scopesOf(claim: unknown, prefix: string): string[] {
  const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return names
    .filter((name): name is string => typeof name === 'string' && name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => name !== '');
}
