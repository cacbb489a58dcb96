import { paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { config } from '../../shared/aws/config.ts';
import { CONCURRENCY, concurrently } from '../../shared/concurrency/concurrently.ts';
import { sightingOf } from '../../shared/events/webhooks/judgement.ts';
import { selects } from '../../shared/events/webhooks/matching.ts';
import { subscriberOf } from '../../shared/events/webhooks/subscriber.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { fromAttributes } from '../../shared/store/items/attributes.ts';
import { CONSTRAINT } from '../../shared/store/items/table.ts';
import type { RecordedChange } from './read-changes.ts';

/**
 * Makes a function that sends each change to the queue of subscriptions, once for each
 * active subscription that selects it. Events of subscriptions would cause further ones, so no subscription gets them.
 *
 * @throws Error of the SDK if DynamoDB or SQS does not respond
 *
 * Source: Specification 18.1, 18.5.
 */
export function announcing(
  registry: readonly Resource[],
): (changes: readonly RecordedChange[]) => Promise<void> {
  const subscriptions = registry.find(({ name }) => name === 'subscriptions');
  if (!subscriptions) return async () => {};
  return async (all) => {
    const changes = all.filter(({ resource }) => resource !== subscriptions);
    if (changes.length === 0) return;
    const { sendWebhook } = await import('#queue');
    for await (const { id, values } of itemsIn(subscriptions)) {
      const selection = { types: [], ...values };
      const selected = changes.filter(
        ({ change: { envelope }, resource }) =>
          values.active === true && selects(selection, envelope.type, resource.name),
      );
      const subscription = Number(id);
      const seenAt = currentTime();
      const subscriber = selected.length > 0 ? await subscriberOf(subscription) : undefined;
      if (!subscriber) continue;
      const { grant } = subscriber;
      const events = selected.flatMap(({ resource, change: { envelope, item } }) => {
        const sighting = sightingOf({ values, grant, isDenied: false }, { resource, envelope, item });
        return sighting.kind === 'seen' ? [sighting.event] : [];
      });
      await concurrently(CONCURRENCY.items, events, (event) => sendWebhook({ subscription, event, seenAt }));
    }
  };
}

/** All subscriptions. They have owners, so no index has all of them. */
async function* itemsIn(resource: Resource) {
  const description = descriptionOf(resource);
  const scan = { TableName: config.tableName(resource.name), ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamoDb() }, scan))
    for (const row of Items) if (!row[CONSTRAINT]) yield fromAttributes(description, row);
}
