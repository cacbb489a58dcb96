import { attempts } from '../concurrency/retry.ts';
import * as RETRIES from '../concurrency/retry-policies.ts';
import { type Problem, problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { Unavailable } from '../http/unavailable.ts';
import type { Resource } from '../resource/resource.ts';
import { StoreRefusal } from '../resource/store-refusal.ts';
import { encodeContent } from './codings/encode.ts';
import type { Ending } from './ending.ts';
import { type Done, type Received, startExchange, type Understood } from './exchange.ts';
import { flow, type Passage } from './flow.ts';
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
import { acceptable } from './steps/stateful/acceptable.ts';
import { act } from './steps/stateful/act.ts';
import { bytes } from './steps/stateful/bytes.ts';
import { lookUp } from './steps/stateful/look-up.ts';
import { preconditions } from './steps/stateful/preconditions.ts';
import { replay } from './steps/stateful/replay.ts';

/** The steps that decide without the content. */
export const BEFORE_CONTENT = flow<Received>()
  .next(method)
  .next(negotiate)
  .next(crossSite)
  .next(authorize)
  .next(preferences)
  .next(query);

/** The steps that decide from the request alone, without I/O. */
export const PURE = BEFORE_CONTENT.next(content).next(idempotencyKey);

/** The steps that may use I/O. They run again if another writer changed the target in between. */
export const STATEFUL = flow<Understood>()
  .next(replay)
  .next(lookUp)
  .next(acceptable)
  .next(preconditions)
  .next(bytes)
  .next(act);

/** Makes the responses. A room in front of the flow can make others, for clients that it adapts. */
export interface Responses {
  readonly respond: Received['respond'];
  /** The response to a refusal. The exchange has what the steps before the refusal have added. */
  readonly refuse: (problem: Problem, exchange: Received & Partial<Done>) => Promise<Response>;
}

const RESPONSES: Responses = {
  respond,
  refuse: (refusal, { request }) => problemResponse(refusal, request),
};

/** Runs the flow for one request to a resource. It throws only after a defect of the service itself. */
export async function answer(resource: Resource, request: Request, responses = RESPONSES): Promise<Response> {
  const start = startExchange(request, resource, responses.respond);
  return encodeContent(request, await answered(start, responses));
}

const answered = (start: Received, responses: Responses): Promise<Response> =>
  orUnavailable(start.request, async () => {
    const passage = await runAll(start);
    return passage.kind === 'passed'
      ? responses.respond(passage.exchange)
      : responseTo(passage.ending, passage.exchange, responses);
  });

/** The response to a request, or a 503 if its storage does not respond. */
export async function orUnavailable(request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreRefusal) return problemResponse(error.problem, request);
    if (!(error instanceof Unavailable)) throw error;
    const headers = { 'Retry-After': String(error.retryAfter) };
    const refusal = problem('unavailable', error.detail, { headers });
    return { ...(await problemResponse(refusal, request)), fault: error.cause };
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
  if (!(await isStale(first))) return first;
  for await (const _ of attempts(RETRIES.request)) {
    const passage = await STATEFUL.run(pure.exchange);
    if (!(await isStale(passage))) return passage;
  }
  throw new Unavailable(new Error('The resource was changed by others again and again'));
}

/**
 * True if a concurrent writer changed the target in between. If the change was the effect of the same request, such as
 * a double click, the refusal is outdated too: the other one has recorded the answer.
 */
async function isStale(passage: Passage<Received, Done>): Promise<boolean> {
  if (passage.kind === 'passed') return passage.exchange.outcome.kind === 'stale';
  const { keyed, resource, resumed, request } = passage.exchange;
  const { idempotency } = resource;
  if (!passage.ending.problem || !keyed || !idempotency || resumed !== false) return false;
  const recorded = await idempotency.replay(keyed, request.receivedAt);
  return recorded.kind === 'answered' && recorded.answer !== undefined;
}

/** The response to a request that a step has ended. */
export function responseTo(
  { status, problem: refusal, headers = {}, body }: Ending,
  exchange: Received & Partial<Done>,
  { refuse }: Pick<Responses, 'refuse'>,
): Response | Promise<Response> {
  return refusal ? refuse(refusal, exchange) : { status, headers, body };
}
