import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/clients/dynamodb.ts';
import { currentTime } from '../aws/clock.ts';
import { config } from '../aws/config.ts';
import { isNamed, orUnavailable } from '../aws/faults.ts';
import { trace } from '../aws/log.ts';
import { formatEntityTag, parseEntityTag } from '../http/conditional/entity-tag.ts';
import type { JsonObject } from '../json/value.ts';
import type { Caller } from '../resource/access/owner.ts';
import { formatSha256 } from '../resource/binary.ts';
import type { Description } from '../resource/description/description.ts';
import type { Item } from '../resource/item.ts';
import { descriptionOf, keptDays, type Resource } from '../resource/resource.ts';
import type { Attributes } from '../store/form/attribute-value.ts';
import {
  authorAttributes,
  fromAttributes,
  keyAttribute,
  number,
  shardOf,
  sortKeys,
  text,
  valueAttributes,
} from '../store/form/attributes.ts';
import {
  CREATED,
  CREATED_BY,
  SCHEMA,
  SHARD,
  sortAttribute,
  UPDATED,
  VERSION,
  WRITE,
} from '../store/form/table.ts';
import { failureOf } from '../store/write/conflict.ts';
import {
  and,
  attributeNotExists,
  compare,
  conditionExpression,
  or,
  updateExpression,
} from '../store/write/expression.ts';
import { agree } from '../store/write/stored-inventory.ts';
import { markAttributes, newWriteToken } from '../store/write/write-requests.ts';
import type { ObjectFacts } from './objects.ts';

/** Returns the properties of a listing row: size in bytes, media type and digest. */
export const rowValues = ({ size, mediaType, sha256 }: ObjectFacts): JsonObject => ({
  size,
  contentType: mediaType,
  ...(sha256 ? { digest: formatSha256(sha256) } : {}),
});

/** The facts of an object that a row repeats. */
export type RowSummary = Pick<ObjectFacts, 'etag' | 'mediaType'> & { readonly digest?: string };

/** A row as it was read: the object that it describes, its version, and its creation time in ms since the epoch. */
export interface ShownRow extends RowSummary {
  readonly version: number;
  readonly createdAt: number;
  readonly attributes: Attributes;
}

/**
 * The listing rows of stored files. Each write replaces the row completely. Its time is later than that of the row before,
 * because the history has the rows in the order of their times.
 * All @throws Unavailable when DynamoDB does not respond.
 */
export class FileListing {
  readonly #resource: Resource;
  readonly #description: Description;

  constructor(resource: Resource) {
    this.#resource = resource;
    this.#description = descriptionOf(resource);
  }

  /**
   * Writes the row of an object and keeps the creation of an earlier row. `by`: the caller who wrote the object;
   * undefined: unknown. `replacedFrom`: the time of the earlier row in ms since the epoch; undefined if there was none.
   * `creation`: takes the place of that of an earlier row.
   */
  async put(
    name: string,
    facts: ObjectFacts,
    now: number,
    by?: string,
    creation?: { readonly at: number; readonly by: string | undefined },
  ): Promise<{ item: Item; replacedFrom: number | undefined }> {
    const values = rowValues(facts);
    const { shards } = await agree(this.#resource);
    const { at: createdAt, by: createdBy } = creation ?? { at: now, by };
    const set: Attributes = {
      [SCHEMA]: number(this.#description.version),
      [UPDATED]: number(now),
      [SHARD]: number(shardOf(name, shards)),
      ...valueAttributes(this.#description, values),
      _etag: text(formatEntityTag(facts.etag)),
      ...sortKeys(this.#resource, { id: name, values, createdAt }),
      [CREATED]: number(createdAt),
      ...authorAttributes({ createdAt, createdBy, updatedAt: now, updatedBy: by }),
      ...markAttributes(now),
      // No write of a row needs a token, except to bring the trace to the event.
      ...(trace.getStore() === undefined ? {} : { [WRITE]: text(newWriteToken()) }),
    };
    const initial = creation ? [] : [CREATED, CREATED_BY, sortAttribute(this.#description, 'createdAt')];
    const isLater = or(attributeNotExists(UPDATED), compare(UPDATED, '<', number(now)));
    const write = new UpdateItemCommand({
      ...this.#key(name),
      ...updateExpression({ set, initial, add: { [VERSION]: number(1) } }, isLater),
      ReturnValues: 'ALL_OLD',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    let before: Attributes | undefined;
    try {
      before = (await orUnavailable(dynamoDb().send(write))).Attributes;
    } catch (error) {
      const last = Number(failureOf(error)?.Item?.[UPDATED]?.N);
      if (!(last >= now)) throw error;
      return this.put(name, facts, last + 1, by, creation);
    }
    const old = before && fromAttributes(this.#description, before);
    const item: Item = {
      id: name,
      version: (old?.version ?? 0) + 1,
      createdAt: old?.createdAt ?? now,
      updatedAt: now,
      createdBy: old ? old.createdBy : by,
      updatedBy: by,
      values,
      internal: { etag: formatEntityTag(facts.etag) },
    };
    return { item, replacedFrom: old?.updatedAt };
  }

  /** The row; undefined if it does not exist. */
  async shown(name: string): Promise<ShownRow | undefined> {
    const read = new GetItemCommand({ ...this.#key(name), ConsistentRead: true });
    const { Item: row } = await orUnavailable(dynamoDb().send(read));
    if (!row) return undefined;
    const { internal, values, version, createdAt } = fromAttributes(this.#description, row);
    const etag = parseEntityTag(String(internal.etag));
    if (!etag) return undefined;
    const { contentType, digest } = values;
    const mediaType = String(contentType);
    return {
      etag,
      mediaType,
      version,
      createdAt,
      attributes: row,
      ...(digest ? { digest: String(digest) } : {}),
    };
  }

  /** Removes the row if it exists. */
  async remove(name: string): Promise<void> {
    await orUnavailable(dynamoDb().send(new DeleteItemCommand(this.#key(name))));
  }

  /**
   * Removes the row if it is still the one that was read. Returns whether it was. `by`: who has removed the object. If the
   * bucket keeps its versions, the row is kept first, with this caller.
   */
  async removeIfUnchanged(
    name: string,
    { etag, version, attributes }: ShownRow,
    by?: Caller,
  ): Promise<boolean> {
    const condition = conditionExpression(
      and(compare('_etag', '=', text(formatEntityTag(etag))), compare(VERSION, '=', number(version))),
    );
    const days = keptDays([this.#resource]);
    if (by && days !== undefined && config.hasTable('versions')) {
      const { fileVersion } = await import('../store/history/versions-table.ts');
      const at = currentTime();
      const facts = { ended: at, days, removal: { at, by: by.subject }, marks: markAttributes(at) };
      const put = fileVersion(this.#resource, attributes, facts);
      await orUnavailable(dynamoDb().send(new PutItemCommand(put)));
    }
    try {
      await orUnavailable(dynamoDb().send(new DeleteItemCommand({ ...this.#key(name), ...condition })));
      return true;
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) return false;
      throw error;
    }
  }

  #key(name: string) {
    return {
      TableName: config.tableName(this.#resource.name),
      Key: keyAttribute(this.#description, name),
    };
  }
}
