import { MAXIMUM_BYTES } from '../../../http/maximum-sizes.ts';
import { PROBLEMS, type ProblemName, type StatusOf } from '../../../http/problem.ts';
import { lazily } from '../../../on-demand.ts';
import { itemHref } from '../../../representations/item.ts';
import {
  type Bytes,
  foundItem,
  type Outcome,
  type RecordedAnswer,
  stale,
} from '../../../resource/actions/outcome.ts';
import { actionOf, callAction, callOf, prefersAsync } from '../../action-input.ts';
import { accept, refusalBeforehand } from '../../deferral.ts';
import type { TriedRun } from '../../dry-run.ts';
import { type Ending, endLinked, refuse, refuseMissing } from '../../ending.ts';
import type { Acted, BytesRead, Ready } from '../../exchange.ts';
import { endWithRecorded, RECORDED, type RecordedStatus } from '../../recorded-answer.ts';
import { type Finding, step } from '../../step.ts';
import { changedValues, limitedValues, type NewValues, patchedValues } from '../../values/new-values.ts';

const { planOf } = lazily(() => import('../../dry-run.ts'), ['planOf']);

/** Executes the request: reads the bytes of a GET, applies a patch, or calls the action of a write. */
export const act = step<Ready, Acted>()(
  'act',
  [...Object.values(PROBLEMS).map(({ status }) => status), ...RECORDED],
  (exchange) => {
    const acted = exchange.isSafe ? read(exchange) : write(exchange);
    return acted instanceof Promise ? acted.then((one) => ended(exchange, one)) : ended(exchange, acted);
  },
);

type Refused = Ending<StatusOf<ProblemName>>;

/** The outcome, and what it adds to the exchange. */
type Result = { readonly kind: 'result' } & Pick<Acted, 'outcome'> & Partial<Acted>;

const result = (outcome: Outcome, bytes?: BytesRead): Result => ({ kind: 'result', outcome, bytes });

/** Look-up has read the state. Only bytes are still to be read, and HEAD needs only their number. */
function read({ request, state, ranges, lookup }: Ready): Result | Promise<Result> {
  if (!lookup) throw new Error('Look-up has not read the target');
  if (state?.kind !== 'bytes') return result(lookup);
  if (request.method === 'HEAD' && !state.bytes.isText) return result(lookup, lengthOf(state.bytes));
  const reading = ranges ? readRanges(state.bytes, ranges) : readWhole(state.bytes);
  return reading.then((bytes) => (bytes ? result(lookup, bytes) : result(stale)));
}

/** API Gateway computes Content-Length from a body that it then drops. Many bytes have the field alone. */
const lengthOf = ({ size }: Bytes): BytesRead =>
  size > MAXIMUM_BYTES ? { kind: 'length' } : { kind: 'whole', bytes: new Uint8Array(size) };

async function readWhole(stored: Bytes): Promise<BytesRead | undefined> {
  const bytes = await stored.read();
  return bytes && { kind: 'whole', bytes };
}

async function readRanges(
  stored: Bytes,
  ranges: NonNullable<Ready['ranges']>,
): Promise<BytesRead | undefined> {
  const parts = await Promise.all(ranges.map(async (range) => ({ range, bytes: await stored.read(range) })));
  const present = parts.flatMap(({ range, bytes }) => (bytes ? [{ range, bytes }] : []));
  return present.length === parts.length ? { kind: 'ranges', parts: present } : undefined;
}

async function write(exchange: Ready): Promise<Result | Refused | Ending<200>> {
  const changed = newValues(exchange);
  if (changed?.kind === 'ending') return changed;
  const isDryRun = exchange.preferences.has('dry-run');
  if (changed?.kind === 'unchanged') {
    const item = itemOf(exchange);
    const outcome = foundItem(item, itemHref(exchange.resource, item.id));
    return isDryRun
      ? planned(exchange, () => Promise.resolve(outcome))
      : result(await unchanged(exchange, outcome));
  }
  if (exchange.maximum === 0 && !exchange.endpoint.bulk)
    return refuse(
      'conflict',
      'The request would remove one item, more than the limit of 0. Raise max-affected',
      {
        members: { affected: 1, maximum: 0 },
      },
    );
  if (isDryRun)
    return planned(exchange, async (run) => callAction(actionOf(exchange), { ...exchange, ...run }, changed));
  if (prefersAsync(exchange)) {
    const refusal = await refusalBeforehand(exchange, changed);
    return refusal ? result(refusal) : deferred(exchange);
  }
  const outcome = await callAction(actionOf(exchange), exchange, changed);
  return outcome.kind === 'mustDefer' ? deferred(exchange) : result(outcome);
}

async function planned(
  exchange: Ready,
  perform: (run: TriedRun) => Promise<Outcome>,
): Promise<Result | Refused | Ending<200>> {
  const plan = await planOf(exchange, perform);
  return plan.kind === 'ending' ? plan : result(plan);
}

const deferred = async (exchange: Ready): Promise<Result> => ({
  kind: 'result',
  ...(await accept(exchange)),
});

/** The values of the item after a patch, a change or a limited PUT; undefined for other content. */
function newValues(exchange: Ready): NewValues | Refused | undefined {
  const { content } = exchange;
  if (content.kind === 'item' && !exchange.endpoint.creates) return limitedValues(exchange, content);
  if (content.kind === 'patch') return patchedValues(exchange, itemOf(exchange), content.patch);
  if (content.kind === 'change') return changedValues(exchange, itemOf(exchange), content);
  return undefined;
}

/** Nothing changes, so the service writes only the recorded answer of a request with an idempotency key. */
function unchanged(exchange: Ready, outcome: Outcome): Promise<Outcome> | Outcome {
  const { resource, keyed } = exchange;
  return keyed && resource.idempotency ? resource.idempotency.record(callOf(exchange), outcome) : outcome;
}

function itemOf({ state }: Ready) {
  if (state?.kind !== 'item') throw new Error('Look-up has not read the item to change');
  return state.item;
}

function ended(
  exchange: Ready,
  acted: Result | Refused | Ending<200>,
): Finding<Acted, Refused['status'] | RecordedStatus> {
  if (acted.kind === 'ending') return acted;
  const { outcome, applied = exchange.applied, bytes } = acted;
  if (outcome.kind === 'answered' && outcome.answer) return recordedEnding(outcome.answer, applied);
  if (outcome.kind === 'refused') return endLinked(exchange.request, outcome);
  if (outcome.kind === 'missing') return refuseMissing(exchange.request, outcome.detail, outcome.links);
  return { outcome, applied, bytes };
}

/** The operation ended while the client waited: the ending is the response to the request itself. */
function recordedEnding(answer: RecordedAnswer, applied: readonly string[]): Ending<RecordedStatus> {
  const others = applied.filter((one) => one !== 'respond-async');
  const all = [answer.headers['Preference-Applied'], ...others].filter((one) => one !== undefined);
  return endWithRecorded(answer, { 'Preference-Applied': all.join(', ') });
}
