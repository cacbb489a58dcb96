import { reliesOnCookie } from '../../../http/sign-in.ts';
import { MANAGER_SCOPE, scopeOf } from '../../../resource/access/access.ts';
import { lacksTenant } from '../../../resource/access/owner.ts';
import { scopesNeeded } from '../../../resource/access/scopes.ts';
import { sightOf } from '../../../resource/access/sight.ts';
import { refuse, refusePerson, refuseScopes, refuseTenant, TOKEN_NEEDED } from '../../ending.ts';
import type { Authorized, Received, Targeted } from '../../exchange.ts';
import { step } from '../../step.ts';

/**
 * Refuses unknown callers (401), and callers without the scope or the tenant that the endpoint needs (403). The
 * authorizer in front of the service makes the same check, and its responses have header fields that API Gateway would
 * rename here. This step checks every request again, because the authorizer's result may be cached and requests may
 * bypass it.
 *
 * Source: RFC 6750 §3; Specification 11.12, 11.13.
 */
export const authorize = step<Received & Targeted, Authorized>()('authorize', [401, 403], (exchange) => {
  const { request, resource, route } = exchange;
  const { principal, method, isClosed } = request;
  const { authorization } = request.headers;
  if (!principal) {
    return !isClosed || route.access === 'open'
      ? limited(exchange)
      : refuse('unauthenticated', TOKEN_NEEDED, {
          headers: { 'WWW-Authenticate': `Bearer realm="api"${authorization === undefined ? '' : INVALID}` },
        });
  }
  if (lacksTenant(resource, principal)) return refuseTenant();
  if (exchange.endpoint.managed && principal.scopes.includes(MANAGER_SCOPE))
    return limited({ ...exchange, request: { ...request, principal: { ...principal, isManager: true } } });
  const needed = [
    ...scopesNeeded(resource.name, route, method, exchange.endpoint),
    bytesScopeOf(exchange),
    formScopeOf(exchange),
  ];
  const lacking = needed.filter((one): one is string => one !== undefined && !principal.scopes.includes(one));
  const [scope] = lacking;
  if (scope === undefined) return limited(exchange);
  return reliesOnCookie(request) ? refusePerson(scope) : refuseScopes(lacking);
});

/** Adds what the caller sees and, for writes and forms, its limits, whose rules load on demand. Source: decision 57. */
function limited(exchange: Received & Targeted): Authorized | Promise<Authorized> {
  const { request, resource, isSafe, endpoint } = exchange;
  const { description } = resource;
  const sight = description && sightOf(description, request);
  const added = { request, sight, fieldLimits: undefined };
  if (!description || !sight?.isLimited || (isSafe && endpoint.shape !== 'form')) return added;
  return import('../../../resource/access/field-limits.ts').then(({ limitsOf }) => ({
    ...added,
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
    ? (route.endpoints.POST?.scope ?? scopeOf(resource.name, route.access, 'POST'))
    : undefined;

const INVALID = ', error="invalid_token"';
