import { paginateScan } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { CONCURRENCY, concurrently } from '../../shared/concurrency/concurrently.ts';
import { type CloudEvent, withData } from '../../shared/events/cloud-event.ts';
import { subscriberOf } from '../../shared/events/webhooks/deliveries.ts';
import { selects } from '../../shared/events/webhooks/matching.ts';
import { type Caller, lacksTenant, ownerOf } from '../../shared/resource/access/owner.ts';
import { sightOf } from '../../shared/resource/access/sight.ts';
import { descriptionOf } from '../../shared/resource/description/described.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { fromAttributes } from '../../shared/store/items/attributes.ts';
import { CONSTRAINT } from '../../shared/store/items/table.ts';
import type { RecordedChange } from './read-changes.ts';

/** A message of SQS could have more, and other engines have this limit. The rest of a message is short. Unit: bytes. */
const MAXIMUM_EVENT = 240 * 1024;

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
      const caller = selected.length > 0 ? (await subscriberOf(subscription))?.caller : undefined;
      const events = caller ? selected.flatMap((one) => seenBy(caller, one) ?? []) : [];
      await concurrently(CONCURRENCY.items, events, (event) => sendWebhook({ subscription, event }));
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

/** The event as a caller may see it; undefined if it does not see the item. A caller of an open service sees all items. */
function seenBy(caller: Caller, { resource, change }: RecordedChange): CloudEvent | undefined {
  const { envelope, item } = change;
  const { subject = '', scopes } = caller;
  const isReadable = !scopes || resource.tracked || scopes.includes(`${resource.name}:read`);
  if (!isReadable || lacksTenant(resource, caller)) return undefined;
  if (resource.tracked && item.createdBy !== caller.subject) return undefined;
  if (ownerOf(resource, caller) !== (resource.owner && item.owner)) return undefined;
  const sight = sightOf(descriptionOf(resource), scopes ? { principal: { subject, scopes } } : {});
  const { authtype: _type, authid: _id, ...anonymous } = envelope;
  const facts = sight.authors ? envelope : anonymous;
  const whole = withData(facts, resource, item, sight);
  const isShort = Buffer.byteLength(JSON.stringify(whole)) <= MAXIMUM_EVENT;
  return isShort ? whole : { ...facts, dataref: facts.subject };
}
