import { randomUUID } from 'node:crypto';
import { config } from '../../aws/config.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Description } from '../../resource/description.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { keyAttribute, toAttributes } from '../items/attributes.ts';
import { WRITE } from '../items/table.ts';
import { removalCondition } from './removal.ts';
import { replacementOf } from './replacement.ts';

/** A new token that identifies one write: see `ownRetry`. */
export const newWriteToken = (): string => randomUUID().slice(0, 18);

const SHOWN = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** The write that stores a new item, for a single call or for a transaction. Its condition: the id is free. */
export const insertion = (resource: Resource, item: Item, write = newWriteToken()) => ({
  TableName: config.tableName(resource.name),
  Item: { ...toAttributes(resource, item, config.shards()), [WRITE]: { S: write } },
  ConditionExpression: 'attribute_not_exists(#id)',
  ExpressionAttributeNames: { '#id': (resource.description as Description).identifier.name },
  ...SHOWN,
});

/** The write that replaces the values of an item, if it exists with this version (undefined: any version). */
export const replacement = (
  resource: Resource,
  id: number | string,
  values: JsonObject,
  {
    now,
    version,
    same = [],
    unchanged,
    write = newWriteToken(),
  }: {
    now: number;
    version?: number;
    same?: readonly string[];
    unchanged?: readonly string[];
    write?: string;
  },
) => ({
  TableName: config.tableName(resource.name),
  Key: keyAttribute(resource.description as Description, id),
  ...replacementOf(resource, id, values, { now, version, same, unchanged, write }),
  ...SHOWN,
});

/** The write that removes an item, if it exists with this version (undefined: any) and its count `unused` is zero. */
export const removal = (
  resource: Resource,
  id: number | string,
  { version, unused }: { version?: number; unused?: string } = {},
) => {
  const description = resource.description as Description;
  return {
    TableName: config.tableName(resource.name),
    Key: keyAttribute(description, id),
    ...removalCondition(description.identifier.name, version, unused),
    ...SHOWN,
  };
};
