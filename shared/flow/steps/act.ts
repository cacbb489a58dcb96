import { isSafe } from '../../http/method.ts';
import { PROBLEMS } from '../../http/problem.ts';
import type { RecordedAnswer } from '../../resource/action.ts';
import { found, type Outcome, stale } from '../../resource/outcome.ts';
import { actionInput, actionOf } from '../action-input.ts';
import { changedValues } from '../changed-values.ts';
import { accept, prefersAsync, refusalBeforehand } from '../deferral.ts';
import { type Ending, end, refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { patchedValues } from '../patched-values.ts';
import { step } from '../step.ts';

/** Executes the request: reads the bytes of a GET, applies a patch, or calls the action of a write. */
export const act = step(
  'act',
  Object.values(PROBLEMS).map(({ status }): number => status),
  async (exchange) => {
    const { request, operation } = exchange;
    if (isSafe(request.method)) {
      exchange.outcome = await read(exchange);
    } else {
      if (operation.content === 'patch' || operation.content === 'change') {
        const ending = operation.content === 'patch' ? patchedValues(exchange) : changedValues(exchange);
        if (ending) return ending;
        if (exchange.outcome) return unchanged(exchange, exchange.outcome);
      }
      exchange.outcome = prefersAsync(exchange)
        ? ((await refusalBeforehand(exchange)) ?? (await accept(exchange)))
        : await actionOf(exchange).run(actionInput(exchange));
      if (exchange.outcome.kind === 'mustDefer') exchange.outcome = await accept(exchange);
    }
    return endingOf(exchange, exchange.outcome);
  },
);

/** Nothing changes, so the service writes only the recorded answer of a request with an idempotency key. */
async function unchanged(exchange: Exchange, outcome: Outcome): Promise<undefined> {
  const { idempotency } = exchange.resource;
  if (exchange.once && idempotency)
    exchange.outcome = await idempotency.record(actionInput(exchange), outcome);
}

/** Look-up has read the state. Only bytes are still to be read, and HEAD needs only their number. */
async function read(exchange: Exchange): Promise<Outcome> {
  const { request, state, ranges, lookup } = exchange;
  if (state?.kind === 'emptyForm') return found(state);
  if (state?.kind !== 'bytes') return lookup as Outcome;
  if (request.method === 'HEAD') {
    // API Gateway computes Content-Length from a body that it then drops.
    exchange.bytes = [new Uint8Array(state.bytes.size)];
    return lookup as Outcome;
  }
  const { bytes } = state;
  const read = await Promise.all(ranges ? ranges.map((range) => bytes.read(range)) : [bytes.read()]);
  if (read.includes(undefined)) return stale;
  exchange.bytes = read as Uint8Array[];
  return lookup as Outcome;
}

function endingOf({ request, applied }: Exchange, outcome: Outcome): Ending | undefined {
  if (outcome.kind === 'answered' && outcome.answer) return recordedEnding(outcome.answer, applied);
  if (outcome.kind === 'refused') return end(outcome.problem);
  if (outcome.kind === 'missing') return refuse('not-found', outcome.detail ?? `There is no ${request.path}`);
  return undefined;
}

/** The operation endingOf while the client waited: the ending is the response to the request itself. */
function recordedEnding({ headers, ...answer }: RecordedAnswer, applied: readonly string[]): Ending {
  const preferencesApplied = [
    headers['Preference-Applied'],
    ...applied.filter((one) => one !== 'respond-async'),
  ];
  const all = preferencesApplied.filter((one) => one !== undefined).join(', ');
  return { ...answer, headers: { ...headers, 'Preference-Applied': all } };
}
