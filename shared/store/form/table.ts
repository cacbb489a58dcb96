import type { OperationMark } from '../../aws/log.ts';
import { attributeOf } from '../../resource/description/attribute.ts';
import type { Description } from '../../resource/description/description.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from './attribute-value.ts';

/** Attributes of the sparse `due` index: the shard, and the due time in ms since the epoch. */
export const PENDING = '_pending';
export const DUE_AT = '_dueAt';
/** The sparse index of waiting items, by due time. It contains no other items. */
export const DUE_INDEX: Index = {
  name: 'due',
  field: DUE_AT,
  partition: PENDING,
  partitionType: 'N',
  sort: { name: DUE_AT, type: 'N' },
};

/** An index that serves one order of one kind of list. */
export interface Index {
  readonly name: string;
  /** The field that lists are sorted by. */
  readonly field: string;
  /** `_shard`, `_owner`, or the field whose value selects the items of a list. */
  readonly partition: string;
  readonly partitionType: 'N' | 'S';
  /** The attribute whose order is the order by field and then by identifier. */
  readonly sort: { readonly name: string; readonly type: 'B' | 'N' | 'S' };
  /** The index has the keys alone. */
  readonly keysOnly?: true;
}

/** The DynamoDB table of a resource: its key, and one index for each order of its lists. */
export interface Table {
  readonly resource: string;
  readonly key: { readonly name: string; readonly type: 'N' | 'S' };
  /** The second part of the key, if the table has one. */
  readonly sort?: { readonly name: string; readonly type: 'N' | 'S' };
  /** The fields whose values partition lists. */
  readonly partitions: readonly string[];
  readonly indexes: readonly Index[];
  readonly timeToLive?: string;
}

/** The items of one list: those whose `field` has this value. */
export interface Partition {
  readonly field: string;
  readonly value: number | string;
}

/** Attributes that hold no declared field begin with `_`. Field names never do. */
export const SHARD = '_shard';
export const VERSION = '_version';
export const CREATED = '_created';
export const UPDATED = '_updated';
export const OPEN = '_open';
/** The version of the description that stored the item. Items without it have version 1. */
export const SCHEMA = '_schema';
/** The author of the item, and of its version: see `authorAttribute`. */
export const CREATED_BY = '_createdBy';
export const UPDATED_BY = '_updatedBy';
/** The owner of the item, as `ownerOf` names it. Its lists are partitions of the indexes by this attribute. */
export const OWNER = '_owner';
/** The token of the last write to the item: see `ownRetry`. */
export const WRITE = '_write';
/** The name of a row that is not an item: see `constraintKey`. */
export const CONSTRAINT = '_constraint';
/** The version that an import wrote without an event. A later version has its event. */
export const IMPORTED = '_imported';
/** The version that a restoration wrote. */
export const RESTORED = '_restored';

/**
 * The operation that made the version, with the time of the change as in `authorAttribute`. A later change leaves the
 * attribute, and its other time shows that it is not its own. `UNDO`: an operation that took changes back.
 */
export const [OPERATION, UNDO] = ['_operation', '_undo'] as const;

/** Returns the operation that made a change at this time; undefined: none did. */
export function markIn(attributes: Attributes, time: number): OperationMark | undefined {
  for (const name of [UNDO, OPERATION]) {
    const [at, operation] = attributes[name]?.S?.split(' ') ?? [];
    if (at === String(time)) return { operation: Number(operation), isUndo: name === UNDO };
  }
  return undefined;
}

/** The attribute with the bytes of a binary property begins with this, and ends with the name of the property. */
export const BYTES = '_bytes_';

/** The attributes with composed sort keys begin with this. */
const SORT = '_by_';

/** Returns the attribute with the composed sort key of a field. */
export const sortAttribute = (description: Pick<Description, 'fields'>, field: string): string =>
  `${SORT}${attributeOf(description, field)}`;

/** True if an attribute is a composed sort key. */
export const isSortAttribute = (attribute: string): boolean => attribute.startsWith(SORT);

/** The fields with a composed sort key. Integer ids contain the creation time, so they serve `createdAt` too. */
export function composedFields(resource: Pick<Resource, 'sortable' | 'description'>): readonly string[] {
  return resource.description?.identifier.kind === 'text'
    ? [...resource.sortable, 'createdAt']
    : resource.sortable;
}

const known = new WeakMap<object, readonly (readonly [field: string, attribute: string])[]>();

/** Returns the fields with a composed sort key, and the attributes of these keys. */
export function sortAttributes(
  resource: Pick<Resource, 'name' | 'sortable' | 'description'>,
): readonly (readonly [field: string, attribute: string])[] {
  const found = known.get(resource);
  if (found) return found;
  const description = descriptionOf(resource);
  const made = composedFields(resource).map((field) => [field, sortAttribute(description, field)] as const);
  known.set(resource, made);
  return made;
}

/** Source: Amazon DynamoDB Developer Guide, "Service quotas", global secondary indexes of a table. */
export const MAXIMUM_INDEXES = 20;

/** The facts of a resource that make its table. */
export type Tabled = Pick<
  Resource,
  'name' | 'description' | 'sortable' | 'table' | 'owner' | 'history' | 'atMost' | 'keptTotals'
>;

/** Returns the table of a resource. @throws Error for a resource without a table */
export function tableOf(resource: Tabled): Table {
  const { description, table } = resource;
  if (!description || !table)
    throw new Error(`The resource ${resource.name} has no table for items. Say table: {}`);
  const { name, kind } = description.identifier;
  const key = { name, type: kind === 'integer' ? 'N' : 'S' } as const;
  const orders = [
    { field: name, sort: key },
    ...composedFields(resource).map((field) => ({
      field,
      sort: { name: sortAttribute(description, field), type: 'B' } as const,
    })),
  ];
  const { owner } = resource;
  const whole = owner ? OWNER : SHARD;
  const partitions = [...(table.whole === false ? [] : [whole]), ...(table.partitions ?? [])];
  return {
    resource: resource.name,
    key,
    partitions: table.partitions ?? [],
    indexes: [
      ...partitions.flatMap((partition) =>
        orders.map(({ field, sort }) => {
          const name = `by_${attributeOf(description, field)}`;
          return {
            name: partition === SHARD ? name : `${partition}_${name}`,
            field,
            partition,
            partitionType: owner ? ('S' as const) : ('N' as const),
            sort,
          };
        }),
      ),
      ...(table.due ? [DUE_INDEX] : []),
    ],
    timeToLive: table.timeToLive,
  };
}

/** Returns the index that serves a list in the order of this field. undefined: no index has this order. */
export const indexFor = (table: Table, partition: string, field: string): Index | undefined =>
  table.indexes.find((one) => one.partition === partition && one.field === field);
