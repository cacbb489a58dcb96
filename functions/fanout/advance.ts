import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { registry } from '../../service/registry.ts';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { sendWake } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config, webhookConfig } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { CONCURRENCY, mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { type CloudEvent, isImported } from '../../shared/events/cloud-event.ts';
import { keepDelivery } from '../../shared/events/webhooks/deliveries.ts';
import { laneOf, raiseHead } from '../../shared/events/webhooks/heads.ts';
import { sightingOf } from '../../shared/events/webhooks/judgement.ts';
import { addWaiting, type WaitingRow } from '../../shared/events/webhooks/waiting.ts';
import { subscriptionsState } from '../../shared/events/webhooks/waiting-table.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { fromAttributes, number, text } from '../../shared/store/form/attributes.ts';
import {
  CHANGES_TABLE,
  EVENT,
  IMAGE,
  POSITIONS_OF_MS,
  PREVIOUS,
  resourceOfPartition,
} from '../../shared/store/form/log-table.ts';
import { and, compare, readExpression } from '../../shared/store/write/expression.ts';
import { newIdentifier } from '../../shared/store/write/new-item.ts';
import { type Follower, followersAt } from './followers.ts';
import { type FanOutPosition, leavePartition, type PartitionEnd, takePartition } from './positions.ts';

/** The most changes of a page, and the most waiting rows. */
const MOST_CHANGES = 200;
const MOST_ROWS = 5000;
/**
 * A new partition has no position, and none has one after the loss of the table `waiting`. The fan-out then begins with the
 * changes of this time, in ms: it sends no old event again, and may be that late for the first one.
 */
const FIRST_MS = 600_000;

/**
 * Makes the waiting rows for one page of a partition, then stores its new position. False: another run has the partition.
 *
 * @throws Unavailable if DynamoDB or SQS does not respond. A later run does the page again, and writes the same rows.
 */
export async function advance(
  { end, at }: { readonly end: PartitionEnd; readonly at: FanOutPosition },
  followers: readonly Follower[],
): Promise<boolean> {
  const { partition, epoch } = end;
  const now = currentTime();
  const leaseUntil = now + config.leaseTime();
  if (!(await takePartition(at, { now, until: leaseUntil }))) return false;
  const isNewEpoch = at.position !== undefined && at.epoch !== epoch;
  const start = at.position ?? (now - FIRST_MS) * POSITIONS_OF_MS;
  const from = isNewEpoch ? Math.min(start, end.began) : start;
  const earliest = Math.min(...followers.map(({ since }) => since)) * POSITIONS_OF_MS;
  const after = Math.max(from, earliest);
  const limit = Math.max(1, Math.min(MOST_CHANGES, Math.floor(MOST_ROWS / followers.length)));
  const { rows, isLast } = await pageOf(partition, after, limit);
  // A subscription whose creation precedes one of these changes is in the state by now.
  const present = await followersAt(await subscriptionsState(), now);
  const resource = registry.find(({ name }) => name === resourceOfPartition(partition));
  if (resource) {
    const isGap = isNewEpoch || Number(rows[0]?.[PREVIOUS]?.N ?? 0) > after;
    if (isGap) await noteGap(resource, rows[0], present, now);
    await addRows(
      rows.flatMap((row) => waitingIn(resource, partition, row, present)),
      now,
    );
  }
  const last = Number(rows.at(-1)?.[CHANGES_TABLE.sort]?.N ?? after);
  await leavePartition({ partition, position: isLast ? Math.max(last, end.last) : last, epoch }, leaseUntil);
  return true;
}

/** The changes after a position. `isLast`: the log had no others. */
async function pageOf(partition: string, after: number, limit: number) {
  const isAfter = and(
    compare(CHANGES_TABLE.key, '=', text(partition)),
    compare(CHANGES_TABLE.sort, '>', number(after)),
  );
  const query = { TableName: config.tableName(CHANGES_TABLE.name), ...readExpression({ key: isAfter }) };
  const page = new QueryCommand({ ...query, ConsistentRead: true, Limit: limit });
  const { Items = [], LastEvaluatedKey } = await orUnavailable(dynamoDb().send(page));
  return { rows: Items, isLast: LastEvaluatedKey === undefined };
}

/** The waiting rows of a change. An erased change has none. */
function waitingIn(
  resource: Resource,
  partition: string,
  row: Attributes,
  followers: readonly Follower[],
): Omit<WaitingRow, 'attempt' | 'dueAt'>[] {
  const position = Number(row[CHANGES_TABLE.sort]?.N);
  const envelope = eventIn(row);
  if (!envelope) return [];
  const image = row[IMAGE]?.M ?? {};
  const { id: event, type, subject } = envelope;
  // An import without events is in the log alone. The removal of such an item has an event.
  if (isImported(image) && !type.endsWith('.removed')) return [];
  const item = fromAttributes(descriptionOf(resource), image);
  return followers
    .filter((one) => position > one.since * POSITIONS_OF_MS)
    .filter((one) => sightingOf(one, { resource, envelope, item }).kind === 'seen')
    .map(({ id: subscription }) => ({
      subscription,
      event,
      type,
      subject,
      change: { partition, position },
      time: Date.parse(envelope.time),
    }));
}

/** Stores waiting rows, then makes the heads of their subscriptions due, and wakes those that were not. */
async function addRows(rows: readonly Omit<WaitingRow, 'attempt' | 'dueAt'>[], now: number): Promise<void> {
  await mapConcurrently(CONCURRENCY.items, rows, (row) => addWaiting({ ...row, dueAt: now }));
  const most = webhookConfig.most();
  const bySubscription = [...Map.groupBy(rows, ({ subscription }) => subscription)];
  await mapConcurrently(CONCURRENCY.items, bySubscription, async ([subscription, { length: count }]) => {
    const head = await raiseHead(subscription, { count, most, now });
    if (head) await sendWake(laneOf(head.state), subscription);
  });
}

/** Notes in the deliveries of the subscriptions of a resource that the log has lost changes before a time. */
async function noteGap(
  resource: Resource,
  first: Attributes | undefined,
  followers: readonly Follower[],
  now: number,
): Promise<void> {
  const { singular } = descriptionOf(resource);
  const event = first && eventIn(first);
  const time = event?.time ?? new Date(now).toISOString();
  const named = {
    event: event?.id ?? '',
    type: event?.type ?? `${singular}.*`,
    subject: `/${resource.name}`,
  };
  const failed = { attempt: 1, outcome: 'failed', time: new Date(now).toISOString(), duration: 0 } as const;
  const reason = `Events before ${time} can be missing`;
  const concerned = followers.filter(
    ({ values: { types, resource: only = resource.name } }) =>
      only === resource.name &&
      [types].flat().some((one) => one === '*' || String(one).startsWith(`${singular}.`)),
  );
  await mapConcurrently(CONCURRENCY.items, concerned, ({ id }) =>
    keepDelivery(id, { n: newIdentifier(now), ...named, ...failed, reason }),
  );
}

/** The event in a row of the log, without data; undefined after an erasure. */
const eventIn = (row: Attributes): CloudEvent | undefined => {
  const json = row[EVENT]?.S;
  return json === undefined ? undefined : JSON.parse(json);
};
