import { scopeOf } from '../../resource/access.ts';
import { refuse } from '../ending.ts';
import { step } from '../step.ts';

/**
 * Whether the caller is known, where that is asked for, and their scopes allow what is asked. The authorizer in front of
 * the service has judged so already, and refuses with header fields that API Gateway would rename here; this judges the
 * operation itself, whatever was remembered there, and whether or not a request came that way.
 *
 * Source: RFC 6750 §3, §3.1 (insufficient_scope).
 */
export const authorize = step('authorize', [401, 403], ({ request, resource, route }) => {
  const { principal, method, isClosed } = request;
  if (!principal) {
    if (!isClosed || route.access === 'open') return undefined;
    return refuse('unauthenticated', 'Credentials are needed', {
      headers: { 'WWW-Authenticate': 'Bearer realm="api"' },
    });
  }
  const scope = scopeOf(resource.name, route.access, method);
  if (scope === undefined || principal.scopes.includes(scope)) return undefined;
  return refuse('forbidden', `The scope ${scope} is needed`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
});
