import { randomBytes } from 'node:crypto';
import { config } from '../../shared/aws/config.ts';
import { newExpiry, renewedExpiry } from '../../shared/events/webhooks/judgement.ts';
import type { EventSource } from '../../shared/events/webhooks/matching.ts';
import {
  removalPuts,
  type Subscriber,
  subscriberOf,
  subscriberPut,
} from '../../shared/events/webhooks/subscriber.ts';
import { revisionPut, startPut } from '../../shared/events/webhooks/waiting-table.ts';
import { type JsonObject, sameMember } from '../../shared/json/value.ts';
import type {
  Calls,
  CreateCall,
  ItemCall,
  ListCall,
  ReplaceCall,
} from '../../shared/resource/actions/action.ts';
import { done, missing, type Outcome, refused, replaced } from '../../shared/resource/actions/outcome.ts';
import type { Item } from '../../shared/resource/item.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { insertNew } from '../../shared/store/actions/item-actions.ts';
import { answerWrites } from '../../shared/store/idempotency/answers.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { conflictOutcome, expectedVersion, listingOutcome } from '../../shared/store/items/outcomes.ts';
import { itemRows } from '../../shared/store/items/read-items.ts';
import { Pages } from '../../shared/store/lists/pages.ts';
import { deliveryActions } from './deliveries.ts';
import { countedCreation, refusedCreation } from './limits.ts';
import { asOwner, managedValues, refusedByOperators, refusedReason, withReason } from './operators.ts';
import { invalidValues, missingScopes } from './selection.ts';

const NOTICE = 'Copy the secret now: no other page and no later response has it.';
const SECRET_BYTES = 32;
/** The fields of which a change replaces the grant. */
const GRANTED = ['url', 'types', 'resource'] as const;
const NO_SECRET = 'The subscription has no secret, because it came by an import. Create it anew';

const pathOf = ({ id }: Pick<Item, 'id'>): string => `/subscriptions/${id}`;
const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** A change of a subscription. `subscriber`: what the service keeps of it after the change, if this changes. */
interface Change {
  readonly values: JsonObject;
  readonly before: Item;
  readonly subscriber?: Subscriber | undefined;
  readonly secret?: string | undefined;
}

/**
 * What creates, changes and removes subscriptions, in place of the ordinary actions, and the actions on deliveries.
 *
 * Source: Specification 18.3, 18.5, 18.13, 18.14.
 */
export const subscriptionActions = (resource: Resource, sources: readonly EventSource[]) => ({
  deliveries: deliveryActions(resource, sources),

  async create(input: CreateCall): Promise<Outcome> {
    const { caller, now } = input;
    const values = { ...input.values, ...newExpiry(caller, now) };
    const refusal =
      refusedReason(values) ?? invalidValues(sources, values) ?? missingScopes(sources, caller, [values]);
    if (refusal) return refusal;
    const secret = newSecret();
    const outcomeOf = (item: Item): Outcome => ({
      kind: 'created',
      state: { kind: 'item', item: { ...item, values: { ...item.values, secret } }, notice: NOTICE },
      location: pathOf(item),
    });
    const outcome = await insertNew(resource, { ...input, values }, outcomeOf, {
      rowsOf: ({ id }) => [subscriberPut(Number(id), { secret, caller }), revisionPut()],
      counts: countedCreation(resource, caller),
    });
    return outcome.kind === 'stale' ? ((await refusedCreation(resource, caller)) ?? outcome) : outcome;
  },

  /**
   * Changes a subscription. A change of what it selects, or of where it leads, needs the rights for the events before and
   * after it, because events of before can wait. The grant is then that of this token.
   */
  async replace(input: ReplaceCall): Promise<Outcome> {
    const { id, now } = input;
    const before = input.current ?? (await itemsOf(resource, input.caller).get(id));
    if (!before) return missing();
    const caller = asOwner(resource, input.caller, before);
    if (!caller) return manage(resource, input, before);
    const subscriber = await subscriberOf(id);
    const isMoved = GRANTED.some((name) => !sameMember(before.values[name], input.values[name] ?? undefined));
    const isActive = input.values.active !== false;
    const isResumed = isActive && before.values.active === false;
    const selections = isMoved ? [before.values, input.values] : isResumed ? [input.values] : [];
    const refusal =
      refusedReason(input.values, before.values) ??
      invalidValues(sources, input.values) ??
      missingScopes(sources, caller, selections);
    if (refusal) return refusal;
    const suspension = isResumed ? refusedByOperators(before.values) : undefined;
    if (suspension) return suspension;
    if (isResumed && !subscriber) return refused('conflict', NO_SECRET);
    const isChanged = isMoved || isActive !== (before.values.active !== false);
    const values = {
      ...withReason(input.values, isActive ? undefined : before.values.reason),
      ...(isChanged ? newExpiry(caller, now) : renewedExpiry(before.values, now)),
    };
    const granted = isMoved && subscriber ? { ...subscriber, caller } : undefined;
    const change = { values, before, subscriber: granted, secret: subscriber?.secret };
    return write(resource, { ...input, caller }, change, (item) => replaced(item, pathOf(item)));
  },

  /** A page of the subscriptions of all owners, for managers. */
  async list({ page }: ListCall): Promise<Outcome> {
    const ids: number[] = [];
    for await (const row of itemRows(config.tableName(resource.name))) ids.push(Number(row.id?.N));
    return listingOutcome(await new Pages(resource).byKeys({ ids, rest: page.filters }, page));
  },

  /** Makes a new secret. The present one also signs for a while. Source: Specification 18.14. */
  async rotate(input: Calls['customOfItem']): Promise<Outcome> {
    const { caller, id, now, body } = input;
    const before = input.current ?? (await itemsOf(resource, caller).get(id));
    const subscriber = before && (await subscriberOf(id));
    if (!before) return missing();
    if (!subscriber) return refused('conflict', NO_SECRET);
    const overlap = Number(body.overlap) * 1000;
    const until = overlap > 0 ? now + overlap : undefined;
    const previous = until === undefined ? undefined : { secret: subscriber.secret, until };
    const secret = newSecret();
    const values = { ...before.values, previousUntil: until ?? null, ...newExpiry(caller, now) };
    const after = { ...subscriber, secret, previous };
    return write(
      resource,
      input,
      { values, before, subscriber: after, secret: subscriber.secret },
      (item) => ({
        kind: 'replaced',
        state: { kind: 'item', item: { ...item, values: { ...item.values, secret } }, notice: NOTICE },
        location: pathOf(item),
      }),
    );
  },

  async remove(input: ItemCall): Promise<Outcome> {
    const { caller, id, idempotency, now, current } = input;
    const answers = idempotency ? await answerWrites(idempotency, done, now) : [];
    const result = await itemsOf(resource, caller).remove(id, {
      version: expectedVersion(input),
      before: current,
      answers: [...answers, ...removalPuts(id, now)],
    });
    return result.kind === 'removed' ? done : conflictOutcome(result);
  },
});

/** Changes a subscription as operators do. It keeps the rights of its owner. */
async function manage(resource: Resource, input: ReplaceCall, before: Item): Promise<Outcome> {
  const change = managedValues(before.values, input.values);
  if (change.kind !== 'values') return change;
  return write(resource, input, { values: change.values, before }, (item) => replaced(item, pathOf(item)));
}

/** Writes a change together with the recorded answer and with what the service keeps of the subscription. */
async function write(
  resource: Resource,
  input: ItemCall,
  { values, before, subscriber, secret }: Change,
  outcomeOf: (item: Item) => Outcome,
): Promise<Outcome> {
  const { caller, id, idempotency, now } = input;
  const isResumed = before.values.active === false && values.active !== false;
  const rowsOf = async (item: Item) => [
    ...(idempotency ? await answerWrites(idempotency, outcomeOf(item), now) : []),
    ...(subscriber ? [subscriberPut(id, subscriber, secret)] : []),
    ...(isResumed ? [startPut(id, now)] : []),
    revisionPut(),
  ];
  const result = await itemsOf(resource, caller).replace(id, values, {
    now,
    version: expectedVersion(input),
    before,
    answersOf: rowsOf,
  });
  return result.kind === 'written' ? outcomeOf(result.item) : conflictOutcome(result);
}
