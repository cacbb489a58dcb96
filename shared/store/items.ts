import { randomUUID } from 'node:crypto';
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
import { reach } from '../aws/faults.ts';
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
import { failedPart, failureOf, type Lost, ownWrite, whyLost } from './lost.ts';
import { composedFields, OPEN, sortAttribute, UPDATED, VERSION, WRITE } from './table.ts';
import { type Update, updateExpression } from './update-expression.ts';

/** What a replacement depends on. `same`: fields that must already have the value they are given. */
export interface Replacement {
  readonly now: number;
  readonly version?: number;
  readonly same?: readonly string[];
  readonly checks?: readonly Check[];
}

/** A condition on another item that must hold for a write to happen. */
export type Check = NonNullable<TransactWriteItem['ConditionCheck']>;

/** Names one write: see `ownWrite`. */
const newWrite = (): string => randomUUID().slice(0, 18);

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
    const write = newWrite();
    const put = {
      TableName: this.#table,
      Item: { ...toAttributes(this.#resource, item, config.shards()), [WRITE]: { S: write } },
      ConditionExpression: 'attribute_not_exists(#id)',
      ExpressionAttributeNames: { '#id': this.#description.identifier.name },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
    try {
      if (checks.length === 0) await reach(dynamoDb().send(new PutItemCommand(put)));
      else {
        const transaction = [...checks.map((ConditionCheck) => ({ ConditionCheck })), { Put: put }];
        await reach(dynamoDb().send(new TransactWriteItemsCommand({ TransactItems: transaction })));
      }
      return 'kept';
    } catch (error) {
      const failure = failureOf(error);
      if (failure) return ownWrite(failure, write) ? 'kept' : 'taken';
      const part = failedPart(error);
      if (!part) throw error;
      return part.index === checks.length ? 'taken' : part.index;
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
    const write = newWrite();
    const update = this.#replacement(id, values, { now, version, same, write });
    if (checks.length === 0) {
      const result = await this.#update(id, update, write);
      if (!('failure' in result)) return result;
      const why = whyLost(result.failure, version);
      return why === 'unchanged' ? 'different' : why;
    }
    const transaction = [
      ...checks.map((ConditionCheck) => ({ ConditionCheck })),
      {
        Update: {
          TableName: this.#table,
          Key: keyAttribute(this.#description, id),
          ...update,
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
        },
      },
    ];
    try {
      await reach(dynamoDb().send(new TransactWriteItemsCommand({ TransactItems: transaction })));
    } catch (error) {
      const part = failedPart(error);
      if (!part) throw error;
      if (part.index < checks.length) return part.index;
      const why = whyLost(part.failure, version);
      return why === 'unchanged' ? 'different' : why;
    }
    return (await this.get(id)) ?? 'missing';
  }

  /** Sets what the description declares as internal; undefined removes it. The version increases. */
  async mark(
    id: number | string,
    internal: Item['internal'],
    { now, version }: { now: number; version?: number },
  ): Promise<Item | Lost> {
    const write = newWrite();
    const wanted: Attributes = { [UPDATED]: { N: String(now) }, [WRITE]: { S: write } };
    for (const [name, value] of Object.entries(internal)) {
      if (value === undefined) continue;
      wanted[`_${name}`] = typeof value === 'number' ? { N: String(value) } : { S: value };
    }
    const removable = Object.keys(internal).map((name) => `_${name}`);
    const update = updateExpression(this.#description.identifier.name, wanted, removable, version);
    const result = await this.#update(id, update, write);
    if (!('failure' in result)) return result;
    return result.failure.Item ? 'stale' : 'missing';
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
      const failure = failureOf(error);
      if (!failure) throw error;
      return failure.Item ? 'stale' : 'missing';
    }
  }

  /** One conditional UpdateItem: the item as it is now, or how the condition failed. */
  async #update(
    id: number | string,
    update: Update,
    write: string,
  ): Promise<Item | { failure: NonNullable<ReturnType<typeof failureOf>> }> {
    try {
      const { Attributes: after } = await reach(
        dynamoDb().send(
          new UpdateItemCommand({
            TableName: this.#table,
            Key: keyAttribute(this.#description, id),
            ...update,
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      return fromAttributes(this.#description, after as Attributes);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      const own = ownWrite(failure, write);
      return own ? fromAttributes(this.#description, own) : { failure };
    }
  }

  #replacement(
    id: number | string,
    values: JsonObject,
    {
      now,
      version,
      same,
      write,
    }: Required<Pick<Replacement, 'now' | 'same'>> & { version?: number; write: string },
  ): Update {
    const { fields, identifier } = this.#description;
    const wanted: Attributes = {
      [UPDATED]: { N: String(now) },
      [WRITE]: { S: write },
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
