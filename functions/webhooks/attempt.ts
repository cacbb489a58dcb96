import type { SQSRecord } from 'aws-lambda';
import { registry } from '../../service/registry.ts';
import type { WebhookMessage } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { attempts } from '../../shared/concurrency/retry.ts';
import * as RETRIES from '../../shared/concurrency/retry-policies.ts';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';
import { type Delivery, keepDelivery } from '../../shared/events/webhooks/deliveries.ts';
import {
  laterSightingOf,
  nearExpiry,
  type Sighting,
  type Subscribed,
  standingOf,
} from '../../shared/events/webhooks/judgement.ts';
import { secretsAt, setSlow, subscriberOf } from '../../shared/events/webhooks/subscriber.ts';
import type { JsonObject } from '../../shared/json/value.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import { isDenied } from '../../shared/store/idempotency/denied-subjects.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { newIdentifier } from '../../shared/store/items/new-item.ts';
import { Unit } from '../../shared/store/own/unit.ts';
import { transact } from '../../shared/store/write/transaction.ts';
import { type Answer, post } from './post.ts';
import { attemptAt } from './schedule.ts';

/** The service writes the time of a success only if the last one is this old, in ms. */
const SUCCESS_MS = 60_000;
/** An earlier release judged an event at most so long before it sent the message, in ms. */
const JUDGED_MS = 60_000;
/** The most characters of a reason. */
const MAXIMUM = 1000;
/** The longest time in which nothing is sent to a slow receiver, in ms. */
const SLOW_MS = 300_000;

/**
 * Tries to deliver the event of a message. Returns the pause before the next attempt in ms; undefined: there is none.
 *
 * @throws Error if DynamoDB does not respond. SQS delivers the message again, and the event may be sent twice.
 */
export async function attemptDelivery({ body, attributes }: SQSRecord): Promise<number | undefined> {
  const message: WebhookMessage<CloudEvent> = JSON.parse(body);
  const { subscription, once } = message;
  const now = currentTime();
  const [item, subscriber] = await Promise.all([
    itemsOf(subscriptions(), SERVICE).get(subscription),
    subscriberOf(subscription),
  ]);
  if (!item || !subscriber) return undefined;
  const { grant, slowUntil } = subscriber;
  const subscribed = { values: item.values, grant, isDenied: await isDenied(grant.caller.subject) };
  const standing = standingOf(subscribed, now);
  if (standing.kind === 'ended') await change(subscription, { active: false, reason: standing.reason }, now);
  if (standing.kind === 'ended' || (standing.kind === 'inactive' && !once)) return undefined;
  const sentAt = Number(attributes.SentTimestamp);
  const sighting = sightingIn(message, subscribed, sentAt);
  if (sighting.kind === 'unseen') {
    const { reason } = sighting;
    await keepAttempt(message, { attempt: 1, outcome: 'failed', reason, time: now, duration: 0 });
    return undefined;
  }
  const { event } = sighting;
  const patience = config.webhookPatience();
  if (!once && slowUntil > 0) {
    // One message tries whether the receiver responds again. All others wait, so they take no time from other receivers.
    const tries = slowUntil <= now && (await setSlow(subscription, now + 2 * patience, slowUntil));
    if (!tries) return (1 + Math.random()) * Math.max(slowUntil - now, patience);
  }
  const loopback = config.webhookLoopback();
  const sending = {
    secrets: secretsAt(subscriber, now),
    expires: nearExpiry(item.values, now),
    now,
    patience,
    loopback,
  };
  const answer = await post(String(item.values.url), event, sending);
  const { outcome, status, reason, isLate } = answer;
  const ended = currentTime();
  const schedule = { pauses: config.webhookPauses(), most: config.webhookTime() };
  const { attempt, pause } = once ? { attempt: 1 } : attemptAt(now - sentAt, schedule);
  const next = outcome === 'failed' ? pause : undefined;
  await keepAttempt(message, {
    attempt,
    outcome: outcome === 'delivered' ? outcome : 'failed',
    ...(status === undefined ? { reason } : { status }),
    time: now,
    duration: ended - now,
    ...(next === undefined ? {} : { next: new Date(ended + next).toISOString() }),
  });
  if (outcome === 'delivered') {
    const isOld = ended - Number(item.values.lastSuccess ?? 0) >= SUCCESS_MS;
    if (isOld) await change(subscription, { lastSuccess: ended }, ended);
  }
  if (once) return undefined;
  if (isLate) await setSlow(subscription, ended + Math.min(pause ?? 0, SLOW_MS));
  else if (slowUntil > 0) await setSlow(subscription, 0);
  if (outcome !== 'delivered' && next === undefined)
    await change(subscription, { active: false, reason: suspensionOf(answer, ended) }, ended);
  return next;
}

/** Stores an attempt that began at a `time` (ms since the epoch). */
const keepAttempt = (
  { subscription, event }: WebhookMessage<CloudEvent>,
  {
    time,
    ...attempt
  }: Pick<Delivery, 'attempt' | 'outcome' | 'duration'> &
    Partial<Omit<Delivery, 'time'>> & { readonly time: number },
) =>
  keepDelivery(subscription, event, {
    n: newIdentifier(time),
    event: event.id,
    type: event.type,
    subject: event.subject,
    time: new Date(time).toISOString(),
    ...attempt,
  });

/** The event of a message as its subscription may see it now. A test event says nothing about an item. */
function sightingIn(
  { event, seenAt }: WebhookMessage<CloudEvent>,
  subscribed: Subscribed,
  sentAt: number,
): Sighting {
  const resource = registry.find(({ name }) => event.source === `/${name}`);
  if (!resource || resource.name === 'subscriptions') return { kind: 'seen', event };
  return laterSightingOf(subscribed, { resource, event, seenAt: seenAt ?? sentAt - JUDGED_MS });
}

/** Why the service suspends a subscription after its last attempt. `now`: ms since the epoch. */
function suspensionOf({ outcome, status, reason }: Answer, now: number): string {
  if (outcome === 'gone') return `The receiver responded with ${status}: it wants no further events`;
  const last = reason ?? `The receiver responded with ${status}`;
  const until = new Date(now).toISOString();
  return `No attempt to deliver an event succeeded until ${until}. The last one: ${last}`.slice(0, MAXIMUM);
}

/** @throws Error if the service has no subscriptions: only they have such messages */
function subscriptions() {
  const found = registry.find(({ name }) => name === 'subscriptions');
  if (!found) throw new Error('The service has no subscriptions');
  return found;
}

/**
 * Changes a subscription as the service. It tries again if a request changes the subscription at the same time. After the
 * last attempt the subscription stays as it is, until its next delivery.
 */
async function change(id: number, values: JsonObject, now: number): Promise<void> {
  for await (const _ of attempts(RETRIES.element)) {
    const unit = new Unit(subscriptions(), { caller: SERVICE, now });
    const item = await unit.own.get(id);
    if (!item) return;
    unit.own.update(item, values);
    const planned = await unit.plan();
    if (planned.kind === 'refused') throw new Error(planned.problem.detail);
    if (planned.parts.length === 0 || !(await transact(planned.parts))) return;
  }
}
