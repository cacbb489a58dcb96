import { DeleteItemCommand, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients.ts';
import { config } from '../aws/config.ts';
import { isNamed, orUnavailable } from '../aws/faults.ts';
import { type EntityTag, formatEntityTag, parseEntityTag } from '../http/conditional/entity-tag.ts';
import { formatSha256 } from '../http/fields/digest.ts';
import type { JsonObject } from '../json/value.ts';
import type { Description } from '../resource/description/description.ts';
import type { Item } from '../resource/item.ts';
import type { Resource } from '../resource/resource.ts';
import {
  type Attributes,
  fromAttributes,
  keyAttribute,
  number,
  sortKeys,
  text,
  valueAttributes,
} from '../store/items/attributes.ts';
import { shardOf } from '../store/items/identifier.ts';
import { CREATED, SHARD, sortAttribute, UPDATED, VERSION } from '../store/items/table.ts';
import { compare, conditionExpression, updateExpression } from '../store/write/expression.ts';
import type { ObjectFacts } from './objects.ts';
import type { RowSummary } from './reconcile-row.ts';

/** The properties of a listing row: size in bytes, media type and digest. */
export const rowValues = ({ size, mediaType, sha256 }: ObjectFacts): JsonObject => ({
  size,
  contentType: mediaType,
  ...(sha256 ? { digest: formatSha256(sha256) } : {}),
});

/**
 * The listing rows of stored files. Each write replaces the row completely, without a condition.
 * All @throws Unavailable when DynamoDB does not respond.
 */
export class FileListing {
  readonly #resource: Resource;
  readonly #description: Description;

  constructor(resource: Resource) {
    this.#resource = resource;
    this.#description = resource.description as Description;
  }

  /** Writes the row of an object and keeps the creation time of an earlier row. `existed`: there was an earlier row. */
  async put(name: string, facts: ObjectFacts, now: number): Promise<{ item: Item; existed: boolean }> {
    const values = rowValues(facts);
    const set: Attributes = {
      [UPDATED]: number(now),
      [SHARD]: number(shardOf(name, config.shards())),
      ...valueAttributes(this.#description, values),
      _etag: text(formatEntityTag(facts.etag)),
      ...sortKeys(this.#resource, { id: name, values, createdAt: now }),
      [CREATED]: number(now),
    };
    const initial = [CREATED, sortAttribute('createdAt')];
    const { Attributes: before } = await orUnavailable(
      dynamoDb().send(
        new UpdateItemCommand({
          ...this.#key(name),
          ...updateExpression({ set, initial, add: { [VERSION]: number(1) } }),
          ReturnValues: 'ALL_OLD',
        }),
      ),
    );
    const old = before && fromAttributes(this.#description, before);
    const item: Item = {
      id: name,
      version: (old?.version ?? 0) + 1,
      createdAt: old?.createdAt ?? now,
      updatedAt: now,
      values,
      internal: { etag: formatEntityTag(facts.etag) },
    };
    return { item, existed: old !== undefined };
  }

  /** The summary of the row, with its creation time in ms since the epoch; undefined if the row does not exist. */
  async shown(name: string): Promise<(RowSummary & { readonly createdAt: number }) | undefined> {
    const { Item: row } = await orUnavailable(
      dynamoDb().send(new GetItemCommand({ ...this.#key(name), ConsistentRead: true })),
    );
    if (!row) return undefined;
    const { internal, values, createdAt } = fromAttributes(this.#description, row);
    const etag = parseEntityTag(String(internal.etag));
    if (!etag) return undefined;
    const { contentType, digest } = values;
    return { etag, mediaType: String(contentType), createdAt, ...(digest ? { digest: String(digest) } : {}) };
  }

  /** Removes the row if it exists. */
  async remove(name: string): Promise<void> {
    await orUnavailable(dynamoDb().send(new DeleteItemCommand(this.#key(name))));
  }

  /** Removes the row if it still describes the object with this entity tag. */
  async removeIfUnchanged(name: string, etag: EntityTag): Promise<void> {
    const condition = conditionExpression(compare('_etag', '=', text(formatEntityTag(etag))));
    try {
      await orUnavailable(dynamoDb().send(new DeleteItemCommand({ ...this.#key(name), ...condition })));
    } catch (error) {
      if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
    }
  }

  #key(name: string) {
    return {
      TableName: config.tableName(this.#resource.name),
      Key: keyAttribute(this.#description, name),
    };
  }
}
