import { registry } from '../../service/registry.ts';
import { config } from '../../shared/aws/config.ts';
import { DELIVERIES_TABLE, keyOf, SUBSCRIBER } from '../../shared/events/webhooks/deliveries.ts';
import type { Subscribed } from '../../shared/events/webhooks/judgement.ts';
import { subscriberIn } from '../../shared/events/webhooks/subscriber.ts';
import {
  LONGEST_IDLE_MS,
  START,
  type SubscriptionsState,
  WAITING_TABLE,
  waitingKey,
} from '../../shared/events/webhooks/waiting-table.ts';
import type { Item } from '../../shared/resource/item.ts';
import { fromAttributes } from '../../shared/store/form/attributes.ts';
import { itemRows, readKeys } from '../../shared/store/items/read-items.ts';

/** An active subscription. It gets the changes after `since`, in ms since the epoch. */
export interface Follower extends Subscribed {
  readonly id: number;
  readonly since: number;
}

let known:
  | {
      readonly revision: string | undefined;
      readonly readAt: number;
      readonly followers: readonly Follower[];
    }
  | undefined;

/**
 * Returns the active subscriptions. It reads them only after one of them has changed, and every five minutes. `state`: read
 * before. @throws Unavailable if DynamoDB does not respond
 */
export async function followersAt(
  { revision }: SubscriptionsState,
  now: number,
): Promise<readonly Follower[]> {
  if (!known || known.revision !== revision || now - known.readAt >= LONGEST_IDLE_MS)
    known = { revision, readAt: now, followers: await readFollowers() };
  return known.followers;
}

async function readFollowers(): Promise<readonly Follower[]> {
  const active = (await itemsIn('subscriptions')).filter(({ values }) => values.active === true);
  const keysOf = (keyOfOne: (id: number) => Parameters<typeof readKeys>[1][number]) =>
    active.map(({ id }) => keyOfOne(Number(id)));
  const [kept, starts] = await Promise.all([
    readKeys(
      DELIVERIES_TABLE.name,
      keysOf((id) => keyOf(id, SUBSCRIBER)),
    ),
    readKeys(
      WAITING_TABLE.name,
      keysOf((id) => waitingKey(id, START)),
    ),
  ]);
  const subscribers = new Map(
    kept.map((row) => [Number(row[DELIVERIES_TABLE.key]?.N), subscriberIn(row)] as const),
  );
  const since = new Map(
    starts.map((row) => [Number(row[WAITING_TABLE.key]?.N), Number(row.since?.N ?? 0)] as const),
  );
  return active.flatMap(({ id, values, createdAt }) => {
    const subscriber = subscribers.get(Number(id));
    if (!subscriber) return [];
    const { caller } = subscriber;
    return [{ id: Number(id), values, caller, isDenied: false, since: since.get(Number(id)) ?? createdAt }];
  });
}

/** All items of a resource. Subscriptions have owners, so no index has all of them. */
async function itemsIn(name: string): Promise<readonly Item[]> {
  const description = registry.find((one) => one.name === name)?.description;
  if (!description) return [];
  const items: Item[] = [];
  for await (const row of itemRows(config.tableName(name))) items.push(fromAttributes(description, row));
  return items;
}
