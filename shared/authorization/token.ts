import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { currentTime } from '../aws/clock.ts';
import type { Principal } from '../http/request.ts';

/** The conditions for an accepted token: its issuer and its audience. */
export interface Terms {
  readonly issuer: string;
  /**
   * The API's name in `aud`; undefined for an issuer that serves this API only: the scopes of its tokens name the
   * purpose.
   */
  readonly audience: string | undefined;
  /** The issuer's prefix of each scope of this API: '' or, with Amazon Cognito, `resource-api/`. */
  readonly scopePrefix: string;
}

/** The bearer of a token, and the time in s since the epoch until which the service accepts the token. */
export interface Bearer extends Principal {
  readonly expires: number;
}

/**
 * The exact message that makes API Gateway respond 401. Source: API Gateway Developer Guide, "Output from an API
 * Gateway Lambda authorizer".
 */
export const UNAUTHORIZED = 'Unauthorized';

/** The token does not authenticate its bearer. */
export class NotAuthenticated extends Error {}

/**
 * Algorithms with a public key only. With a shared secret, every party that can verify a token could also create
 * one. Source: RFC 8725 §3.1.
 */
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

/** The last second of the year 9999. No token is valid for longer, and no date of this service is later. */
const LAST_SECOND = 253_402_300_799;

/** Maximum difference between the clocks of the issuer and of this process, in seconds. Source: Specification 11.3. */
const CLOCK_TOLERANCE = 30;

/**
 * Verifies an access token and returns its bearer. The token is a JWT, signed by the issuer, for this API, and not
 * expired. The service checks no proof of possession. It therefore refuses a token that is bound to a key (DPoP,
 * mutual TLS) instead of accepting it from any bearer.
 *
 * @throws NotAuthenticated for any other token; the errors of `keys` when the issuer does not respond
 *
 * Source: RFC 9068 §4, RFC 8725 §3, RFC 7519 §4.1, RFC 7800 §3.1; Amazon Cognito Developer Guide, "Understanding
 * the access token".
 */
export async function principalOf(token: string, terms: Terms, keys: JWTVerifyGetKey): Promise<Bearer> {
  const claims = await verified(token, terms, keys);
  const { aud, sub, exp, token_use: use, scope } = claims;
  if ((use ?? 'access') !== 'access' || NOT_FOR_ACCESS.some((name) => name in claims))
    throw new NotAuthenticated('The token is not an access token');
  if ('cnf' in claims)
    throw new NotAuthenticated('The token is bound to a key, which this service does not support');
  const scopes = scopesOf(scope ?? claims.scp, terms.scopePrefix);
  const isForUs = terms.audience === undefined ? scopes.length > 0 : [aud].flat().includes(terms.audience);
  if (!isForUs) throw new NotAuthenticated('The token is for another audience');
  if (typeof sub !== 'string' || sub === '') throw new NotAuthenticated('The token has no subject');
  const { tenant } = claims;
  return {
    subject: sub,
    scopes,
    expires: (exp as number) + CLOCK_TOLERANCE,
    ...(typeof tenant === 'string' && tenant !== '' ? { tenant } : {}),
  };
}

/**
 * The values of `typ` that an access token may have; it may also have none. Source: RFC 9068 §2.1, RFC 7519 §5.1.
 */
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
      throw new NotAuthenticated('The token has a type that is not an access token');
    refuseTimes(payload);
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new NotAuthenticated(error.message, { cause: error });
    throw error;
  }
}

/**
 * Refuses times that no issuer means. `jose` has compared `exp` and `nbf` with the clock, but not `iat`.
 *
 * @throws NotAuthenticated
 *
 * Source: RFC 7519 §2 (NumericDate), §4.1.4 to §4.1.6.
 */
function refuseTimes(claims: JWTPayload): void {
  for (const name of ['exp', 'nbf', 'iat'] as const) {
    const seconds: unknown = claims[name];
    if (seconds === undefined) continue;
    if (!(typeof seconds === 'number' && seconds >= 0 && seconds <= LAST_SECOND))
      throw new NotAuthenticated(`The token has no date in ${name}`);
  }
  if ((claims.iat ?? 0) > currentTime() / 1000 + CLOCK_TOLERANCE)
    throw new NotAuthenticated('The token has been issued in the future');
}

/**
 * Reads scopes from one text or a list. Removes the issuer's prefix and drops the scopes of other APIs. Source: RFC
 * 8693 §4.2.
 */
function scopesOf(claim: unknown, prefix: string): string[] {
  const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return names
    .filter((name): name is string => typeof name === 'string' && name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => name !== '');
}
