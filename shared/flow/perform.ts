import type { Problem } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import { type Response, SOME_CREATED } from '../http/response.ts';
import type { JsonObject } from '../json/value.ts';
import type { Outcome } from '../resource/actions/outcome.ts';
import type { Checkpoint } from '../resource/actions/work.ts';
import type { Resource } from '../resource/resource.ts';
import { runAll } from './answer.ts';
import { type Answerable, EMPTY_EXCHANGE, type OperationRun } from './exchange.ts';
import { countOf } from './recorded-answer.ts';
import { respond } from './response/respond.ts';

/** The result of a request that ran as an operation. */
export type Performed =
  | {
      readonly kind: 'answered';
      readonly response: Pick<Response, 'status' | 'headers'>;
      readonly checkpoint: Checkpoint;
      readonly report?: JsonObject | undefined;
    }
  | Extract<Outcome, { kind: 'interrupted' }>
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Runs an accepted request as an operation, through the same steps and actions. It evaluates the preconditions
 * again, so that they hold at the time of the effect.
 *
 * @throws Unavailable when an engine does not respond
 */
export async function perform(resource: Resource, request: Request, run: OperationRun): Promise<Performed> {
  const passage = await runAll({
    ...EMPTY_EXCHANGE,
    request,
    resource,
    respond: respondToRun,
    asOperation: run,
  });
  if (passage.kind === 'ended') {
    const { status, problem, headers = {}, count } = passage.ending;
    return problem ? { kind: 'refused', problem } : answered({ status, headers }, count);
  }
  const { outcome } = passage.exchange;
  if (outcome.kind === 'interrupted') return outcome;
  if (outcome.kind === 'completed')
    return {
      kind: 'answered',
      response: completedResponse(request, outcome),
      checkpoint: outcome.checkpoint,
      report: outcome.report,
    };
  return answered(await respondToRun(passage.exchange), countOf(outcome));
}

/** The result of the steps of work that no request began. */
export function performedWork(outcome: Outcome): Performed {
  if (outcome.kind === 'interrupted') return outcome;
  if (outcome.kind !== 'completed') throw new Error(`Steps cannot end with ${outcome.kind}`);
  return { kind: 'answered', response: { status: 204, headers: {} }, checkpoint: outcome.checkpoint };
}

/** The response to the accepted request has named the applied preferences, so the record of the operation does not. */
async function respondToRun(exchange: Answerable): Promise<Response> {
  const response = await respond({ ...exchange, applied: [] });
  return exchange.outcome.kind === 'several' ? located(exchange, exchange.outcome, response) : response;
}

/** Adds `Location` to a mixed result that created some items, as a result that created all items has it. */
function located(
  { request: { basePath } }: Answerable,
  outcome: Extract<Outcome, { kind: 'several' }>,
  answer: Response,
): Response {
  if (answer.status !== SOME_CREATED) return answer;
  if (!outcome.results.some(({ kind }) => kind === 'created')) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, Location: basePath + (outcome.only ?? outcome.location) },
  };
}

/** The result of a request that ran in one step. */
const answered = (response: Pick<Response, 'status' | 'headers'>, count = 1): Performed => ({
  kind: 'answered',
  response,
  checkpoint: { done: count, failed: 0, failures: [] },
});

/** The status and the header fields of an operation that ran in several steps. Source: RFC 9110 §15.3. */
function completedResponse(
  { method, basePath }: Request,
  { location, checkpoint: { done, failed } }: Extract<Outcome, { kind: 'completed' }>,
): Pick<Response, 'status' | 'headers'> {
  const isCreation = location !== undefined;
  const headers: Record<string, string> = isCreation && done > 0 ? { Location: basePath + location } : {};
  const all = isCreation ? 201 : method === 'PUT' ? 200 : 204;
  return { status: failed > 0 && method !== 'DELETE' ? 207 : all, headers };
}
