import { scopeOf } from '../resource/access.ts';
import { refuse } from './ending.ts';
import { step } from './step.ts';

/**
 * Whether the caller's scopes allow what is asked. The authorizer in front of the service has judged so already, and
 * refuses with header fields that API Gateway would rename here; this judges the operation itself, whatever was
 * remembered there. Who nobody asked for credentials may do everything.
 *
 * Source: RFC 6750 §3.1 (insufficient_scope).
 */
export const authorize = step('authorize', [403], ({ request, resource, route }) => {
  const { principal, method } = request;
  if (!principal) return undefined;
  const scope = scopeOf(resource.name, route.access, method);
  if (scope === undefined || principal.scopes.includes(scope)) return undefined;
  return refuse('forbidden', `The scope ${scope} is needed`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
});
