import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Checkpoint } from '../../resource/actions/work.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf } from '../../resource/resource.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { fromAttributes, number } from '../../store/form/attributes.ts';
import { DUE_AT, UPDATED, VERSION } from '../../store/form/table.ts';
import { failureOf } from '../../store/write/conflict.ts';
import {
  attributeNotExists,
  type Condition,
  compare,
  or,
  updateExpression,
} from '../../store/write/expression.ts';
import { retryingConflicts } from '../../store/write/transaction.ts';
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
/** The scopes that the token of the request lacked, with spaces between them. */
export const SCOPES = '_scopes';
/** JSON of an `Origin`. */
export const ORIGIN = '_origin';
/** The number of consecutive crashed runs. */
export const CRASHES = '_crashes';
/** DynamoDB's time to live, in seconds. */
export const EXPIRES = '_expires';

/** The request properties that a problem of the operation names, and the trace of the request. */
export interface Origin {
  readonly basePath: string;
  readonly path: string;
  readonly requestId: string;
  readonly traceparent?: string | undefined;
}

/** Retention of an operation, in ms: 7 days. Source: Specification 7.9. */
export const RETENTION = 7 * 24 * 60 * 60 * 1000;

/** Holds if the run with this lease is the current one. */
export const holdsLease = (lease: string): Condition => compare(LEASE, '=', lease);
/** Holds if no run has a lease at this time (ms since the epoch). */
export const noLease = (now: number): Condition =>
  or(attributeNotExists(LEASE_UNTIL), compare(LEASE_UNTIL, '<', now));

/** Returns the time in ms that a message has to reach a worker. After it, the sweeper sends another message. */
export const redeliveryDelay = (): number => 2 * config.leaseTime();

/** Returns the end of a lease that starts now. At the same time the operation becomes overdue for the sweeper. */
export const leaseFrom = (now: number): Attributes => ({
  [LEASE_UNTIL]: number(now + config.leaseTime()),
  [DUE_AT]: number(now + config.leaseTime()),
});

/** Returns the checkpoint of the previous run. */
export function checkpointOf(attributes: Attributes): Checkpoint {
  const { done, total, failed } = JSON.parse(attributes.progress?.S ?? '{}') as Partial<Checkpoint>;
  return {
    cursor: attributes[CURSOR]?.S,
    done: done ?? 0,
    failed: failed ?? 0,
    total,
    failures: JSON.parse(attributes[FAILURES]?.S ?? '[]') as JsonObject[],
  };
}

const table = () => config.tableName(OPERATION_FACTS.name);
const keyOf = (id: number) => ({ [description.identifier.name]: number(id) });

/** Reads the latest record of an operation. @throws Unavailable if DynamoDB does not respond */
export async function attributesOf(id: number): Promise<Attributes | undefined> {
  const read = new GetItemCommand({ TableName: table(), Key: keyOf(id), ConsistentRead: true });
  const { Item } = await orUnavailable(dynamoDb().send(read));
  return Item;
}

/** Returns the origin in a record. Without a request, the operation is its own origin. */
export const originOf = (attributes: Attributes, id: number): Origin =>
  attributes[ORIGIN]?.S === undefined
    ? { basePath: '', path: pathOf(id), requestId: '' }
    : (JSON.parse(attributes[ORIGIN].S) as Origin);

/** Returns the item that clients see of a record. */
export const itemOf = (attributes: Attributes): Item =>
  fromAttributes(descriptionOf(storedOperations), attributes);

/** A conditional change of a record. Unless `hidden`, it increases the version. `now`: ms since the epoch. */
export interface Change {
  readonly set: Attributes;
  /** True if clients see no difference. The version then stays. */
  readonly hidden?: boolean;
  readonly remove?: readonly string[];
  readonly condition: Condition;
  readonly now: number;
}

/** Returns the change as a part of a transaction. */
export const changePart = (id: number, { set, hidden, remove, condition, now }: Change) => ({
  TableName: table(),
  Key: keyOf(id),
  ...updateExpression(
    hidden ? { set, remove } : { set: { ...set, [UPDATED]: now }, remove, add: { [VERSION]: 1 } },
    condition,
  ),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

/**
 * The result of a change. `attributes`: the record after the change, or the unchanged record whose condition does not
 * hold.
 */
type ChangeResult =
  | { readonly kind: 'changed' | 'conflict'; readonly attributes: Attributes }
  | { readonly kind: 'missing' };

/**
 * Changes a record if its condition holds.
 * @throws Unavailable if DynamoDB does not respond
 */
export async function change(id: number, wanted: Change): Promise<ChangeResult> {
  const update = { ...changePart(id, wanted), ReturnValues: 'ALL_NEW' as const };
  try {
    const { Attributes: after } = await retryingConflicts(() =>
      dynamoDb().send(new UpdateItemCommand(update)),
    );
    return { kind: 'changed', attributes: after as Attributes };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failure.Item ? { kind: 'conflict', attributes: failure.Item } : { kind: 'missing' };
  }
}
