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
import { FACTS, operations, pathOf } from './operations.ts';

/** What the record of an operation holds beside what is shown. Times in ms since the epoch, but for `EXPIRES`. */
export const LEASE = '_lease';
export const LEASE_UNTIL = '_leaseUntil';
export const CURSOR = '_cursor';
export const FAILURES = '_failures';
/** The request as JSON; missing where it is in S3. */
export const INPUT = '_input';
export const LOCATION = '_location';
/** What a problem says of the request: JSON of an `Origin`. */
export const ORIGIN = '_origin';
/** How many runs in a row died at their work. */
export const DEATHS = '_deaths';
/** DynamoDB's time to live, in seconds. */
export const EXPIRES = '_expires';

/** Where the request of an operation came from: what its problem would say of it. */
export interface Origin {
  readonly basePath: string;
  readonly path: string;
  readonly requestId: string;
}

/** How long an operation can be asked for, in ms. */
export const KEPT = 7 * 24 * 60 * 60 * 1000;

/** A number as DynamoDB has it. */
export const number = (value: number) => ({ N: String(value) });
/** A text as DynamoDB has it. */
export const text = (value: string) => ({ S: value });
/** What is nested, as JSON. */
export const structure = (value: unknown) => ({ S: JSON.stringify(value) });

const table = () => config.tableName(FACTS.name);
const keyOf = (id: number) => ({ [description.identifier.name]: number(id) });

/** The record as last written. */
export async function attributesOf(id: number): Promise<Attributes | undefined> {
  const { Item } = await orUnavailable(
    dynamoDb().send(new GetItemCommand({ TableName: table(), Key: keyOf(id), ConsistentRead: true })),
  );
  return Item;
}

/** What its problem says of the request; of an operation without one, itself. */
export const originOf = (attributes: Attributes, id: number): Origin =>
  attributes[ORIGIN]?.S === undefined
    ? { basePath: '', path: pathOf(id), requestId: '' }
    : (JSON.parse(attributes[ORIGIN].S) as Origin);

/** What is shown of a record. */
export const itemOf = (attributes: Attributes): Item =>
  fromAttributes(operations.description as Description, attributes);

/** A change of a record: what is set and removed, and the condition it is under. The version increases with what is shown. */
export interface Change {
  readonly set: Attributes;
  /** Nothing that is shown changes: the version stays. */
  readonly hidden?: boolean;
  readonly remove?: readonly string[];
  /** A condition in the names of attributes, each as `#name`, and values of `given`, each as `:name`. */
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
 * Changes a record. Answers it as it is now, or, where the condition does not hold, as it was found ('missing': there is
 * none).
 * @throws Unavailable when DynamoDB does not answer
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
