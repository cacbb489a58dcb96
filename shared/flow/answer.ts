import { problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Resource } from '../resource/resource.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { withLifecycle } from './response/headers.ts';
import { problemResponse } from './response/problem.ts';
import { refusedForm } from './response/refused-form.ts';
import { respond } from './response/respond.ts';
import type { Step } from './step.ts';
import { acceptable } from './steps/acceptable.ts';
import { act } from './steps/act.ts';
import { authorize } from './steps/authorize.ts';
import { content } from './steps/content.ts';
import { crossSite } from './steps/cross-site.ts';
import { idempotencyKey } from './steps/idempotency-key.ts';
import { lookUp } from './steps/look-up.ts';
import { method } from './steps/method.ts';
import { negotiate } from './steps/negotiate.ts';
import { preconditions } from './steps/preconditions.ts';
import { preferences } from './steps/preferences.ts';
import { query } from './steps/query.ts';
import { range } from './steps/range.ts';
import { redirect } from './steps/redirect.ts';
import { replay } from './steps/replay.ts';

/** The steps that decide from the request alone, without I/O. */
export const PURE: readonly Step[] = [
  method,
  authorize,
  crossSite,
  preferences,
  query,
  negotiate,
  content,
  idempotencyKey,
];
/** The steps that may use I/O. They run again if another writer changed the target in between. */
export const STATEFUL: readonly Step[] = [replay, lookUp, acceptable, preconditions, range, redirect, act];

/** Attempts of a write that loses against concurrent writes, before the request gets 503. */
const ATTEMPTS = 16;
/** Milliseconds that each further attempt adds to the wait before it. */
const BACK_OFF = 4;

/** Runs the flow for one request to a resource. It throws only after a defect of the service itself. */
export async function answer(resource: Resource, request: Request): Promise<Response> {
  return withLifecycle(resource, await answered(resource, request), request.basePath);
}

async function answered(resource: Resource, request: Request): Promise<Response> {
  const exchange = { request, resource } as Exchange;
  try {
    const ending = (await runSteps(PURE, exchange)) ?? (await runUntilStable(exchange));
    return await (ending ? toResponse(ending, exchange) : respond(exchange));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const headers = { 'Retry-After': String(error.retryAfter) };
    const response = await problemResponse(problem('unavailable', 'Please try again', { headers }), request);
    return { ...response, fault: error.cause };
  }
}

/**
 * Runs the steps with I/O until no concurrent writer interferes.
 *
 * @throws Unavailable after the last attempt
 */
export async function runUntilStable(exchange: Exchange): Promise<Ending | undefined> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    if (attempts > 1) await new Promise((later) => setTimeout(later, attempts * BACK_OFF));
    const ending = await runSteps(STATEFUL, exchange);
    if (ending || exchange.outcome?.kind !== 'stale') return ending;
    exchange.outcome = undefined;
  }
  throw new Unavailable(new Error('The resource was changed by others again and again'));
}

/** Runs the steps until one ends the request. It awaits a step only if the step returns a promise. */
export async function runSteps(steps: readonly Step[], exchange: Exchange): Promise<Ending | undefined> {
  for (const step of steps) {
    const result = step.run(exchange);
    const ending = result instanceof Promise ? await result : result;
    if (ending) return ending;
  }
  return undefined;
}

function toResponse({ status, problem: refusal, headers = {}, body }: Ending, exchange: Exchange) {
  if (!refusal) return { status, headers, body };
  return refusedForm(exchange, refusal) ?? problemResponse(refusal, exchange.request);
}
