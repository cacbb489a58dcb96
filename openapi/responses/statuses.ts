import { PURE, STATEFUL } from '../../shared/flow/answer.ts';
import { PROBLEMS } from '../../shared/http/problem.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Endpoint } from '../../shared/resource/route.ts';
import { hasConstraints } from '../../shared/store/constraints/check-constraints.ts';
import { isConditional, isKeyed, type Target, variablesOf } from '../targets.ts';

/** True if a step can end a request to this target with this status. */
type Rule = (target: Target, status: number) => boolean;

const never: Rule = () => false;

/**
 * For each step of the flow, a rule that selects the possible ones of its declared statuses for a target. The
 * description lists no 405, because it lists only supported methods. It lists no 308, because a redirect concerns
 * another path.
 */
const RULES: Readonly<Record<string, Rule>> = {
  method: (target, status) => {
    if (status === 404) return variablesOf(target.route.path).includes('id');
    return status === 400;
  },
  // PROTECTED adds 401 and 403 to each operation that can require credentials. The 403 of other steps is among them.
  authorize: never,
  preferences: ({ endpoint }) => endpoint.bulk === true,
  query: (_, status) => status === 400,
  negotiate: never,
  content: ({ endpoint, method }, status) => {
    if (status === 400) return true;
    if (status === 403) return false; // PROTECTED adds it.
    return endpoint.content !== 'none' || (endpoint.form !== undefined && method === 'POST');
  },
  crossSite: ({ method }) => method === 'POST',
  idempotencyKey: isKeyed,
  replay: isKeyed,
  acceptable: ({ endpoint, method }) => endpoint.shape !== 'bytes' && method !== 'DELETE',
  lookUp: (target, status) => status === 400 || (status === 404 && isMissable(target)),
  preconditions: (target, status) => status === 412 && isConditional(target),
  bytes: ({ endpoint }) => endpoint.shape === 'bytes',
  act: ({ resource, endpoint, method }, status) => {
    const names = [
      ...(endpoint.refusals ?? []),
      ...(endpoint.several?.refusals ?? []),
      ...(isConstrained(resource, endpoint, method) ? (['conflict'] as const) : []),
      ...(endpoint.content === 'patch' ? (['patch-conflict', 'payload-too-large'] as const) : []),
    ];
    return names.some((name) => PROBLEMS[name].status === status);
  },
};

/** True if a rule of several items can forbid the request. */
const isConstrained = (resource: Resource, { content }: Endpoint, method: string): boolean =>
  (content !== 'none' && hasConstraints(resource)) ||
  (method === 'DELETE' && (resource.referredBy.length > 0 || resource.checkRemoval !== undefined));

/** True if the resource at the path can be missing. */
function isMissable({ route, endpoint }: Target): boolean {
  if (endpoint.parent) return true;
  const addressed = variablesOf(route.path).length > 0 || endpoint.shape === 'bytes';
  return addressed && (!endpoint.creates || route.binary !== undefined);
}

/** Statuses of every operation: throttling, defects, unavailable engines. */
const ANYWHERE = [429, 500, 503];
/** Statuses of operations that can require credentials. */
const PROTECTED = [401, 403];

/** Returns the possible problem statuses of an operation, in order. Steps that a request never reaches add none. */
export function problemStatuses(target: Target, isProtected: boolean): number[] {
  const own = [...PURE.steps, ...STATEFUL.steps].flatMap(({ name, ends }) =>
    ends.filter((status) => status >= 400 && RULES[name]?.(target, status)),
  );
  return [...new Set([...own, ...ANYWHERE, ...(isProtected ? PROTECTED : [])])].sort((a, b) => a - b);
}

/** Returns the steps without a rule. */
export const stepsWithoutRule = (): string[] =>
  [...PURE.steps, ...STATEFUL.steps].map(({ name }) => name).filter((name) => !(name in RULES));
