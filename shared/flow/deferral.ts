import type { JsonObject } from '../json/value.ts';
import type { Action } from '../resource/action.ts';
import type { Item } from '../resource/item.ts';
import type { Outcome } from '../resource/outcome.ts';
import { actionInput, actionOf, waitMs } from './action-input.ts';
import type { Exchange } from './exchange.ts';

/**
 * Whether the client would rather not wait, and may be answered before the work is done. What was accepted before is
 * being done now; what the client itself has to do is waited for in any case.
 *
 * Source: RFC 7240 §4.1.
 */
export const prefersAsync = ({ preferences, resource, work, uploads, maximum, ...rest }: Exchange): boolean =>
  work === undefined &&
  uploads === undefined &&
  // A limit is judged before anything is promised.
  maximum === undefined &&
  !isBrowsersForm(rest) &&
  resource.actions.defer !== undefined &&
  preferences.has('respond-async');

/** A browser is led to what became of its form. */
const isBrowsersForm = ({
  submitted,
  representation,
}: Pick<Exchange, 'submitted' | 'representation'>): boolean =>
  submitted !== undefined && representation.suffix === undefined;

/** How the action would refuse the request if it ran now; undefined if it would not. Source: Specification 7.1. */
export async function refusalBeforehand(exchange: Exchange): Promise<Outcome | undefined> {
  const check = exchange.resource.checks[actionOf(exchange)];
  const outcome = await check?.(actionInput(exchange));
  return outcome?.kind === 'done' ? undefined : outcome;
}

/**
 * Makes an operation of the request: the same request is worked on elsewhere. A client that would wait for a while is
 * answered as without an operation, if it ends in that time.
 *
 * Source: RFC 9110 §15.3.3; RFC 7240 §4.1, §4.3.
 */
export async function accept(exchange: Exchange): Promise<Outcome> {
  const { request, resource, preferences, applied } = exchange;
  if (preferences.has('respond-async') && !applied.includes('respond-async')) applied.push('respond-async');
  const kind = `${resource.name}.${nameOf(exchange)}`;
  const asked = actionInput(exchange);
  const outcome = await (resource.actions.defer as Action)({
    ...asked,
    deferred: { kind, request, total: totalOf(exchange) },
  });
  return outcome.kind === 'accepted' ? awaitCompletion(exchange, outcome) : outcome;
}

/** Waits for the end of an operation as long as the client would, and the service lets it. */
async function awaitCompletion(exchange: Exchange, outcome: Outcome): Promise<Outcome> {
  const { preferences, applied, resource } = exchange;
  if (waitMs(exchange) === undefined || !resource.actions.await) return outcome;
  applied.push(`wait=${preferences.get('wait')}`);
  const after = await (resource.actions.await as Action)({ ...actionInput(exchange), outcome });
  return after.kind === 'accepted' && isGone(after.item) ? { kind: 'done' } : after;
}

/** All that was to be removed was: there is nothing else to say. */
function isGone({ values }: Item): boolean {
  const { status, failures } = (values.result ?? {}) as JsonObject;
  return status === 204 && failures === undefined;
}

/** What is done, as a name: `removeAll`, `patch`, `pay`. What stands behind a colon tells a parent or a part. */
function nameOf(exchange: Exchange): string {
  const { content, form } = exchange.operation;
  if (content === 'patch' || content === 'change') return content;
  const [name = '', more = ''] = actionOf(exchange).split(':');
  return form === 'move' ? more : name;
}

/** How many things are to be done, where that is known beforehand. */
const totalOf = ({ elements, operation }: Exchange): number | undefined =>
  elements?.length ?? (operation.bulk ? undefined : 1);
