import { createHash, randomUUID } from 'node:crypto';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { Unavailable } from '../../http/problem.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Attributes } from '../../store/form/attribute-value.ts';
import { number, text } from '../../store/form/attributes.ts';
import { VERSIONS_TABLE } from '../../store/history/versions-table.ts';
import { failureOf } from '../../store/write/conflict.ts';
import { attributeNotExists, updateExpression } from '../../store/write/expression.ts';
import { INVENTORY_ROW, inventoryKey } from '../../store/write/stored-inventory.ts';
import { Objects } from '../objects.ts';

/** The object with the identity of the bucket, a random text. It has no prefix, so no resource and no rule removes it. */
export const IDENTITY = 'identity';
/** The attribute of a row with the identity of the bucket that a table belongs to. */
const BUCKET = '_bucket';

const objects = new Objects('');

/** The row of a table that names the bucket. `name`: of the table. `set`: what a new row has in addition. */
export interface PairedTable {
  readonly name: string;
  readonly Key: Attributes;
  readonly set: Attributes;
}

/** The table of a resource has the identity in the row with its inventory, so a restored table has it too. */
export const itemsTable = (resource: Pick<Resource, 'name' | 'description'>): PairedTable => ({
  name: resource.name,
  Key: inventoryKey(resource),
  set: INVENTORY_ROW,
});

/** In the table of versions, no path of an item is the key of the row. */
export const versionsTable: PairedTable = {
  name: VERSIONS_TABLE.name,
  Key: { [VERSIONS_TABLE.key]: text('bucket'), [VERSIONS_TABLE.sort]: number(0) },
  set: {},
};

/** Returns the identity of the bucket; undefined if it has none. @throws Unavailable if S3 does not respond */
export async function bucketIdentity(): Promise<string | undefined> {
  const bytes = await objects.read(IDENTITY, undefined);
  return bytes && Buffer.from(bytes).toString();
}

/** Returns the identity of the bucket that a table belongs to; undefined if none is known. @throws Unavailable */
export async function identityIn({ name, Key }: PairedTable): Promise<string | undefined> {
  const read = new GetItemCommand({ TableName: config.tableName(name), Key, ConsistentRead: true });
  return (await orUnavailable(dynamoDb().send(read))).Item?.[BUCKET]?.S;
}

/**
 * Gives the bucket an identity, if it has none, and notes it in tables. `replaces`: also in tables that belong to another
 * bucket so far. @throws Unavailable if an engine does not respond
 */
export async function pair(tables: readonly PairedTable[], replaces = false): Promise<void> {
  const identity = (await bucketIdentity()) ?? (await newIdentity());
  for (const { name, Key, set } of tables) {
    const condition = replaces ? undefined : attributeNotExists(BUCKET);
    const update = updateExpression({ set: { ...set, [BUCKET]: text(identity) } }, condition);
    const TableName = config.tableName(name);
    try {
      await orUnavailable(dynamoDb().send(new UpdateItemCommand({ TableName, Key, ...update })));
    } catch (error) {
      // Another run has paired the table.
      if (!failureOf(error)) throw error;
    }
  }
}

async function newIdentity(): Promise<string> {
  const identity = randomUUID();
  const bytes = Buffer.from(identity);
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  await objects.put(IDENTITY, { bytes, mediaType: 'text/plain', sha256 }, { kind: 'absent' });
  const stored = await bucketIdentity();
  if (stored === undefined) throw new Unavailable(new Error('S3 has no identity of the bucket'));
  return stored;
}
