import { GetItemCommand, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { orUnavailable } from '../aws/faults.ts';
import type { Description } from '../resource/description.ts';
import type { Item } from '../resource/item.ts';
import { type Attributes, fromAttributes } from '../store/items/attributes.ts';
import { UPDATED, VERSION } from '../store/items/table.ts';
import { failureOf } from '../store/write/conflict.ts';
import { patiently } from '../store/write/transaction.ts';
import { description } from './fields.ts';
import { OPERATION_FACTS, pathOf, storedOperations } from './operations.ts';

/** Attributes of an operation that clients do not see. Times are ms since the epoch, except `EXPIRES`. */
export const LEASE = '_lease';
export const LEASE_UNTIL = '_leaseUntil';
export const CURSOR = '_cursor';
export const FAILURES = '_failures';
/** The request as JSON; missing if the request is in S3. */
export const INPUT = '_input';
export const LOCATION = '_location';
/** JSON of an `Origin`. */
export const ORIGIN = '_origin';
/** The number of consecutive crashed runs. */
export const DEATHS = '_deaths';
/** DynamoDB's time to live, in seconds. */
export const EXPIRES = '_expires';

/** The request properties that a problem of the operation names. */
export interface Origin {
  readonly basePath: string;
  readonly path: string;
  readonly requestId: string;
}

/** Retention of an operation, in ms: 7 days. Source: Specification 7.9. */
export const KEPT = 7 * 24 * 60 * 60 * 1000;

/** A number as a DynamoDB attribute. */
export const number = (value: number) => ({ N: String(value) });
/** A text as a DynamoDB attribute. */
export const text = (value: string) => ({ S: value });
/** An object or an array as a DynamoDB attribute: its JSON. */
export const structure = (value: unknown) => ({ S: JSON.stringify(value) });

const table = () => config.tableName(OPERATION_FACTS.name);
const keyOf = (id: number) => ({ [description.identifier.name]: number(id) });

/** Reads the latest record of an operation. @throws Unavailable if DynamoDB does not respond */
export async function attributesOf(id: number): Promise<Attributes | undefined> {
  const { Item } = await orUnavailable(
    dynamoDb().send(new GetItemCommand({ TableName: table(), Key: keyOf(id), ConsistentRead: true })),
  );
  return Item;
}

/** The origin in a record. Without a request, the operation is its own origin. */
export const originOf = (attributes: Attributes, id: number): Origin =>
  attributes[ORIGIN]?.S === undefined
    ? { basePath: '', path: pathOf(id), requestId: '' }
    : (JSON.parse(attributes[ORIGIN].S) as Origin);

/** The item that clients see of a record. */
export const itemOf = (attributes: Attributes): Item =>
  fromAttributes(storedOperations.description as Description, attributes);

/** A conditional change of a record. Unless `hidden`, it increases the version. `now`: ms since the epoch. */
export interface Change {
  readonly set: Attributes;
  /** True if clients see no difference. The version then stays. */
  readonly hidden?: boolean;
  readonly remove?: readonly string[];
  /** A condition with `#name` for each attribute and `:name` for each value of `given`. */
  readonly condition: string;
  readonly given?: Attributes;
  readonly now: number;
}

/** The change as a part of a transaction. */
export function changePart(id: number, { set, hidden, remove = [], condition, given = {}, now }: Change) {
  const names: Record<string, string> = hidden ? {} : { '#v': VERSION };
  const values: Attributes = hidden ? {} : { ':one': number(1) };
  const all = hidden ? set : { ...set, [UPDATED]: number(now) };
  const sets = Object.entries(all).map(([name, value], at) => {
    names[`#s${at}`] = name;
    values[`:s${at}`] = value;
    return `#s${at} = :s${at}`;
  });
  const removes = remove.map((name, at) => {
    names[`#r${at}`] = name;
    return `#r${at}`;
  });
  for (const [, name = ''] of condition.matchAll(/#(\w+)/g)) names[`#${name}`] = name;
  for (const [name, value] of Object.entries(given)) values[`:${name}`] = value;
  return {
    TableName: table(),
    Key: keyOf(id),
    UpdateExpression: [
      `SET ${sets.join(', ')}`,
      ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
      ...(hidden ? [] : ['ADD #v :one']),
    ].join(' '),
    ConditionExpression: condition,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } satisfies TransactWriteItem['Update'];
}

/**
 * Changes a record. `after`: the record after the change. `found`: the unchanged record, because the condition does
 * not hold. 'missing': no such record exists.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function change(
  id: number,
  wanted: Change,
): Promise<{ readonly after: Attributes } | { readonly found: Attributes } | 'missing'> {
  try {
    const { Attributes: after } = await patiently(() =>
      dynamoDb().send(new UpdateItemCommand({ ...changePart(id, wanted), ReturnValues: 'ALL_NEW' })),
    );
    return { after: after as Attributes };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failure.Item ? { found: failure.Item } : 'missing';
  }
}
