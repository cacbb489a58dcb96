import { PURE, STATEFUL } from '../shared/flow/answer.ts';
import { PROBLEMS } from '../shared/http/problem.ts';
import { isConditional, isKeyed, type Target, variablesOf } from './targets.ts';

/** Whether a step can end a request to this target with this status. */
type Rule = (target: Target, status: number) => boolean;

const always: Rule = () => true;
const never: Rule = () => false;

/**
 * For each step of the flow, which of the statuses that it declares can end a request to a target. A method that is
 * described is none that ends with 405, and what is sent on with 308 is another path.
 */
const RULES: Readonly<Record<string, Rule>> = {
  method: (target, status) => {
    if (status === 404) return variablesOf(target.route.path).includes('id');
    return status === 400;
  },
  // Told of whatever can be asked for credentials.
  authorize: never,
  preferences: ({ operation }) => operation.bulk === true,
  query: always,
  negotiate: never,
  content: ({ operation, method }, status) => {
    if (status === 400) return true;
    return operation.content !== 'none' || (operation.form !== undefined && method === 'POST');
  },
  crossSite: ({ method }) => method === 'POST',
  idempotencyKey: isKeyed,
  replay: isKeyed,
  redirect: never,
  acceptable: ({ operation, method }) => operation.shape !== 'bytes' && method !== 'DELETE',
  lookUp: (target, status) =>
    status === 413 || status === 415 ? false : status === 400 || isMissable(target),
  preconditions: (target, status) => (status === 412 ? isConditional(target) : false),
  range: ({ operation }) => operation.shape === 'bytes',
  act: ({ resource, operation }, status) => {
    const names = [
      ...(resource.refusals[operation.action] ?? []),
      ...(resource.refusals[operation.several ?? ''] ?? []),
      ...(operation.content === 'patch' ? (['patch-conflict', 'payload-too-large'] as const) : []),
      ...(operation.form === 'move' ? (['invalid-transition'] as const) : []),
    ];
    return names.some((name) => PROBLEMS[name].status === status);
  },
};

/** Whether there may be nothing at the path. */
function isMissable({ route, operation }: Target): boolean {
  if (operation.parent) return true;
  const addressed = variablesOf(route.path).length > 0 || operation.shape === 'bytes';
  return addressed && (!operation.creates || route.part !== undefined);
}

/** What stands in front of every operation: credentials, rates, defects, engines that do not answer. */
const ANYWHERE = [429, 500, 503];
/** Where credentials can be asked for. */
const PROTECTED = [401, 403];

/** The statuses of problems that an operation can end with, in order. Steps that are never reached end nothing. */
export function problemStatuses(target: Target, isProtected: boolean): number[] {
  const own = [...PURE, ...STATEFUL].flatMap(({ name, ends }) =>
    ends.filter((status) => status >= 400 && RULES[name]?.(target, status)),
  );
  return [...new Set([...own, ...ANYWHERE, ...(isProtected ? PROTECTED : [])])].sort((a, b) => a - b);
}

/** Steps that have no rule yet. */
export const stepsWithoutRule = (): string[] =>
  [...PURE, ...STATEFUL].map(({ name }) => name).filter((name) => !(name in RULES));
