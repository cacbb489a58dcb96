import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Resource } from '../../resource/resource.ts';
import type { Attributes } from './attribute-value.ts';
import { number, text } from './attributes.ts';
import { VERSION } from './table.ts';

/**
 * The table with the log of changes, which all resources with history share. Each resource has several partitions, and
 * an item is always in the same one.
 *
 * - A row of a change: `partition` (S) is its partition, `position` (N) its place there. `previous` (N) is the position
 *   of the row before, 0 if it is the first one. `event` (S) is the CloudEvent without data, as JSON text, and `image`
 *   (M) has the attributes of the item. An erasure removes these two.
 * - A row of an item: `partition` is the path of the item, `position` is 0. `logged` (N) is the last version in the log,
 *   and `time` (N, ms since the epoch) the time of that change. The log therefore has each version once.
 * - The row of a partition: `partition` is `partitions`, and `position` follows from the name of the partition, which is
 *   in `of` (S). `last` (N) is the last position. One Query reads the ends of all partitions. `epoch` (S) is a random
 *   text, and `began` (N) the position after which the log has every change of the partition. A row without them has
 *   every change.
 *
 * `expires` (N, seconds) is DynamoDB's time to live.
 */
export const CHANGES_TABLE = {
  name: 'changes',
  key: 'partition',
  keyType: 'S',
  sort: 'position',
  timeToLive: 'expires',
} as const;

/** True if a service has the log: clients follow it, or the fan-out of subscriptions does. */
export const needsLog = (registry: readonly (Named & { readonly history?: unknown })[]): boolean =>
  registry.some(({ name, history }) => history !== undefined || name === 'subscriptions');

/** The names of the other attributes. */
export const [PREVIOUS, EVENT, IMAGE, LOGGED, TIME, OF, LAST, EPOCH, BEGAN] = [
  'previous',
  'event',
  'image',
  'logged',
  'time',
  'of',
  'last',
  'epoch',
  'began',
] as const;

/** The key of the rows of partitions. No path and no partition has this name. */
export const ENDS = 'partitions';

/** The partitions of a resource. Another number would move items, and a reader would see their changes in two places. */
const PARTITIONS = 4;

type Named = { readonly name: string };

/** Returns all partitions of a resource. */
export const partitionsOf = ({ name }: Named): string[] =>
  Array.from({ length: PARTITIONS }, (_, at) => `${name}.${at}`);

/** Returns the partition of an item. */
export const partitionOf = ({ name }: Named, id: number | string): string =>
  `${name}.${(digestOf(String(id))[0] ?? 0) % PARTITIONS}`;

/** Returns the name of the resource of a partition. */
export const resourceOfPartition = (partition: string): string => partition.slice(0, partition.indexOf('.'));

const digestOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/** Returns the key of a row of a change. */
export const changeKey = (partition: string, position: number): Attributes => ({
  [CHANGES_TABLE.key]: text(partition),
  [CHANGES_TABLE.sort]: number(position),
});

/** Returns the key of the row of an item. */
export const itemKey = (resource: Named, id: number | string): Attributes => ({
  [CHANGES_TABLE.key]: historyKey(resource, id),
  [CHANGES_TABLE.sort]: number(0),
});

/** Returns the key of the row of a partition: 48 bits of a digest are a number of their own for each. */
export const endKey = (partition: string): Attributes => ({
  [CHANGES_TABLE.key]: text(ENDS),
  [CHANGES_TABLE.sort]: number(digestOf(partition).readUIntBE(0, 6)),
});

/** Positions of one ms. Positions follow the time at which the log gets a change, so a time leads to a position. */
export const POSITIONS_OF_MS = 1000;

/** Returns the path of an item, which is the key of its versions. */
export const historyKey = (resource: Pick<Resource, 'name'>, id: number | string): AttributeValue =>
  text(`/${resource.name}/${id}`);

/** The `sequence` of the CloudEvent in a row. */
type Sequenced = { readonly sequence: string };

/** Returns the version that a change made. The sequence of a file begins with its creation. */
export const versionOfChange = ({ sequence }: Sequenced): number => Number(sequence.split('.').at(-1));

/** True if a change is a removal: the image in its row is that of the version before. */
export const isRemoval = (event: Sequenced, image: Attributes): boolean =>
  versionOfChange(event) !== Number(image[VERSION]?.N);
