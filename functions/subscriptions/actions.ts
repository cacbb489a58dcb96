import { randomBytes } from 'node:crypto';
import { config } from '../../shared/aws/config.ts';
import { urlFault } from '../../shared/events/webhooks/address.ts';
import { sourcesOf } from '../../shared/events/webhooks/matching.ts';
import { subscriberOf, subscriberPut, subscriberRemoval } from '../../shared/events/webhooks/subscriber.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import type { Caller } from '../../shared/resource/access/owner.ts';
import type { CreateCall, ItemCall, ReplaceCall } from '../../shared/resource/actions/action.ts';
import { done, type Outcome, refused } from '../../shared/resource/actions/outcome.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { answerWrites } from '../../shared/store/idempotency/answers.ts';
import { conflictOutcome, expectedVersion, insertNew } from '../../shared/store/item-actions.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { deliveryActions } from './deliveries.ts';

const NOTICE = 'Copy the secret now: no other page and no later response has it.';
const SECRET_BYTES = 32;

/** What creates, changes and removes subscriptions, in place of the ordinary actions, and the actions on deliveries. Source: Specification 18.3, 18.5. */
export const subscriptionActions = (resource: Resource) => ({
  deliveries: deliveryActions(resource),

  async create(input: CreateCall): Promise<Outcome> {
    const { caller, values } = input;
    const refusal = await refusalOf(caller, values);
    if (refusal) return refusal;
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    const outcomeOf = (item: Item): Outcome => ({
      kind: 'created',
      state: { kind: 'item', item: { ...item, values: { ...item.values, secret } }, notice: NOTICE },
      location: `/${resource.name}/${item.id}`,
    });
    return insertNew(resource, input, outcomeOf, ({ id }) => [
      subscriberPut(Number(id), { secret, grant: { caller, since: input.now } }),
    ]);
  },

  /** The refusal of a change. The scopes of the token of POST count too: events respect them. */
  async refusedChange({ caller, id, values }: ReplaceCall): Promise<Outcome | undefined> {
    const creator = (await subscriberOf(id))?.grant.caller ?? {};
    return (await refusalOf(caller, values)) ?? (await refusalOf(creator, values));
  },

  async remove(input: ItemCall): Promise<Outcome> {
    const { caller, id, idempotency, now, current } = input;
    const answers = idempotency ? await answerWrites(idempotency, done, now) : [];
    const result = await itemsOf(resource, caller).remove(id, {
      version: expectedVersion(input),
      before: current,
      answers: [...answers, subscriberRemoval(id, now)],
    });
    return result.kind === 'removed' ? done : conflictOutcome(result);
  },
});

/** The refusal of the values of a subscription; undefined if a caller may have their events. */
async function refusalOf(caller: Caller, values: JsonObject): Promise<Outcome | undefined> {
  const { EVENT_SOURCES } = await import('#service');
  const types = Array.isArray(values.types) ? values.types.map(String) : [];
  const resource = typeof values.resource === 'string' ? values.resource : undefined;
  const fault = urlFault(String(values.url), config.webhookLoopback());
  const sources = sourcesOf({ types, resource }, EVENT_SOURCES);
  const isKnown = resource === undefined || EVENT_SOURCES.some(({ collection }) => collection === resource);
  const errors = [
    ...(fault === undefined ? [] : [{ pointer: '/url', detail: fault }]),
    ...(isKnown ? [] : [{ pointer: '/resource', detail: 'has no events' }]),
    ...sources.flatMap((found, at) =>
      found.length > 0 || !isKnown
        ? []
        : [{ pointer: `/types/${at}`, detail: 'matches no event of the service' }],
    ),
  ];
  if (errors.length > 0)
    return refused('validation-error', 'The subscription is not valid. Correct the named properties', {
      errors,
    });
  const needed = new Set(sources.flat().flatMap(({ scope = [] }) => scope));
  const scopes = [...needed].filter((one) => caller.scopes?.includes(one) === false);
  if (scopes.length === 0) return undefined;
  const detail = `The events need the scopes ${scopes.join(', ')}. Get a token with them, or name fewer types`;
  return refused('forbidden', detail, { scopes });
}
