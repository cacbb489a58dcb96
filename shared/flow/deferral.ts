import type { JsonObject } from '../json/value.ts';
import type { AcceptedOperation, Deferral } from '../resource/capabilities.ts';
import type { Item } from '../resource/item.ts';
import type { Outcome } from '../resource/outcome.ts';
import { actionInput, actionOf, waitMs } from './action-input.ts';
import type { Exchange } from './exchange.ts';

/**
 * Whether the service may respond 202 because the client prefers that. False for a request that already runs as an
 * operation, and for uploads, which always wait for the client.
 *
 * Source: RFC 7240 §4.1.
 */
export const prefersAsync = ({ preferences, resource, work, uploads, maximum, ...rest }: Exchange): boolean =>
  work === undefined &&
  uploads === undefined &&
  // The service checks `max-affected` before it accepts the request.
  maximum === undefined &&
  !isBrowsersForm(rest) &&
  resource.deferral !== false &&
  preferences.has('respond-async');

/** A browser gets a redirect to the result of its form, so the service completes the form at once. */
const isBrowsersForm = ({
  submitted,
  representation,
}: Pick<Exchange, 'submitted' | 'representation'>): boolean =>
  submitted !== undefined && representation.suffix === undefined;

/** How the action would refuse the request if it ran now; undefined if it would not. Source: Specification 7.1. */
export async function refusalBeforehand(exchange: Exchange): Promise<Outcome | undefined> {
  const outcome = await actionOf(exchange).check?.(actionInput(exchange));
  return outcome?.kind === 'done' ? undefined : outcome;
}

/**
 * Accepts the request as an operation, which a worker runs. With `Prefer: wait`, the client gets the final response
 * if the operation ends in that time.
 */
export async function accept(exchange: Exchange): Promise<Outcome> {
  const { request, resource, preferences, applied } = exchange;
  if (preferences.has('respond-async') && !applied.includes('respond-async')) applied.push('respond-async');
  if (!resource.deferral) throw new Error(`Requests to ${resource.name} cannot become operations`);
  const kind = `${resource.name}.${actionOf(exchange).id}`;
  const outcome = await resource.deferral.accept(actionInput(exchange), {
    kind,
    request,
    total: totalOf(exchange),
  });
  return outcome.kind === 'accepted' ? awaitCompletion(exchange, resource.deferral, outcome) : outcome;
}

/** Waits for the end of an operation, for as long as the client wants and the service allows. */
async function awaitCompletion(
  exchange: Exchange,
  deferral: Deferral,
  operation: AcceptedOperation,
): Promise<Outcome> {
  const { preferences, applied } = exchange;
  if (waitMs(exchange) === undefined) return operation;
  applied.push(`wait=${preferences.get('wait')}`);
  const after = await deferral.waitForEnd(actionInput(exchange), operation);
  return after.kind === 'accepted' && isGone(after.item) ? { kind: 'done' } : after;
}

/** Whether the operation removed everything that it had to remove. The response is then 204. */
function isGone({ values }: Item): boolean {
  const { status, failures } = (values.result ?? {}) as JsonObject;
  return status === 204 && failures === undefined;
}

/** How many items the operation has to process; undefined if the request does not say it. */
const totalOf = ({ elements, operation }: Exchange): number | undefined =>
  elements?.length ?? (operation.bulk ? undefined : 1);
