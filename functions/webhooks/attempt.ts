import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';
import { type Delivery, keepDelivery } from '../../shared/events/webhooks/deliveries.ts';
import {
  laterSightingOf,
  nearExpiry,
  type Sighting,
  sightingOf,
} from '../../shared/events/webhooks/judgement.ts';
import { secretsAt } from '../../shared/events/webhooks/subscriber.ts';
import type { ChangePlace, PendingEvent } from '../../shared/events/webhooks/waiting.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { fromAttributes } from '../../shared/store/items/attributes.ts';
import { newIdentifier } from '../../shared/store/items/new-item.ts';
import { CHANGES_TABLE, changeKey, EVENT, IMAGE, resourceOfPartition } from '../../shared/store/log-table.ts';
import { type Answer, post } from './post.ts';
import { noteSuccess, type Receiver } from './receiver.ts';

/** The result of an attempt. `unseen`: the receiver never gets the event. Times are ms since the epoch. */
export type Attempted =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'sent'; readonly answer: Answer; readonly began: number; readonly ended: number };

const LOST = 'The log of changes does not have the event any more';

/**
 * Judges an event, sends it, and stores the attempt. `attempt`: its number. `pause`: the time until the next attempt after a
 * failure, in ms; undefined after the last one.
 *
 * @throws Unavailable if DynamoDB does not respond. The event may be sent twice then.
 */
export async function attemptDelivery(
  receiver: Receiver,
  { event, type, subject, change, content }: PendingEvent,
  { attempt, pause }: { readonly attempt: number; readonly pause?: number | undefined },
): Promise<Attempted> {
  const began = currentTime();
  const known = content === undefined ? await changeIn(change) : storedIn(content);
  const keep = (ended: number, result: Pick<Delivery, 'outcome'> & Partial<Delivery>) => {
    const [n, time] = [newIdentifier(began), new Date(began).toISOString()];
    const delivery = { n, event, type, subject, attempt, time, duration: ended - began, ...result };
    return keepDelivery(receiver.id, delivery, { event: known?.event, change });
  };
  const sighting: Sighting = known?.seenBy(receiver) ?? { kind: 'unseen', reason: LOST };
  if (sighting.kind === 'unseen') {
    await keep(began, { outcome: 'failed', reason: sighting.reason });
    return { kind: 'unseen' };
  }
  const [patience, loopback] = [config.webhookPatience(), config.webhookLoopback()];
  const expires = nearExpiry(receiver.values, began);
  const sending = { secrets: secretsAt(receiver, began), expires, now: began, patience, loopback };
  const answer = await post(String(receiver.values.url), sighting.event, sending);
  const ended = currentTime();
  const { outcome, status, reason } = answer;
  await keep(ended, {
    outcome: outcome === 'delivered' ? outcome : 'failed',
    ...(status === undefined ? { reason } : { status }),
    ...(outcome === 'failed' && pause !== undefined ? { next: new Date(ended + pause).toISOString() } : {}),
  });
  if (outcome === 'delivered') await noteSuccess(receiver, ended);
  return { kind: 'sent', answer, began, ended };
}

/** An event, and its judgement. `event`: as stored in the log, without data. */
interface KnownEvent {
  readonly event: CloudEvent;
  seenBy(receiver: Receiver): Sighting;
}

/** Reads a change in the log; undefined: the log has lost or erased it. @throws Unavailable if DynamoDB does not respond */
async function changeIn(place: ChangePlace | undefined): Promise<KnownEvent | undefined> {
  const resource = registry.find(({ name }) => place && name === resourceOfPartition(place.partition));
  if (!place || !resource) return undefined;
  const Key = changeKey(place.partition, place.position);
  const get = { TableName: config.tableName(CHANGES_TABLE.name), Key, ConsistentRead: true };
  const { Item: row } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  const json = row?.[EVENT]?.S;
  if (json === undefined) return undefined;
  const envelope: CloudEvent = JSON.parse(json);
  const item = fromAttributes(descriptionOf(resource), row?.[IMAGE]?.M ?? {});
  return { event: envelope, seenBy: (receiver) => sightingOf(receiver, { resource, envelope, item }) };
}

/** The event in a message: a test, which says nothing about an item, or an event that an earlier release judged before. */
function storedIn(content: string): KnownEvent {
  const event: CloudEvent = JSON.parse(content);
  const resource = registry.find(({ name }) => event.source === `/${name}`);
  const isTest = !resource || resource.name === 'subscriptions';
  const seenBy = (receiver: Receiver): Sighting =>
    isTest
      ? { kind: 'seen', event }
      : laterSightingOf(receiver, { resource, event, seenAt: Date.parse(event.time) });
  return { event, seenBy };
}
