import { TITLE } from '#about';
import { seal, unseal } from '../../shared/authorization/seal.ts';
import { auditKey } from '../../shared/aws/audit-key.ts';
import { config } from '../../shared/aws/config.ts';
import { cookiesOf } from '../../shared/http/fields/cookie.ts';
import { Unavailable } from '../../shared/http/problem.ts';
import { signInHref } from '../../shared/http/sign-in.ts';
import type { Action, Visit, VisitCall } from '../../shared/resource/actions/action.ts';
import { found, missing, type Outcome, redirected, refused } from '../../shared/resource/actions/outcome.ts';
import {
  authorizationUrl,
  endSessionUrl,
  newSecrets,
  renewTokens,
  type Secrets,
  signedIn,
  type Tokens,
} from './code-flow.ts';
import {
  endedCookie,
  PENDING_SECONDS,
  pendingCookies,
  pendingSecrets,
  refreshTokenOf,
  signedInCookies,
  signedOutCookies,
} from './cookies.ts';
import { destination, shorten } from './destination.ts';
import { addressOf, bearerOf, clientOf, issuerMetadata, signedOutUrl } from './issuer.ts';

/**
 * Returns the metadata of the service as a protected resource: its address, its issuer and the scopes of its resources.
 * Missing if the service has no issuer, or does not know its own address.
 *
 * Source: RFC 9728 §2, §3.2; Specification 11.16.
 */
export function protectedResource({ visit }: VisitCall, scopes: readonly string[]): Outcome {
  if (!config.hasIssuer()) return missing('This service has no issuer of tokens');
  return found({
    kind: 'document',
    name: 'protectedResource',
    members: {
      resource: addressOf(visit),
      authorization_servers: [config.issuer()],
      scopes_supported: scopes.map((scope) => config.scopePrefix() + scope),
      bearer_methods_supported: ['header'],
      resource_name: TITLE,
    },
    headers: { 'Cache-Control': 'public, max-age=3600' },
  });
}

/** Returns the value of a query parameter that the request has once. */
const only = ({ query }: VisitCall, name: string): string | undefined => {
  const values = query[name] ?? [];
  return values.length === 1 ? values[0] : undefined;
};

/**
 * Begins a sign-in: with the refresh token of the browser if it has one, else at the issuer.
 *
 * Source: Specification 11.8 to 11.11.
 */
export async function begin(input: VisitCall, allScopes: readonly string[]): Promise<Outcome> {
  const { visit } = input;
  const { basePath, headers, isClosed, signInClient } = visit;
  const home = basePath || '/';
  const wanted = shorten(only(input, 'to') ?? home);
  const to = destination(wanted, basePath);
  if (to === undefined)
    return refused(
      'validation-error',
      'The address after the sign-in is not of this service. Begin at the home page',
      {
        errors: [{ parameter: 'to', detail: 'must be a path of this service' }],
      },
    );
  if (!isClosed) return redirected(to);
  if (signInClient === undefined) return missing('This service has no sign-in on pages');
  const metadata = await issuerMetadata();
  const client = clientOf(signInClient, visit);
  const cookies = cookiesOf(headers.cookie);
  const token = refreshTokenOf(cookies, basePath);
  const tokens = token ? await renewTokens(token, metadata, client) : undefined;
  const renewing = tokens && (await cookiesFor(input, tokens, undefined));
  if (renewing?.kind === 'accepted') return redirected(to, renewing.cookies);
  const secrets = newSecrets();
  const stored = await seal({ ...secrets, to }, await cookieKey(), PENDING_SECONDS);
  const scopes = (config.signInScopes() ?? allScopes).map((scope) => config.scopePrefix() + scope);
  return redirected(
    await authorizationUrl(metadata, client, secrets, scopes),
    pendingCookies(secrets.state, stored, cookies, basePath),
  );
}

/** The tokens of an issuer as cookies, or the reason why a sign-in with them fails. */
type Accepted =
  | { readonly kind: 'accepted'; readonly cookies: readonly string[] }
  | { readonly kind: 'failed'; readonly because: string };

/** Returns the cookies of tokens, if this service accepts them. `person`: a new name to show. */
async function cookiesFor(
  { visit, now }: VisitCall,
  { access, refresh }: Tokens,
  person: string | undefined,
): Promise<Accepted> {
  const bearer = await bearerOf(access);
  if (!bearer)
    return {
      kind: 'failed',
      because: 'This service does not accept the token of the issuer. Ask the operators for scopes',
    };
  const seconds = Math.max(1, bearer.expires - Math.floor(now / 1000));
  const cookies = signedInCookies({ access, seconds, refresh, person }, visit.basePath);
  if (cookies) return { kind: 'accepted', cookies };
  return {
    kind: 'failed',
    because: 'The tokens of the issuer are too long. Ask the operators for shorter ones',
  };
}

/** Returns the key of the cookies of a sign-in that has begun. It is made of the key of the hashes of callers. */
async function cookieKey(): Promise<string> {
  const key = await auditKey().catch((error: unknown) => {
    throw new Unavailable(error);
  });
  if (key === undefined) throw new Error('The service has no key for cookies');
  return key;
}

/** Returns the sign-in that this browser has begun; undefined if it has begun none with this state. */
async function begunWith(
  state: string | undefined,
  { headers, basePath }: Visit,
): Promise<(Secrets & { readonly to: string }) | undefined> {
  const text = state && pendingSecrets(state, cookiesOf(headers.cookie), basePath);
  const begun = text ? await unseal(text, await cookieKey()) : undefined;
  if (!begun || state === undefined || begun.state !== state) return undefined;
  const { nonce, verifier, to } = begun;
  if (typeof nonce !== 'string' || typeof verifier !== 'string' || typeof to !== 'string') return undefined;
  return { state, nonce, verifier, to };
}

/** Ends a sign-in: the issuer has sent the browser back with a code. Source: Specification 11.10; RFC 9207 §2.4. */
export const finish: Action<'visit'> = async (input) => {
  const { visit } = input;
  const { basePath, signInClient, isClosed } = visit;
  if (!isClosed || signInClient === undefined) return missing('This service has no sign-in on pages');
  const begun = await begunWith(only(input, 'state'), visit);
  if (!begun)
    return failed(visit, 'This browser has not begun the sign-in, or it began more than ten minutes ago');
  const metadata = await issuerMetadata();
  const sent = Object.entries(input.query).flatMap(([name, all = []]) =>
    all.map((one): [string, string] => [name, one]),
  );
  const client = clientOf(signInClient, visit);
  const signed = await signedIn(new URLSearchParams(sent), metadata, client, begun);
  if (signed.kind === 'failed') return failed(visit, signed.because);
  const result = await cookiesFor(input, signed.tokens, signed.person);
  if (result.kind === 'failed') return failed(visit, result.because);
  return redirected(destination(begun.to, basePath) ?? (basePath || '/'), [
    ...result.cookies,
    endedCookie(begun.state, basePath),
  ]);
};

/** Returns the refusal of a sign-in that failed. The person can begin another one. */
const failed = ({ basePath }: Visit, detail: string): Outcome =>
  refused('forbidden', `${detail}. Sign in again`, {
    members: { links: [{ rel: 'sign-in', href: signInHref(basePath, ''), method: 'GET', title: 'Sign in' }] },
  });

/**
 * Removes the cookies. The page then leads the browser to the issuer, which ends its own session. A redirect would not:
 * browsers apply the policy for the targets of forms to redirects too.
 *
 * Source: Specification 11.11; Content Security Policy Level 3 §6.4.2 (form-action).
 */
export const end: Action<'visit'> = async ({ visit }) => {
  const { basePath, signInClient, isClosed } = visit;
  const cookies = signedOutCookies(basePath);
  // The cookies go also if the issuer does not respond.
  const metadata = isClosed ? await issuerMetadata().catch(() => undefined) : undefined;
  const url =
    metadata && signInClient !== undefined
      ? endSessionUrl(metadata, signInClient, signedOutUrl(visit))
      : undefined;
  if (url === undefined) return redirected(`${basePath}/sign-out`, cookies);
  return found({
    kind: 'document',
    name: 'signedOut',
    members: { title: 'You are signed out here' },
    links: [{ rel: 'sign-out', href: url, title: 'Sign out of the issuer too' }],
    headers: { 'Cache-Control': 'no-store', Refresh: `0; url=${url}` },
    cookies,
  });
};
