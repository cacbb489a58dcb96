import { problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Resource } from '../resource/resource.ts';
import { act } from './act.ts';
import { authorize } from './authorize.ts';
import { content } from './content.ts';
import { crossSite } from './cross-site.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { withLifecycle } from './lifecycle-headers.ts';
import { lookUp } from './look-up.ts';
import { method } from './method.ts';
import { acceptable, negotiate } from './negotiate.ts';
import { once } from './once.ts';
import { preconditions } from './preconditions.ts';
import { preferences } from './preferences.ts';
import { problemResponse } from './problem-response.ts';
import { query } from './query.ts';
import { range } from './range.ts';
import { recall } from './recall.ts';
import { redirect } from './redirect.ts';
import { refusedForm } from './refused-form.ts';
import { respond } from './respond.ts';
import type { Step } from './step.ts';

/** Decided from the request alone. */
export const PURE: readonly Step[] = [
  method,
  authorize,
  crossSite,
  preferences,
  query,
  negotiate,
  content,
  once,
];
/** Here I/O begins. Gone through again when the state changed in between. */
export const STATEFUL: readonly Step[] = [recall, lookUp, acceptable, preconditions, range, redirect, act];

/** How often a write that lost its race is tried again before the client is told. */
const ATTEMPTS = 16;
/** Milliseconds that each further attempt waits longer. */
const BACK_OFF = 4;

/** Answers a request to a resource. Never throws but for a defect of the service itself. */
export async function answer(resource: Resource, request: Request): Promise<Response> {
  return withLifecycle(resource, await answered(resource, request), request.basePath);
}

async function answered(resource: Resource, request: Request): Promise<Response> {
  const exchange = { request, resource } as Exchange;
  try {
    const ending = (await through(PURE, exchange)) ?? (await attempt(exchange));
    return await (ending ? ended(ending, exchange) : respond(exchange));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const headers = { 'Retry-After': String(error.retryAfter) };
    const response = await problemResponse(problem('unavailable', 'Please try again', { headers }), request);
    return { ...response, fault: error.cause };
  }
}

/** The steps with I/O, until what was written met no other writer. */
export async function attempt(exchange: Exchange): Promise<Ending | undefined> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    if (attempts > 1) await new Promise((later) => setTimeout(later, attempts * BACK_OFF));
    const ending = await through(STATEFUL, exchange);
    if (ending || exchange.outcome?.kind !== 'stale') return ending;
    exchange.outcome = undefined;
  }
  throw new Unavailable(new Error('The resource was changed by others again and again'));
}

/** Runs the steps until one ends the request. Waits only where there is something to wait for. */
export async function through(steps: readonly Step[], exchange: Exchange): Promise<Ending | undefined> {
  for (const step of steps) {
    const result = step.run(exchange);
    const ending = result instanceof Promise ? await result : result;
    if (ending) return ending;
  }
  return undefined;
}

function ended({ status, problem: stated, headers = {}, body }: Ending, exchange: Exchange) {
  if (!stated) return { status, headers, body };
  return refusedForm(exchange, stated) ?? problemResponse(stated, exchange.request);
}
