import { GetItemCommand, PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { orUnavailable } from '../../shared/aws/faults.ts';
import { CALLS, COUNTS, DELIVERIES_TABLE, expiring, keyOf } from '../../shared/events/webhooks/deliveries.ts';
import { type Caller, ownerNumber, ownerOf } from '../../shared/resource/access/owner.ts';
import { type Outcome, refused } from '../../shared/resource/actions/outcome.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { number, structure } from '../../shared/store/form/attributes.ts';
import { isVisible } from '../../shared/store/form/owner.ts';
import { itemRows } from '../../shared/store/items/read-items.ts';
import { failureOf } from '../../shared/store/write/conflict.ts';
import {
  attributeNotExists,
  compare,
  conditionExpression,
  updateExpression,
} from '../../shared/store/write/expression.ts';

const COUNT = 'count';
const ALL = 0;
/** The most subscriptions of an owner, and of a service. All callers of an open service are one owner. */
const MOST_OWN = 20;
const MOST_ALL = 1000;
/** The calls of `test` and `repeat` for a subscription in a time, in ms. */
const MOST_CALLS = { count: 10, ms: 60_000 } as const;

const TableName = () => config.tableName(DELIVERIES_TABLE.name);

/** A count of subscriptions: those of an owner, or all. `owner`: undefined for all. */
interface Count {
  readonly owner: string | undefined;
  readonly n: number;
  readonly most: number;
  readonly detail: string;
}

function countsOf(resource: Resource, caller: Caller): readonly Count[] {
  const owner = ownerOf(resource, caller);
  const own = `You have ${MOST_OWN} subscriptions. Remove one of those in links`;
  const all = `The service has ${MOST_ALL} subscriptions. Ask its operators to remove some`;
  return [
    { owner, n: ownerNumber(owner), most: MOST_OWN, detail: own },
    { owner: undefined, n: ALL, most: MOST_ALL, detail: all },
  ];
}

/**
 * The parts of the transaction of a creation that count it. A count is never lower than the number of subscriptions: a
 * removal does not change it, and `refusedCreation` counts again.
 */
export const countedCreation = (resource: Resource, caller: Caller): TransactWriteItem[] =>
  countsOf(resource, caller).map(({ n, most }) => ({
    Update: {
      TableName: TableName(),
      Key: keyOf(COUNTS, n),
      // The condition holds for no absent count.
      ...updateExpression({ add: { [COUNT]: number(1) } }, compare(COUNT, '<', number(most))),
    },
  }));

/**
 * The refusal of a creation whose counts do not allow it; undefined if it may be tried again. It counts the subscriptions
 * and corrects a count that is too high.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function refusedCreation(resource: Resource, caller: Caller): Promise<Outcome | undefined> {
  for (const { owner, n, most, detail } of countsOf(resource, caller)) {
    const Key = keyOf(COUNTS, n);
    const get = { TableName: TableName(), Key, ConsistentRead: true };
    const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
    if (Item && Number(Item[COUNT]?.N) < most) continue;
    const count = await subscriptionsOf(resource, owner);
    const isSame = Item?.[COUNT] ? compare(COUNT, '=', Item[COUNT]) : attributeNotExists(COUNT);
    await putIf({ ...Key, [COUNT]: number(count) }, conditionExpression(isSame));
    if (count >= most)
      return { ...refused('conflict', detail), links: [{ rel: 'collection', href: `/${resource.name}` }] };
  }
  return undefined;
}

/** The number of subscriptions of an owner; undefined: of all. An index may be late, so this reads the table. */
async function subscriptionsOf(resource: Resource, owner: string | undefined): Promise<number> {
  let count = 0;
  for await (const row of itemRows(config.tableName(resource.name))) if (isVisible(row, owner)) count += 1;
  return count;
}

/** Puts a row, unless its condition fails. */
async function putIf(
  Item: ReturnType<typeof keyOf> & Readonly<Record<string, { readonly N: string } | { readonly S: string }>>,
  condition: ReturnType<typeof conditionExpression>,
): Promise<boolean> {
  try {
    await orUnavailable(dynamoDb().send(new PutItemCommand({ TableName: TableName(), Item, ...condition })));
    return true;
  } catch (error) {
    if (!failureOf(error)) throw error;
    return false;
  }
}

/**
 * Counts a call of `test` or `repeat`. Returns the refusal of a call that is too many; undefined if it is allowed.
 *
 * @throws Unavailable if DynamoDB does not respond
 *
 * Source: Specification 18.11; RFC 6585 §4.
 */
export async function refusedCall(subscription: number, now: number): Promise<Outcome | undefined> {
  for (;;) {
    const Key = keyOf(subscription, CALLS);
    const get = { TableName: TableName(), Key, ConsistentRead: true };
    const { Item } = await orUnavailable(dynamoDb().send(new GetItemCommand(get)));
    const known: readonly number[] = JSON.parse(Item?.calls?.S ?? '[]');
    const recent = known.filter((one) => Math.abs(now - one) < MOST_CALLS.ms);
    const [first = now] = recent;
    if (recent.length >= MOST_CALLS.count) {
      const seconds = Math.max(1, Math.ceil((first + MOST_CALLS.ms - now) / 1000));
      const detail = `A subscription has ${MOST_CALLS.count} tests and repetitions in a minute. Wait ${seconds} s`;
      return refused('too-many-requests', detail, { headers: { 'Retry-After': String(seconds) } });
    }
    const calls = structure([...recent, now]);
    const isSame = Item?.calls ? compare('calls', '=', Item.calls) : attributeNotExists('calls');
    if (await putIf({ ...Key, calls, ...expiring(now + MOST_CALLS.ms) }, conditionExpression(isSame)))
      return undefined;
  }
}
