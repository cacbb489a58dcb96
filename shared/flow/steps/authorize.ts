import { scopeOf } from '../../resource/access.ts';
import { lacksTenant } from '../../resource/owner.ts';
import { refuse, refuseScope, refuseTenant, TOKEN_NEEDED } from '../ending.ts';
import type { Received, Targeted } from '../exchange.ts';
import { step } from '../step.ts';

/**
 * Refuses unknown callers (401), and callers without the scope or the tenant that the endpoint needs (403). The authorizer in front of
 * the service makes the same check, and its responses have header fields that API Gateway would rename here. This
 * step checks every request again, because the authorizer's result may be cached and requests may bypass it.
 *
 * Source: RFC 6750 §3.
 */
export const authorize = step<Received & Targeted>()(
  'authorize',
  [401, 403],
  ({ request, resource, route }) => {
    const { principal, method, isClosed } = request;
    if (!principal) {
      if (!isClosed || route.access === 'open') return undefined;
      return refuse('unauthenticated', TOKEN_NEEDED, {
        headers: { 'WWW-Authenticate': 'Bearer realm="api"' },
      });
    }
    if (lacksTenant(resource, principal)) return refuseTenant();
    const scope = scopeOf(resource.name, route.access, method);
    if (scope === undefined || principal.scopes.includes(scope)) return undefined;
    return refuseScope(scope);
  },
);
