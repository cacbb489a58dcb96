import { keysOf } from '../../shared/authorization/issuer.ts';
import { type Bearer, NotAuthenticated, principalOf } from '../../shared/authorization/token.ts';
import { config } from '../../shared/aws/config.ts';
import { Unavailable } from '../../shared/http/problem.ts';
import { SIGN_IN, SIGN_OUT } from '../../shared/http/sign-in.ts';
import type { Visit } from '../../shared/resource/actions/action.ts';
import { type Client, type Metadata, metadataOf } from './code-flow.ts';

let metadata: Promise<Metadata> | undefined;
let keys: ReturnType<typeof keysOf> | undefined;

/**
 * Returns the metadata of the issuer. The process stores it after the first success.
 * @throws Unavailable if the issuer does not respond
 */
export async function issuerMetadata(): Promise<Metadata> {
  metadata ??= metadataOf(config.issuer());
  try {
    return await metadata;
  } catch (error) {
    metadata = undefined;
    throw new Unavailable(error);
  }
}

/** Returns the public keys of the issuer. */
function issuerKeys(): ReturnType<typeof keysOf> {
  keys ??= keysOf(config.issuer(), config.jwksUri());
  return keys;
}

/** Returns the bearer of an access token; undefined if this service would refuse the token. */
export async function bearerOf(token: string): Promise<Bearer | undefined> {
  const terms = { issuer: config.issuer(), audience: config.audience(), scopePrefix: config.scopePrefix() };
  try {
    return await principalOf(token, terms, issuerKeys());
  } catch (error) {
    if (error instanceof NotAuthenticated) return undefined;
    throw new Unavailable(error);
  }
}

/**
 * Returns the address of the service that the client uses. The issuer accepts it only if it is registered there, so a
 * forged Host leads nowhere. Behind a CloudFront host, the configuration names its origin.
 */
export const addressOf = ({ headers, basePath }: Visit): string =>
  (config.pagesOrigin() ?? `${headers['x-forwarded-proto'] ?? 'http'}://${headers.host}`) + basePath;

/** Returns the registration of this service at the issuer. `id`: the client of the stage. */
export const clientOf = (id: string, visit: Visit): Client => ({
  id,
  callback: `${addressOf(visit)}${SIGN_IN}/callback`,
});

/** Returns the URL of the page that a person sees after the sign-out. */
export const signedOutUrl = (visit: Visit): string => `${addressOf(visit)}${SIGN_OUT}`;
