import { SOME_CREATED } from '../http/created-location.ts';
import type { Problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import type { IdempotentRequest } from '../resource/action.ts';
import type { Outcome } from '../resource/outcome.ts';
import type { Resource } from '../resource/resource.ts';
import type { Checkpoint, Work } from '../resource/work.ts';
import { PURE, runSteps, runUntilStable } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { respond } from './response/respond.ts';

/** The result of a request that ran as an operation. */
export type Performed =
  | {
      readonly kind: 'answered';
      readonly response: Pick<Response, 'status' | 'headers'>;
      readonly checkpoint: Checkpoint;
    }
  | Extract<Outcome, { kind: 'interrupted' }>
  | { readonly kind: 'refused'; readonly problem: Problem };

/** The idempotency of an effect, without `answer`. The flow adds that function. */
export type Effect = Omit<IdempotentRequest, 'answer'>;

/**
 * Runs an accepted request as an operation, through the same steps and actions. It evaluates the preconditions
 * again, so that they hold at the time of the effect.
 *
 * @throws Unavailable when an engine does not respond
 */
export async function perform(
  resource: Resource,
  request: Request,
  { work, effect }: { work: Work; effect: Effect },
): Promise<Performed> {
  const exchange = { request, resource, work } as Exchange;
  const refused = await runSteps(PURE, exchange);
  if (refused?.problem) return { kind: 'refused', problem: refused.problem };
  exchange.once = {
    ...effect,
    answer: async (outcome) => {
      const done = { ...exchange, outcome, applied: [] };
      const { status, headers, body } = located(done, await respond(done));
      return { status, headers, body: body as string | undefined, count: countOf(outcome) };
    },
  };
  const ending = refused ?? (await runUntilStable(exchange));
  const { outcome } = exchange;
  if (ending?.problem) return { kind: 'refused', problem: ending.problem };
  if (ending) return answered({ headers: {}, ...ending }, ending.count);
  if (outcome?.kind === 'interrupted') return outcome;
  if (outcome?.kind === 'completed')
    return {
      kind: 'answered',
      response: completedResponse(request, outcome),
      checkpoint: outcome.checkpoint,
    };
  return answered(located(exchange, await respond(exchange)), countOf(outcome));
}

/** Adds `Location` to a mixed result that created some items, as a result that created all items has it. */
function located({ outcome, request }: Exchange, response: Response): Response {
  if (outcome?.kind !== 'several' || response.status !== SOME_CREATED) return response;
  if (!outcome.results.some(({ kind }) => kind === 'created')) return response;
  return { ...response, headers: { ...response.headers, Location: request.basePath + outcome.location } };
}

/** The result of a request that ran in one step. */
const answered = (response: Pick<Response, 'status' | 'headers'>, count = 1): Performed => ({
  kind: 'answered',
  response,
  checkpoint: { done: count, failed: 0, failures: [] },
});

/** How many items an outcome covers. */
function countOf(outcome: Outcome | undefined): number {
  if (outcome?.kind === 'several') return outcome.results.filter(({ kind }) => kind !== 'refused').length;
  if (outcome?.kind === 'done') return outcome.count ?? 1;
  return outcome && 'state' in outcome && outcome.state.kind === 'list' ? outcome.state.page.items.length : 1;
}

/** The status and the header fields of an operation that ran in several steps. Source: RFC 9110 §15.3. */
function completedResponse(
  { method, basePath }: Request,
  { location, checkpoint: { done, failed } }: Extract<Outcome, { kind: 'completed' }>,
): Pick<Response, 'status' | 'headers'> {
  const isCreation = location !== undefined;
  const headers: Record<string, string> = isCreation && done > 0 ? { Location: basePath + location } : {};
  const all = isCreation ? 201 : method === 'DELETE' ? 204 : 200;
  return { status: failed > 0 && method !== 'DELETE' ? 207 : all, headers };
}
