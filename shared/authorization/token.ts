import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Principal } from '../http/request.ts';

/** Whose tokens are good, and for whom they must have been made. */
export interface Terms {
  readonly issuer: string;
  /** The API's name in `aud`; undefined for an issuer of this API's own, whose tokens say by their scopes what they are for. */
  readonly audience: string | undefined;
  /** What the issuer puts before each scope of this API: '' or, with Amazon Cognito, `resource-api/`. */
  readonly scopePrefix: string;
}

/** Who bears a token, and until when, in s since the epoch. */
export interface Bearer extends Principal {
  readonly expires: number;
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
 * Who bears an access token: a JWT, signed by the issuer, made for this API, and current. The service checks no proof of
 * possession, so it refuses a token that is bound to a key (DPoP, mutual TLS) instead of taking it from any bearer.
 *
 * @throws NotAuthenticated when it is not; whatever `keys` throws when the issuer cannot be asked
 * Source: RFC 9068 §4, RFC 8725 §3, RFC 7519 §4.1, RFC 7800 §3.1; Amazon Cognito Developer Guide, "Understanding the access token".
 */
export async function principalOf(token: string, terms: Terms, keys: JWTVerifyGetKey): Promise<Bearer> {
  const claims = await verified(token, terms, keys);
  const { aud, sub, exp, token_use: use, scope } = claims;
  if ((use ?? 'access') !== 'access' || NOT_FOR_ACCESS.some((name) => name in claims))
    throw new NotAuthenticated('The token is no access token');
  if ('cnf' in claims) throw new NotAuthenticated('The token is bound to a key, and no proof of it was sent');
  const scopes = scopesOf(scope ?? claims.scp, terms.scopePrefix);
  const isForUs = terms.audience === undefined ? scopes.length > 0 : [aud].flat().includes(terms.audience);
  if (!isForUs) throw new NotAuthenticated('The token is for somebody else');
  if (typeof sub !== 'string' || sub === '') throw new NotAuthenticated('The token names nobody');
  return { subject: sub, scopes, expires: exp as number };
}

/** What an access token is by its `typ`, where it says so. Source: RFC 9068 §2.1, RFC 7519 §5.1. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt'];

/** Claims of identity and logout tokens. Source: OpenID Connect Core 1.0 §2, §3.1.3.6; Back-Channel Logout 1.0 §2.4. */
const NOT_FOR_ACCESS = ['nonce', 'at_hash', 'c_hash', 'events'];

async function verified(token: string, { issuer }: Terms, keys: JWTVerifyGetKey): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['exp'],
    });
    const typ: unknown = protectedHeader.typ;
    if (typ !== undefined && !(typeof typ === 'string' && TYPES.includes(typ.toLowerCase())))
      throw new NotAuthenticated('A token of another type is no access token');
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
