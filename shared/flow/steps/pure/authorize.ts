import type { Preconditions } from '../../../http/conditional/conditions.ts';
import { isForPerson, reliesOnCookie, signInHref } from '../../../http/sign-in.ts';
import { scopeOf } from '../../../resource/access/access.ts';
import { lacksTenant } from '../../../resource/access/owner.ts';
import { sightOf } from '../../../resource/access/sight.ts';
import { type Ending, refuse, refusePerson, refuseScope, refuseTenant, TOKEN_NEEDED } from '../../ending.ts';
import type { Authorized, Preferred, Received, Targeted } from '../../exchange.ts';
import { takesForm } from '../../request/forms/takes-form.ts';
import { step } from '../../step.ts';

/**
 * Refuses unknown callers (401), and callers without the scope or the tenant that the endpoint needs (403). The
 * authorizer in front of the service makes the same check, and its responses have header fields that API Gateway would
 * rename here. This step checks every request again, because the authorizer's result may be cached and requests may
 * bypass it.
 *
 * A browser that sent a form gets the form again.
 *
 * Source: RFC 6750 §3; Specification 11.12, 11.13.
 */
export const authorize = step<Received & Targeted, Authorized>()('authorize', [401, 403], (exchange) => {
  const { request, resource, route } = exchange;
  const { principal, method, isClosed } = request;
  if (!principal) return !isClosed || route.access === 'open' ? limited(exchange) : refuseUnknown(exchange);
  if (lacksTenant(resource, principal)) return refuseTenant();
  const needed = [
    scopeOf(resource.name, route.access, method),
    bytesScopeOf(exchange),
    formScopeOf(exchange),
  ];
  const scope = needed.find((one) => one !== undefined && !principal.scopes.includes(one));
  if (scope === undefined) return limited(exchange);
  return reliesOnCookie(request) ? refusePerson(scope) : refuseScope(scope);
});

const UNLIMITED: Authorized = { sight: undefined, fieldLimits: undefined };

/** Adds what the caller sees, and what it cannot see or set. The first limited caller loads the rules. Source: decision 57. */
function limited({ request, resource: { description } }: Received): Authorized | Promise<Authorized> {
  if (!description) return UNLIMITED;
  const sight = sightOf(description, request);
  if (!sight.isLimited) return { sight, fieldLimits: undefined };
  return import('#field-limits').then(({ limitsOf }) => ({
    sight,
    fieldLimits: limitsOf(description, request),
  }));
}

/** The scope that the field of a binary property needs, if the request reads or changes its bytes. */
function bytesScopeOf({ isSafe, resource, route }: Received & Targeted): string | undefined {
  if (route.binary?.kind !== 'declared') return undefined;
  const field = resource.description?.fields[route.binary.name];
  return isSafe ? field?.readableBy : field?.writableBy;
}

/** The scope of a form for a person: the one that the browser needs to send it. Source: Specification 11.13. */
const formScopeOf = ({ request, resource, route, endpoint }: Received & Targeted): string | undefined =>
  endpoint.shape === 'form' && reliesOnCookie(request)
    ? scopeOf(resource.name, route.access, 'POST')
    : undefined;

const NO_PRECONDITIONS: Preconditions = {};
/** Only the inputs of the form count. */
const NO_PREFERENCES: Preferred = { preferences: new Map(), maximum: undefined, applied: [] };
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="api"' };

function refuseUnknown(exchange: Received & Targeted): Ending<401> | Promise<Ending<401>> {
  const { basePath, headers, signInClient } = exchange.request;
  if (signInClient === undefined || !isForPerson(headers))
    return refuse('unauthenticated', TOKEN_NEEDED, { headers: CHALLENGE });
  const href = signInHref(basePath, pageOf(exchange));
  const refusal = refuse('unauthenticated', 'Your sign-in has ended, so the service has stored nothing', {
    headers: CHALLENGE,
    members: { links: [{ rel: 'sign-in', href, method: 'GET', title: 'Sign in again' }] },
  });
  if (!takesForm(exchange)) return refusal;
  return import('#forms')
    .then(({ readForm }) => readForm({ ...exchange, ...UNLIMITED, ...NO_PREFERENCES }, NO_PRECONDITIONS))
    .then(({ submitted }) => (submitted ? { ...refusal, submitted } : refusal));
}

/** The path of the page that has the form: the path of the request, or the one above it. Otherwise the home page. */
function pageOf({ request: { path }, resource, route }: Received & Targeted): string {
  if (route.endpoints.GET) return path;
  const above = route.path.slice(0, route.path.lastIndexOf('/'));
  const isPage = resource.routes.some((one) => one.path === above && one.endpoints.GET);
  return isPage ? path.slice(0, path.lastIndexOf('/')) : '/';
}
