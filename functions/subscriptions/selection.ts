import { webhookConfig } from '../../shared/aws/config.ts';
import { urlFault } from '../../shared/events/webhooks/address.ts';
import { type EventSource, type Selection, sourcesOf } from '../../shared/events/webhooks/matching.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import type { Caller } from '../../shared/resource/access/owner.ts';
import { type Outcome, refused } from '../../shared/resource/actions/outcome.ts';

/** What the values of a subscription select. */
const selectionIn = ({ types, resource }: JsonObject): Selection => ({
  types: Array.isArray(types) ? types.map(String) : [],
  resource: typeof resource === 'string' ? resource : undefined,
});

/** The refusal of the values of a subscription that is not valid. Source: Specification 18.2, 18.6. */
export function invalidValues(sources: readonly EventSource[], values: JsonObject): Outcome | undefined {
  const selection = selectionIn(values);
  const { resource } = selection;
  const fault = urlFault(String(values.url), webhookConfig.loopback());
  const isKnown = resource === undefined || sources.some(({ collection }) => collection === resource);
  const errors = [
    ...(fault === undefined ? [] : [{ pointer: '/url', detail: fault }]),
    ...(isKnown ? [] : [{ pointer: '/resource', detail: 'has no events' }]),
    ...sourcesOf(selection, sources).flatMap((found, at) =>
      found.length > 0 || !isKnown
        ? []
        : [{ pointer: `/types/${at}`, detail: 'matches no event of the service' }],
    ),
  ];
  if (errors.length === 0) return undefined;
  return refused('validation-error', 'The subscription is not valid. Correct the named properties', {
    errors,
  });
}

/** The refusal of a caller who may not read all events that some subscriptions select. Source: Specification 18.5. */
export function missingScopes(
  sources: readonly EventSource[],
  caller: Caller,
  selections: readonly JsonObject[],
): Outcome | undefined {
  const selected = selections.flatMap((one) => sourcesOf(selectionIn(one), sources)).flat();
  return lacking(
    caller,
    selected.flatMap(({ scope = [] }) => scope),
  );
}

/** The scope with which a caller may see that an item had an event. `subject`: the path of the item. */
export function scopeOfSubject(sources: readonly EventSource[], subject: string): string | undefined {
  const name = subject.split('/')[1];
  if (name === 'subscriptions') return undefined;
  const source = sources.find(({ collection }) => collection === name);
  return source ? source.scope : `${name}:read`;
}

/** True if a caller has a scope. A caller of an open service has all. */
export const holds = ({ scopes }: Caller, scope: string | undefined): boolean =>
  scope === undefined || scopes === undefined || scopes.includes(scope);

/** The refusal of a caller without some of these scopes; undefined if none lacks. */
export function lacking(caller: Caller, needed: readonly string[]): Outcome | undefined {
  const scopes = [...new Set(needed)].filter((one) => !holds(caller, one));
  if (scopes.length === 0) return undefined;
  const detail = `The events need the scopes ${scopes.join(', ')}. Get a token with them`;
  return refused('forbidden', detail, { scopes });
}
