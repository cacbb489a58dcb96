import { randomUUID } from 'node:crypto';
import { config } from '../../aws/config.ts';
import { operationAtWork, trace } from '../../aws/log.ts';
import type { JsonObject } from '../../json/value.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { authorAttribute, keyAttribute, number, text, toAttributes } from '../form/attributes.ts';
import { ownerConditions } from '../form/owner.ts';
import { OPERATION, RESTORED, UNDO, UPDATED, UPDATED_BY, VERSION, WRITE } from '../form/table.ts';
import type { BinaryChanges } from './bind-binaries.ts';
import {
  and,
  attributeExists,
  attributeNotExists,
  compare,
  conditionExpression,
  or,
  updateExpression,
} from './expression.ts';
import { replacedAttributes } from './replacement.ts';
import type { Agreed } from './stored-inventory.ts';

/**
 * Returns a new token for one write, and the trace of the request after a space. If a retry by the SDK fails,
 * `ownRetry` recognises the first attempt by this token. The stream brings the trace to the event of the write.
 */
export const newWriteToken = (): string => {
  const token = randomUUID().slice(0, 18);
  const traceparent = trace.getStore();
  return traceparent === undefined ? token : `${token} ${traceparent}`;
};

/** Returns the attributes of a write at this time (ms since the epoch) that name the operation at work, if there is one. */
export function markAttributes(time: number): Attributes {
  const mark = operationAtWork.getStore();
  return mark ? { [mark.isUndo ? UNDO : OPERATION]: { S: `${time} ${mark.operation}` } } : {};
}

const SHOWN = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Returns the write that stores a new item, for a single call or for a transaction. Its condition: the id is free. */
export const insertion = (
  { resource, shards }: Agreed,
  item: Item,
  { write = newWriteToken(), restores }: Pick<UpdateFacts, 'write' | 'restores'> = {},
  marks = markAttributes(item.updatedAt),
) => ({
  TableName: config.tableName(resource.name),
  Item: {
    ...toAttributes(resource, item, shards),
    ...marks,
    [WRITE]: text(write),
    ...(restores ? { [RESTORED]: number(item.version) } : {}),
  },
  ...conditionExpression(attributeNotExists(descriptionOf(resource).identifier.name)),
  ...SHOWN,
});

/**
 * The conditions of an update. `caller`: its author, who may see the item. `version`: the item must have it; undefined:
 * any. `write`: the token of this write.
 */
interface UpdateFacts {
  readonly now: number;
  readonly caller: Caller;
  readonly version?: number;
  readonly write?: string;
  /** The write restores an earlier version. It then needs `version`. */
  readonly restores?: boolean | undefined;
}

/** The write that replaces the values of an item, if it exists with this version. `before`: the item of this version. */
export const replacement = (
  { resource }: Agreed,
  id: number | string,
  values: JsonObject,
  { binaries, before, ...facts }: UpdateFacts & { readonly binaries?: BinaryChanges; readonly before?: Item },
) => update(resource, id, replacedAttributes(resource, id, values, { binaries, before }), facts);

const placeOf = (resource: Resource, id: number | string) => ({
  TableName: config.tableName(resource.name),
  Key: keyAttribute(descriptionOf(resource), id),
});

/** Returns the conditions of a write to an item that the caller may see. */
const visibleTo = (resource: Resource, caller: Caller) => [
  attributeExists(descriptionOf(resource).identifier.name),
  ...(resource.owner ? ownerConditions(ownerOf(resource, caller)) : []),
];

/** Updates an existing item and increases its version. It removes those of `removable` that `set` lacks. */
function update(
  resource: Resource,
  id: number | string,
  { set, removable }: { readonly set: Attributes; readonly removable: readonly string[] },
  { now, caller, version, write = newWriteToken(), restores }: UpdateFacts,
) {
  const marks = markAttributes(now);
  const token = text(write);
  const { subject } = caller;
  return {
    ...placeOf(resource, id),
    ...updateExpression(
      {
        set: {
          ...marks,
          [UPDATED]: now,
          ...(subject === undefined ? {} : { [UPDATED_BY]: authorAttribute(subject, now) }),
          [WRITE]: token,
          ...(restores && version !== undefined ? { [RESTORED]: version + 1 } : {}),
          ...set,
        },
        remove: removable.filter((name) => !Object.hasOwn(set, name)),
        add: { [VERSION]: 1 },
      },
      and(
        ...visibleTo(resource, caller),
        // After a lost response the SDK retries. Without this condition, the retry would change the item again.
        version === undefined
          ? or(attributeNotExists(WRITE), compare(WRITE, '<>', token))
          : compare(VERSION, '=', version),
      ),
    ),
    ...SHOWN,
  };
}

/**
 * The write that removes an item, if it exists with this version and the caller may see it. undefined: any version.
 */
export const removal = (resource: Resource, id: number | string, caller: Caller, version?: number) => ({
  ...placeOf(resource, id),
  ...conditionExpression(
    and(...visibleTo(resource, caller), ...(version === undefined ? [] : [compare(VERSION, '=', version)])),
  ),
  ...SHOWN,
});

/** Returns a condition for a transaction: the item still has this version. */
export const sameVersion = (resource: Resource, { id, version }: Pick<Item, 'id' | 'version'>) => ({
  ...placeOf(resource, id),
  ...conditionExpression(compare(VERSION, '=', version)),
});
