import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE } from '../service/folders.ts';
import { DEFAULT_SHARDS, type Shards } from '../shared/aws/config.ts';
import { attributeOf, earlierFormOf } from '../shared/resource/description/attribute.ts';
import type { Field } from '../shared/resource/description/description.ts';
import type { Resource } from '../shared/resource/resource.ts';
import { type Index, SHARD, type Table, tableOf } from '../shared/store/items/table.ts';

/** The contents of the deployed table of a resource. */
export interface Stored {
  /** Every item has at least this version of the description. */
  readonly schema: number;
  /** The kind of each attribute with values of clients. */
  readonly fields: Readonly<Record<string, Field['kind']>>;
  readonly indexes: readonly string[];
  /** The attributes whose indexes hold every item. */
  readonly sortable: readonly string[];
  /** The attributes whose values are unique among all items; undefined: none. */
  readonly unique?: readonly string[];
  /** The partitions of each list that readers read; undefined: four. */
  readonly shards?: number;
}

/** The contents of the deployed tables, by resource. */
export type Released = Readonly<Record<string, Stored>>;

type Ordered = Pick<Resource, 'name' | 'sortable' | 'description'>;

const RECORD = join(SERVICE, 'docs/stored.released.json');

/** The contents of docs/stored.released.json. A service without a release has no such file, and no tables yet. */
export const RELEASED: Released = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};

/**
 * The orders that no complete index serves, as `members.email`. A field became sortable after the table had items, so
 * the index holds only the items written since. If items have an earlier form of the field, the index has keys of both
 * forms. A resource without an entry has a new table with complete indexes.
 *
 * Source: Amazon DynamoDB Developer Guide, "Take advantage of sparse indexes".
 * @throws Error if an entry names a field that is not sortable any more: functions that read the index would miss items
 */
export function incompleteOrders(
  registry: readonly Ordered[],
  released: Readonly<Record<string, Pick<Stored, 'sortable' | 'schema'>>> = RELEASED,
): string[] {
  return registry.flatMap(({ name, sortable, description }) => {
    const fields = description?.fields ?? {};
    const attributes = sortable.map((field) => attributeOf({ fields }, field));
    const { sortable: complete, schema } = released[name] ?? { sortable: attributes, schema: Infinity };
    const gone = complete.filter((attribute) => !attributes.includes(attribute));
    if (gone.length > 0) {
      throw new Error(
        `docs/stored.released.json says that ${name} is sortable by ${gone.join(', ')}, but its definition does not: ` +
          'new items would get no sort key, and the release before would not show them in this order. First delete the ' +
          'entry and deploy the definition as it was, and then change the definition',
      );
    }
    const isComplete = (field: string) =>
      complete.includes(attributeOf({ fields }, field)) &&
      schema >= (earlierFormOf(fields[field])?.before ?? 0);
    return sortable.filter((field) => !isComplete(field)).map((field) => `${name}.${field}`);
  });
}

/** The environment variable that makes functions sort these lists by reading; nothing if every index is complete. */
export function ordersVariable(
  registry: readonly Ordered[],
  released?: Parameters<typeof incompleteOrders>[1],
): Record<string, string> {
  const orders = incompleteOrders(registry, released);
  return orders.length === 0 ? {} : { ORDERS_BY_READING: orders.join(' ') };
}

/**
 * The table with the indexes that the next deployment gives to it: the deployed ones and at most one new one, because
 * DynamoDB creates one index at a time. A new order of nested lists has several indexes, which need a deployment each.
 * Until all of them exist, `incompleteOrders` has the order. The index of an order that is no longer declared stays
 * until its name leaves `indexes`, because DynamoDB also deletes one index at a time.
 *
 * Source: AWS CloudFormation User Guide, "AWS::DynamoDB::GlobalTable", GlobalSecondaryIndexes.
 * @throws Error if several fields become sortable at the same time
 */
export function tableToDeploy(
  resource: Resource,
  released: Readonly<Record<string, Pick<Stored, 'indexes'>>> = RELEASED,
): Table {
  const table = tableOf(resource);
  const deployed = released[resource.name]?.indexes;
  if (!deployed) return table;
  const isDeployed = ({ name }: Index) => deployed.includes(name);
  const added = table.indexes.filter((one) => !isDeployed(one));
  const fields = [...new Set(added.map(({ field }) => field))];
  if (fields.length > 1) {
    throw new Error(
      `A deployment can add one index to the table of ${resource.name}, and ${fields.join(', ')} need one each: make ` +
        `${fields[0]} sortable, deploy, write its index into \`indexes\` of docs/stored.released.json, and then go on`,
    );
  }
  const undeclared = deployed.filter((name) => !table.indexes.some((one) => one.name === name));
  const indexes = [
    ...table.indexes.filter(isDeployed),
    ...undeclared.map(leftOver(table)),
    ...added.slice(0, 1),
  ];
  return { ...table, indexes };
}

/** The attribute that an index sorts by: `name` for `by_name` and `customerId_by_name`. */
const orderOf = (index: string): string => index.replace(/^.*?by_/, '');

/**
 * The partitions of the lists of a resource in the next deployment. Its readers read all partitions that it wants, and
 * all that the readers before it read. Its writers use only partitions that the readers before it read. Growth
 * therefore needs two deployments, and a canary or a roll-back of either hides no item. A new table has as many as it
 * wants.
 */
export function shardsToDeploy(
  name: string,
  wanted: number,
  released: Readonly<Record<string, Pick<Stored, 'shards'>>> = RELEASED,
): Shards {
  const { shards = DEFAULT_SHARDS } = released[name] ?? { shards: wanted };
  return { write: Math.min(wanted, shards), read: Math.max(wanted, shards) };
}

/** An index of a field that is no longer sortable. */
const leftOver =
  ({ indexes }: Table) =>
  (name: string): Index => {
    const field = orderOf(name);
    const whole = { partition: SHARD, partitionType: 'N' } as const;
    const of = indexes.find(({ partition }) => name === `${partition}_by_${field}`) ?? whole;
    const { partition, partitionType } = of;
    return { name, field, partition, partitionType, sort: { name: `_by_${field}`, type: 'B' } };
  };
