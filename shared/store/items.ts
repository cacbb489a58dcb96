import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { isNamed, reach } from '../aws/faults.ts';
import type { JsonObject } from '../json/value.ts';
import type { Description } from '../resource/description.ts';
import type { Item } from '../resource/item.ts';
import type { Resource } from '../resource/resource.ts';
import {
  type Attributes,
  fromAttributes,
  keyAttribute,
  sortKeys,
  toAttributes,
  valueAttributes,
} from './attributes.ts';
import { composedFields, OPEN, sortAttribute, UPDATED, VERSION } from './table.ts';
import { updateExpression } from './update-expression.ts';

/** Why a conditional write did nothing: there is no such item, or it is another version now. */
export type Lost = 'missing' | 'stale';

/** What a replacement depends on. `same`: fields that must already have the value they are given. */
export interface Replacement {
  readonly now: number;
  readonly version?: number;
  readonly same?: readonly string[];
  readonly checks?: readonly Check[];
}

/** A condition on another item that must hold for a write to happen. */
export type Check = NonNullable<TransactWriteItem['ConditionCheck']>;

const CONDITION_FAILED = 'ConditionalCheckFailedException';
const CANCELED = 'TransactionCanceledException';

/**
 * The items of one resource, one DynamoDB call each; every write carries its condition.
 * All @throws Unavailable when DynamoDB does not answer.
 *
 * Source: Amazon DynamoDB API Reference, GetItem, PutItem, UpdateItem, DeleteItem, TransactWriteItems.
 */
export class Items {
  readonly #resource: Resource;
  readonly #description: Description;

  constructor(resource: Resource) {
    this.#resource = resource;
    this.#description = resource.description as Description;
  }

  get #table(): string {
    return config.tableName(this.#resource.name);
  }

  /** The item as last written, or undefined. */
  async get(id: number | string): Promise<Item | undefined> {
    const { Item: attributes } = await reach(
      dynamoDb().send(
        new GetItemCommand({
          TableName: this.#table,
          Key: keyAttribute(this.#description, id),
          ConsistentRead: true,
        }),
      ),
    );
    return attributes && fromAttributes(this.#description, attributes);
  }

  /**
   * Keeps a new item, in one transaction with checks on other items.
   * Answers 'kept', 'taken' (the identifier exists), or the index of the first check that failed.
   */
  async insert(item: Item, checks: readonly Check[] = []): Promise<'kept' | 'taken' | number> {
    const put = {
      TableName: this.#table,
      Item: toAttributes(this.#resource, item, config.shards()),
      ConditionExpression: 'attribute_not_exists(#id)',
      ExpressionAttributeNames: { '#id': this.#description.identifier.name },
    };
    try {
      if (checks.length === 0) await reach(dynamoDb().send(new PutItemCommand(put)));
      else {
        const transaction = [...checks.map((ConditionCheck) => ({ ConditionCheck })), { Put: put }];
        await reach(dynamoDb().send(new TransactWriteItemsCommand({ TransactItems: transaction })));
      }
      return 'kept';
    } catch (error) {
      if (isNamed(error, CONDITION_FAILED)) return 'taken';
      const failed = failedCheck(error);
      if (failed === undefined) throw error;
      return failed === checks.length ? 'taken' : failed;
    }
  }

  /**
   * Replaces the values of an existing item; identifier, creation time and server fields stay, the version increases.
   * One write; with checks, a transaction that does not answer the item, so that it is read afterwards.
   * Answers the item, why nothing was written ('different': a field of `same`), or the index of the check that failed.
   */
  async replace(
    id: number | string,
    values: JsonObject,
    { now, version, same = [], checks = [] }: Replacement,
  ): Promise<Item | Lost | 'different' | number> {
    const update = {
      TableName: this.#table,
      Key: keyAttribute(this.#description, id),
      ...this.#replacement(id, values, now, version, same),
    };
    try {
      if (checks.length === 0) {
        const { Attributes: after } = await reach(
          dynamoDb().send(
            new UpdateItemCommand({
              ...update,
              ReturnValues: 'ALL_NEW',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            }),
          ),
        );
        return fromAttributes(this.#description, after as Attributes);
      }
      const transaction = [
        ...checks.map((ConditionCheck) => ({ ConditionCheck })),
        { Update: { ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const } },
      ];
      await reach(dynamoDb().send(new TransactWriteItemsCommand({ TransactItems: transaction })));
      return (await this.get(id)) ?? 'missing';
    } catch (error) {
      const failed = failedCheck(error);
      if (failed !== undefined && failed < checks.length) return failed;
      if (failed === undefined && !isNamed(error, CONDITION_FAILED)) throw error;
      const why = lost(failed === undefined ? error : reasons(error)[failed], version);
      return why === 'unchanged' ? 'different' : why;
    }
  }

  /** Sets what the description declares as internal; undefined removes it. The version increases. */
  async mark(
    id: number | string,
    internal: Item['internal'],
    { now, version }: { now: number; version?: number },
  ): Promise<Item | Lost> {
    const wanted: Attributes = { [UPDATED]: { N: String(now) } };
    for (const [name, value] of Object.entries(internal)) {
      if (value !== undefined)
        wanted[`_${name}`] = typeof value === 'number' ? { N: String(value) } : { S: value };
    }
    const removable = Object.keys(internal).map((name) => `_${name}`);
    try {
      const { Attributes: after } = await reach(
        dynamoDb().send(
          new UpdateItemCommand({
            TableName: this.#table,
            Key: keyAttribute(this.#description, id),
            ...updateExpression(this.#description.identifier.name, wanted, removable, version),
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      return fromAttributes(this.#description, after as Attributes);
    } catch (error) {
      if (isNamed(error, CONDITION_FAILED)) return lostVersion(error);
      throw error;
    }
  }

  /** Removes the item. */
  async remove(id: number | string, version?: number): Promise<'removed' | Lost> {
    const names = { '#id': this.#description.identifier.name };
    try {
      await reach(
        dynamoDb().send(
          new DeleteItemCommand({
            TableName: this.#table,
            Key: keyAttribute(this.#description, id),
            ...(version === undefined
              ? { ConditionExpression: 'attribute_exists(#id)', ExpressionAttributeNames: names }
              : {
                  ConditionExpression: 'attribute_exists(#id) AND #version = :version',
                  ExpressionAttributeNames: { ...names, '#version': VERSION },
                  ExpressionAttributeValues: { ':version': { N: String(version) } },
                }),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      return 'removed';
    } catch (error) {
      if (isNamed(error, CONDITION_FAILED)) return lostVersion(error);
      throw error;
    }
  }

  #replacement(
    id: number | string,
    values: JsonObject,
    now: number,
    version: number | undefined,
    same: readonly string[],
  ) {
    const { fields, identifier } = this.#description;
    const wanted: Attributes = {
      [UPDATED]: { N: String(now) },
      ...valueAttributes(this.#description, values),
    };
    // The creation time stays, and with it its sort key.
    const keys = sortKeys(this.#resource, { id, values, createdAt: 0 });
    for (const field of composedFields(this.#resource)) {
      if (field !== 'createdAt')
        Object.assign(wanted, { [sortAttribute(field)]: keys[sortAttribute(field)] });
    }
    const removable = [...Object.keys(fields).filter((name) => !fields[name]?.server), OPEN];
    return updateExpression(identifier.name, wanted, removable, version, same);
  }
}

/** DynamoDB returns the item that failed the condition: without one, there is none. */
function lost(failure: unknown, version?: number): Lost | 'unchanged' {
  const item = (failure as { Item?: Attributes } | undefined)?.Item;
  if (!item) return 'missing';
  return version === undefined || item[VERSION]?.N === String(version) ? 'unchanged' : 'stale';
}

/** For a write whose only conditions are existence and version. */
const lostVersion = (failure: unknown): Lost => (lost(failure) === 'missing' ? 'missing' : 'stale');

interface Reason {
  readonly Code?: string;
  readonly Item?: Attributes;
}

const reasons = (error: unknown): readonly Reason[] =>
  (error as { CancellationReasons?: readonly Reason[] }).CancellationReasons ?? [];

/** Which part of a canceled transaction failed its condition; undefined when that was not the cause. */
function failedCheck(error: unknown): number | undefined {
  if (!isNamed(error, CANCELED)) return undefined;
  const index = reasons(error).findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  return index < 0 ? undefined : index;
}
