import { isObject } from '../json/value.ts';
import type { Outcome } from '../resource/actions/outcome.ts';
import type { Item } from '../resource/item.ts';
import { actionOf, callOf, checkAction, waitMs } from './action-input.ts';
import type { Acted, Ready } from './exchange.ts';
import type { ChangedValues } from './values/new-values.ts';

/**
 * The refusal that the action would return now; undefined if it would accept the request.
 *
 * Source: Specification 7.1.
 */
export async function refusalBeforehand(
  exchange: Ready,
  changed: ChangedValues | undefined,
): Promise<Outcome | undefined> {
  const outcome = await checkAction(actionOf(exchange), exchange, changed);
  return outcome?.kind === 'done' || outcome?.kind === 'found' ? undefined : outcome;
}

type Accepted = Pick<Acted, 'outcome' | 'applied'>;

/**
 * Accepts the request as an operation, which a worker runs. With `Prefer: wait`, the client gets the final response
 * if the operation ends in that time.
 */
export async function accept(exchange: Ready): Promise<Accepted> {
  const { request, resource, preferences } = exchange;
  const { deferral } = resource;
  if (!deferral) throw new Error(`Requests to ${resource.name} cannot become operations`);
  const applied = [...exchange.applied, ...(preferences.has('respond-async') ? ['respond-async'] : [])];
  // The recorded answer names the applied preferences, too.
  const inputOf = (names: readonly string[]) => callOf({ ...exchange, applied: names });
  const kind = `${resource.name}.${actionOf(exchange).id}`;
  const outcome = await deferral.accept(inputOf(applied), { kind, request, total: totalOf(exchange) });
  const wait = exchange.endpoint.isLong ? undefined : waitMs(exchange);
  if (outcome.kind !== 'accepted' || wait === undefined) return { outcome, applied };
  const waited = [...applied, `wait=${preferences.get('wait')}`];
  const after = await deferral.waitForEnd({ ...inputOf(waited), waitMs: wait }, outcome);
  if (!after) return { outcome, applied };
  return {
    outcome: after.kind === 'accepted' && isGone(after.item) ? { kind: 'done' } : after,
    applied: waited,
  };
}

/** True if the operation removed everything that it had to remove. The response is then 204. */
function isGone({ values: { result } }: Item): boolean {
  return isObject(result) && result.status === 204 && result.failures === undefined;
}

/** The number of items that the operation will process; undefined if the request does not determine it. */
function totalOf({ content, endpoint }: Ready): number | undefined {
  if (content.kind === 'items') return content.elements.length;
  return endpoint.bulk || endpoint.isLong ? undefined : 1;
}
