import { attempts } from '../concurrency/retry.ts';
import * as RETRIES from '../concurrency/retry-policies.ts';
import { type Problem, problem, Unavailable } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { Resource } from '../resource/resource.ts';
import { StoreRefusal } from '../resource/store-refusal.ts';
import { encodeContent } from './codings/encode.ts';
import type { Ending } from './ending.ts';
import {
  type Done,
  EMPTY_EXCHANGE,
  type Keyed,
  type LookedUp,
  type Negotiated,
  type Preferred,
  type Received,
  type SentContent,
  type Targeted,
  type Understood,
} from './exchange.ts';
import { flow, type Passage } from './flow.ts';
import { problemResponse } from './response/problem.ts';
import { respond } from './response/respond.ts';
import { authorize } from './steps/pure/authorize.ts';
import { content } from './steps/pure/content.ts';
import { crossSite } from './steps/pure/cross-site.ts';
import { idempotencyKey, NO_KEY } from './steps/pure/idempotency-key.ts';
import { method } from './steps/pure/method.ts';
import { negotiate } from './steps/pure/negotiate.ts';
import { NO_PREFERENCES, preferences } from './steps/pure/preferences.ts';
import { query } from './steps/pure/query.ts';
import { acceptable } from './steps/stateful/acceptable.ts';
import { act } from './steps/stateful/act.ts';
import { lookUp } from './steps/stateful/look-up.ts';
import { ANY_STATE, preconditions } from './steps/stateful/preconditions.ts';
import { bytes, WHOLE } from './steps/stateful/ranges-of-bytes.ts';
import { FIRST, replay } from './steps/stateful/replay.ts';

const isWrite = ({ isSafe }: Targeted): boolean => !isSafe;
const hasPreferences = ({ request }: Received): boolean => request.headers.prefer !== undefined;
const isRepeatable = ({ request: { headers }, asOperation }: Received): boolean =>
  headers['idempotency-key'] !== undefined || asOperation !== undefined;
const mayBeRepeat = ({ keyed, preferences: given }: Keyed & Preferred): boolean =>
  keyed !== undefined && !given.has('dry-run');
const lacksFormat = ({ notAcceptable }: Negotiated): boolean => notAcceptable !== undefined;
const isConditional = ({ isSafe, preconditions: given }: Targeted & SentContent): boolean =>
  !isSafe || given !== undefined;
const readsBytes = ({ isSafe, state }: Targeted & LookedUp): boolean => isSafe && state?.kind === 'bytes';

/** The steps that decide without the content. */
export const BEFORE_CONTENT = flow<Received>()
  .next(method)
  .next(negotiate)
  .when(isWrite, crossSite, undefined)
  .next(authorize)
  .when(hasPreferences, preferences, NO_PREFERENCES)
  .next(query);

/** The steps that decide from the request alone, without I/O. */
export const PURE = BEFORE_CONTENT.next(content).when(isRepeatable, idempotencyKey, NO_KEY);

/** The steps that may use I/O. They run again if another writer changed the target in between. */
export const STATEFUL = flow<Understood>()
  .when(mayBeRepeat, replay, FIRST)
  .next(lookUp)
  .when(lacksFormat, acceptable, undefined)
  .when(isConditional, preconditions, ANY_STATE)
  .when(readsBytes, bytes, WHOLE)
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

/**
 * Responds to one request to a resource. It throws only after a defect of the service itself. Each step ends the request
 * or adds what it finds to the exchange:
 *
 * 1. `method` finds the route and the endpoint, or refuses the method or the path.
 * 2. `negotiate` chooses the representation of the response.
 * 3. `crossSite` refuses writes that a page of another origin triggered.
 * 4. `authorize` compares the caller with the scopes and the tenant that the endpoint needs.
 * 5. `preferences` reads `Prefer`, if the request has it.
 * 6. `query` reads the page, the selected properties and the relations to expand.
 * 7. `content` reads the preconditions and, of a write, the content.
 * 8. `idempotencyKey` reads the key of a request that may be a repeat.
 * 9. `replay` responds to a repeat with the recorded answer.
 * 10. `lookUp` reads the target, if the response depends on it.
 * 11. `acceptable` refuses a request if `negotiate` has found no format.
 * 12. `preconditions` compares the target with the preconditions, and finds the version that a write expects.
 * 13. `bytes` chooses the ranges of stored bytes that a read gets.
 * 14. `act` calls the action of the endpoint.
 *
 * `respond` makes the response of what they have found, or `refuse` that of an ending. If another writer was faster,
 * the steps from 9 on run again. Last, the text gets the content coding that the client prefers.
 */
export async function answer(resource: Resource, request: Request, responses = RESPONSES): Promise<Response> {
  const start = { ...EMPTY_EXCHANGE, request, resource, respond: responses.respond };
  const response = await orUnavailable(request, async () => {
    const passage = await runAll(start);
    return passage.kind === 'passed'
      ? responses.respond(passage.exchange)
      : responseTo(passage.ending, passage.exchange, responses);
  });
  return encodeContent(request, response);
}

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
  const { keyed, preferences: given, resource, resumed, request } = passage.exchange;
  const { idempotency } = resource;
  if (!passage.ending.problem || !keyed || !idempotency || resumed !== false || given?.has('dry-run'))
    return false;
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
