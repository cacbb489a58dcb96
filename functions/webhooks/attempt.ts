import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config, webhookConfig } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { type Delivery, keepDelivery } from '../../shared/events/webhooks/deliveries.ts';
import { nearExpiry, type Sighting, sightingOf } from '../../shared/events/webhooks/judgement.ts';
import { secretsAt } from '../../shared/events/webhooks/subscriber.ts';
import type { ChangePlace, PendingEvent } from '../../shared/events/webhooks/waiting.ts';
import { descriptionOf } from '../../shared/resource/resource.ts';
import { fromAttributes } from '../../shared/store/form/attributes.ts';
import {
  CHANGES_TABLE,
  changeKey,
  EVENT,
  IMAGE,
  resourceOfPartition,
} from '../../shared/store/form/log-table.ts';
import { newIdentifier } from '../../shared/store/write/new-item.ts';
import { type Answer, post } from './post.ts';
import { noteSuccess, type Receiver } from './receiver.ts';

/** The result of an attempt. `unseen`: the receiver never gets the event. Times are ms since the epoch. */
export type Attempted =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'sent'; readonly answer: Answer; readonly began: number; readonly ended: number };

/** The log has lost or erased the change. */
const LOST: Sighting = { kind: 'unseen', reason: 'The log of changes does not have the event any more' };

/**
 * Judges an event, sends it, and stores the attempt. `attempt`: its number. `pause`: the time until the next attempt after a
 * failure, in ms; undefined after the last one.
 *
 * @throws Unavailable if DynamoDB does not respond. The event may be sent twice then.
 */
export async function attemptDelivery(
  receiver: Receiver,
  { event, type, subject, change, test }: PendingEvent,
  { attempt, pause }: { readonly attempt: number; readonly pause?: number | undefined },
): Promise<Attempted> {
  const began = currentTime();
  const keep = (ended: number, result: Pick<Delivery, 'outcome'> & Partial<Delivery>) => {
    const [n, time] = [newIdentifier(began), new Date(began).toISOString()];
    const delivery = { n, event, type, subject, attempt, time, duration: ended - began, ...result };
    return keepDelivery(receiver.id, delivery, { change, test });
  };
  const sighting: Sighting = test ? { kind: 'seen', event: test } : await changeSeen(receiver, change);
  if (sighting.kind === 'unseen') {
    await keep(began, { outcome: 'failed', reason: sighting.reason });
    return { kind: 'unseen' };
  }
  const [patience, loopback] = [webhookConfig.patience(), webhookConfig.loopback()];
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

/** Reads a change in the log, and judges it. @throws Unavailable if DynamoDB does not respond */
async function changeSeen(receiver: Receiver, place: ChangePlace | undefined): Promise<Sighting> {
  const resource = registry.find(({ name }) => place && name === resourceOfPartition(place.partition));
  if (!place || !resource) return LOST;
  const Key = changeKey(place.partition, place.position);
  const get = { TableName: config.tableName(CHANGES_TABLE.name), Key, ConsistentRead: true };
  const { Item: row } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
  const json = row?.[EVENT]?.S;
  if (json === undefined) return LOST;
  const item = fromAttributes(descriptionOf(resource), row?.[IMAGE]?.M ?? {});
  return sightingOf(receiver, { resource, envelope: JSON.parse(json), item });
}
