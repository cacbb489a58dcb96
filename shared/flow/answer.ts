import { problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Resource } from '../resource/resource.ts';
import { act } from './act.ts';
import { content } from './content.ts';
import type { Ending } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { lookUp } from './look-up.ts';
import { method } from './method.ts';
import { negotiate } from './negotiate.ts';
import { preconditions } from './preconditions.ts';
import { preferences } from './preferences.ts';
import { problemResponse } from './problem-response.ts';
import { query } from './query.ts';
import { range } from './range.ts';
import { redirect } from './redirect.ts';
import { represent } from './represent.ts';
import type { Step } from './step.ts';

/** Decided from the request alone. */
export const PURE: readonly Step[] = [method, preferences, query, negotiate, content];
/** Here I/O begins. Gone through again when the state changed in between. */
export const STATEFUL: readonly Step[] = [lookUp, preconditions, range, redirect, act];

/** How often a write that lost its race is tried again before the client is told. */
const ATTEMPTS = 16;
/** Milliseconds that each further attempt waits longer. */
const BACK_OFF = 4;

/** Answers a request to a resource. Never throws but for a defect of the service itself. */
export async function answer(resource: Resource, request: Request): Promise<Response> {
  const exchange = { request, resource } as Exchange;
  try {
    const ending = (await through(PURE, exchange)) ?? (await attempt(exchange));
    return ending ? ended(ending, request) : applied(exchange, represent(exchange));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const headers = { 'Retry-After': String(error.retryAfter) };
    return problemResponse(problem('unavailable', 'Please try again', { headers }), request);
  }
}

async function attempt(exchange: Exchange): Promise<Ending | undefined> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    if (attempts > 1) await new Promise((later) => setTimeout(later, attempts * BACK_OFF));
    const ending = await through(STATEFUL, exchange);
    if (ending || exchange.outcome?.kind !== 'stale') return ending;
    exchange.outcome = undefined;
  }
  throw new Unavailable(new Error('The resource was changed by others again and again'));
}

/** Runs the steps until one ends the request. Waits only where there is something to wait for. */
async function through(steps: readonly Step[], exchange: Exchange): Promise<Ending | undefined> {
  for (const step of steps) {
    const result = step.run(exchange);
    const ending = result instanceof Promise ? await result : result;
    if (ending) return ending;
  }
  return undefined;
}

/** Tells which preferences were honoured. Source: RFC 7240 §3. */
const applied = (exchange: Exchange, response: Response): Response =>
  exchange.applied.length === 0
    ? response
    : { ...response, headers: { ...response.headers, 'Preference-Applied': exchange.applied.join(', ') } };

function ended({ status, problem: stated, headers = {} }: Ending, request: Request): Response {
  return stated ? problemResponse(stated, request) : { status, headers };
}
