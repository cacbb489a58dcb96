import { attempts } from '../concurrency/retry.ts';
import * as RETRIES from '../concurrency/retry-policies.ts';
import { problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Resource } from '../resource/resource.ts';
import { UnreadableItem, unreadableItem } from '../resource/unreadable-item.ts';
import { encodeContent } from './codings/encode.ts';
import type { Ending } from './ending.ts';
import { type Done, type Received, startExchange, type Understood } from './exchange.ts';
import { flow, type Passage } from './flow.ts';
import { refusedForm } from './response/forms/refused.ts';
import { problemResponse } from './response/problem.ts';
import { respond } from './response/respond.ts';
import { authorize } from './steps/pure/authorize.ts';
import { content } from './steps/pure/content.ts';
import { crossSite } from './steps/pure/cross-site.ts';
import { idempotencyKey } from './steps/pure/idempotency-key.ts';
import { method } from './steps/pure/method.ts';
import { negotiate } from './steps/pure/negotiate.ts';
import { preferences } from './steps/pure/preferences.ts';
import { query } from './steps/pure/query.ts';
import { signIn } from './steps/pure/sign-in.ts';
import { acceptable } from './steps/stateful/acceptable.ts';
import { act } from './steps/stateful/act.ts';
import { lookUp } from './steps/stateful/look-up.ts';
import { preconditions } from './steps/stateful/preconditions.ts';
import { range } from './steps/stateful/range.ts';
import { redirect } from './steps/stateful/redirect.ts';
import { replay } from './steps/stateful/replay.ts';

/** The steps that decide from the request alone, without I/O. */
export const PURE = flow<Received>()
  .next(signIn)
  .next(method)
  .next(negotiate)
  .next(crossSite)
  .next(authorize)
  .next(preferences)
  .next(query)
  .next(content)
  .next(idempotencyKey);

/** The steps that may use I/O. They run again if another writer changed the target in between. */
export const STATEFUL = flow<Understood>()
  .next(replay)
  .next(lookUp)
  .next(acceptable)
  .next(preconditions)
  .next(range)
  .next(redirect)
  .next(act);

/** Runs the flow for one request to a resource. It throws only after a defect of the service itself. */
export async function answer(resource: Resource, request: Request): Promise<Response> {
  return encodeContent(request, await answered(startExchange(request, resource)));
}

async function answered(start: Received): Promise<Response> {
  try {
    const passage = await runAll(start);
    return await (passage.kind === 'passed'
      ? respond(passage.exchange)
      : toResponse(passage.ending, passage.exchange));
  } catch (error) {
    if (error instanceof UnreadableItem) return problemResponse(unreadableItem(), start.request);
    if (!(error instanceof Unavailable)) throw error;
    const headers = { 'Retry-After': String(error.retryAfter) };
    const refusal = problem('unavailable', 'Please try again', { headers });
    return { ...(await problemResponse(refusal, start.request)), fault: error.cause };
  }
}

/**
 * Runs all steps, those with I/O until no concurrent writer interferes.
 *
 * @throws Unavailable after the last attempt
 */
export async function runAll(start: Received): Promise<Passage<Received, Done>> {
  const pure = await PURE.run(start);
  if (pure.kind === 'ended') return pure;
  // Nearly every request needs one attempt, so this one is outside the loop.
  const first = await STATEFUL.run(pure.exchange);
  if (!isStale(first)) return first;
  for await (const _ of attempts(RETRIES.request)) {
    const passage = await STATEFUL.run(pure.exchange);
    if (!isStale(passage)) return passage;
  }
  throw new Unavailable(new Error('The resource was changed by others again and again'));
}

/** True if a concurrent writer changed the target in between. */
const isStale = (passage: Passage<Received, Done>): boolean =>
  passage.kind === 'passed' && passage.exchange.outcome.kind === 'stale';

function toResponse(ending: Ending, exchange: Received & Partial<Done>): Response | Promise<Response> {
  const { status, problem: refusal, headers = {}, body, submitted = exchange.submitted } = ending;
  if (!refusal) return { status, headers, body };
  return refusedForm({ ...exchange, submitted }, refusal) ?? problemResponse(refusal, exchange.request);
}
