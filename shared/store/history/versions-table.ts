import type { AttributeValue, Put } from '@aws-sdk/client-dynamodb';
import { currentTime } from '../../aws/clock.ts';
import { config } from '../../aws/config.ts';
import type { OperationMark } from '../../aws/log.ts';
import { clearedReferencesOf } from '../../resource/description/references.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { expiry, fromAttributes, identifierOf, number, text } from '../form/attributes.ts';
import { historyKey } from '../form/log-table.ts';
import {
  type Index,
  isSortAttribute,
  markIn,
  OWNER,
  RESTORED,
  SHARD,
  UPDATED,
  VERSION,
  WRITE,
} from '../form/table.ts';

/**
 * The table of earlier versions, which all resources share. Each row is a version that a later one has replaced, or that
 * a removal has ended. The present version of an item is the item itself.
 * `item` (S): the path of the item, `/orders/7`. `version` (N). `image` (M): the attributes of the item. `removedAt` (N,
 * ms since the epoch) and `removedBy` (S): of the removal that ended the version, with the mark of its operation.
 * `removedFrom` (S): the list of removed items, until the item exists again. `expires` (N, seconds) is DynamoDB's time to live.
 * A row of the list of files has its time in place of `version`, because a removed file counts anew.
 * If the service clears the references to a removed item: `clearFrom` (S) is the path of its collection, until the item
 * exists again, and `clearAt` (N, ms since the epoch) the end of its history. The worker takes `expires` from a row whose
 * references it clears. The item then cannot exist again, in no release.
 */
export const VERSIONS_TABLE = {
  name: 'versions',
  key: 'item',
  keyType: 'S',
  sort: 'version',
  timeToLive: 'expires',
} as const;

const DAY_MS = 86_400_000;
const IMAGE = 'image';
/** The time of the removal that ended a version. */
export const REMOVED_AT = 'removedAt';
export const REMOVED_BY = 'removedBy';
export const REMOVED_FROM = 'removedFrom';

/** The sparse index of the last versions of removed items, by the time of the removal. It contains no other rows. */
export const REMOVED_INDEX = {
  name: 'removed',
  field: REMOVED_AT,
  partition: REMOVED_FROM,
  partitionType: 'S',
  sort: { name: REMOVED_AT, type: 'N' },
} as const;

/** The path of the collection of a removed item whose references the service clears. */
export const CLEAR_FROM = 'clearFrom';
/** The time at which the service clears the references, in ms since the epoch. */
export const CLEAR_AT = 'clearAt';

/** The sparse index of such rows, by the time at which the references go. It contains no other rows, and keys alone. */
export const CLEAR_INDEX = {
  name: 'clear',
  field: CLEAR_AT,
  partition: CLEAR_FROM,
  partitionType: 'S',
  sort: { name: CLEAR_AT, type: 'N' },
  keysOnly: true,
} as const;

/** Such a row lives so many days longer than the history: time to live and the work of each day have no order. */
const CLEARING_DAYS = 7;

/** Returns the indexes of the table in a service with these resources. */
export const versionIndexes = (registry: readonly Pick<Resource, 'description'>[]): readonly Index[] => [
  REMOVED_INDEX,
  ...(registry.some((one) => clearedReferencesOf(one).length > 0) ? [CLEAR_INDEX] : []),
];

/** The end of an item. A removal has a version number of its own: the next one. */
export interface Removal {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by?: string | undefined;
  readonly mark?: OperationMark | undefined;
}

/** A version of an item, present or kept. */
export interface Version {
  readonly item: Item;
  /** True if a restoration made it. */
  readonly isRestored: boolean;
  /** The operation that made it; undefined: none did. */
  readonly mark?: OperationMark | undefined;
  /** Present if this version was the last one before a removal. */
  readonly removal?: Removal;
}

/** Returns the version in the attributes of an item. */
export function versionIn(resource: Resource, attributes: Attributes): Version {
  const item = fromAttributes(descriptionOf(resource), attributes);
  const isRestored =
    attributes[RESTORED]?.N !== undefined && attributes[RESTORED].N === attributes[VERSION]?.N;
  return { item, isRestored, mark: markIn(attributes, item.updatedAt) };
}

/** Returns the version in a row of the table. */
export function versionOf(resource: Resource, row: Attributes): Version {
  const version = versionIn(resource, imageIn(row));
  const at = row[REMOVED_AT]?.N;
  if (at === undefined) return version;
  return {
    ...version,
    removal: { at: Number(at), by: row[REMOVED_BY]?.S, mark: markIn(row, Number(at)) },
  };
}

/** Returns the attributes of the item in a row of the table. */
export const imageIn = (row: Attributes): Attributes => row[IMAGE]?.M ?? {};

/** True if the history has not ended. DynamoDB removes a row up to some days after its time to live. */
export function isShown(row: Attributes): boolean {
  const expires = row[VERSIONS_TABLE.timeToLive]?.N;
  return expires !== undefined && Number(row[CLEAR_AT]?.N ?? Number(expires) * 1000) > currentTime();
}

/** Returns the key of a row. */
export const rowKey = (resource: Pick<Resource, 'name'>, id: number | string, version: number) => ({
  [VERSIONS_TABLE.key]: historyKey(resource, id),
  [VERSIONS_TABLE.sort]: number(version),
});

/** Returns the list of the removed items that an owner may see; undefined: the items have no owners. */
export const removedKey = ({ name }: Pick<Resource, 'name'>, owner: string | undefined): AttributeValue =>
  text(owner === undefined ? `/${name}` : `/${name} ${owner}`);

/** Returns the attributes of an item without those that say only where it is in lists, and which write stored it. */
export const imageOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !isSortAttribute(name) && name !== SHARD && name !== WRITE),
  );

/**
 * Returns the write that keeps the row of a file after it ended at the time `ended`. In place of a version, its time (ms since
 * the epoch) is the sort key. `removal` and `marks`: as in `keeping`.
 */
export function fileVersion(
  resource: Resource,
  attributes: Attributes,
  { ended, days, removal, marks }: Ending & { readonly days: number },
): Put {
  return {
    TableName: config.tableName(VERSIONS_TABLE.name),
    Item: {
      [VERSIONS_TABLE.key]: historyKey(resource, identifierOf(descriptionOf(resource), attributes)),
      [VERSIONS_TABLE.sort]: attributes[UPDATED] ?? number(0),
      [VERSIONS_TABLE.timeToLive]: expiry(ended + days * DAY_MS),
      [IMAGE]: { M: imageOf(attributes) },
      ...(removal ? { [REMOVED_AT]: number(removal.at) } : {}),
      ...(removal?.by === undefined ? {} : { [REMOVED_BY]: text(removal.by) }),
      ...marks,
    },
  };
}

/** The end of a version: its time, and the removal that ended it, with the mark of its operation. */
interface Ending {
  readonly ended: number;
  readonly removal?: Removal | undefined;
  readonly marks?: Attributes;
}

/**
 * Returns the write that keeps a version after it ended at the time `ended`, in ms since the epoch. Several writes of
 * one version are the same, so a repeated one has no effect. `removal`: present if the item was removed. `marks`: those of
 * its operation.
 *
 * @throws Error if the resource keeps no versions
 */
export function keeping(resource: Resource, attributes: Attributes, { ended, removal, marks }: Ending): Put {
  const { history, isCleared } = resource;
  if (!history) throw new Error(`The resource ${resource.name} keeps no versions: state history`);
  const end = ended + history.days * DAY_MS;
  const clears = removal && isCleared;
  return {
    TableName: config.tableName(VERSIONS_TABLE.name),
    Item: {
      [VERSIONS_TABLE.key]: historyKey(resource, identifierOf(descriptionOf(resource), attributes)),
      [VERSIONS_TABLE.sort]: attributes[VERSION] ?? number(0),
      [VERSIONS_TABLE.timeToLive]: expiry(clears ? end + CLEARING_DAYS * DAY_MS : end),
      [IMAGE]: { M: imageOf(attributes) },
      ...(removal
        ? {
            [REMOVED_AT]: number(removal.at),
            [REMOVED_FROM]: removedKey(resource, attributes[OWNER]?.S),
          }
        : {}),
      ...(clears ? { [CLEAR_FROM]: text(`/${resource.name}`), [CLEAR_AT]: number(end) } : {}),
      ...marks,
      ...(removal?.by === undefined ? {} : { [REMOVED_BY]: text(removal.by) }),
    },
  };
}
