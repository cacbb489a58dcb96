import { notImplemented } from '../fault.ts';
import { invalid, invalidParameter } from './faults.ts';
import type { KeyPart, KeyShape } from './key.ts';
import type { Index, Table } from './tables.ts';

/** The types of attributes on the wire. */
export type AttributeDefinitions = readonly { AttributeName: string; AttributeType: KeyPart['type'] }[];

/** A key schema on the wire. */
export type KeySchema = readonly { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[];

/** A global secondary index on the wire. */
export interface IndexDefinition {
  IndexName: string;
  KeySchema: KeySchema;
  Projection?: { ProjectionType?: string };
}

/** Largest parts of a key in bytes. Source: DynamoDB Developer Guide "Quotas", partition and sort keys. */
const LIMITS = { HASH: 2048, RANGE: 1024 };
const INDEXES_PER_TABLE = 20;

/** Reads a key schema with the types of its attributes. @throws ValidationException */
export function keyShape(schema: KeySchema = [], definitions: AttributeDefinitions): KeyShape {
  const kinds = schema.map(({ KeyType: kind }) => kind).join();
  if (kinds !== 'HASH' && kinds !== 'HASH,RANGE') throw invalid(`Invalid KeySchema: ${kinds}`);
  return schema.map(({ AttributeName: name, KeyType: kind }) => {
    const type = definitions.find((definition) => definition.AttributeName === name)?.AttributeType;
    if (!type) throw invalidParameter(`${name} is not defined in AttributeDefinitions`);
    return { name, type, limit: LIMITS[kind] };
  });
}

/** Reads the definition of an index, the `at`th of its table. */
export function indexOf(
  { IndexName: name, KeySchema: schema, Projection: projection }: IndexDefinition,
  definitions: AttributeDefinitions,
  table: number,
  at: number,
): Index {
  if (projection?.ProjectionType !== 'ALL') throw notImplemented('DynamoDB index projection other than ALL');
  if (at >= INDEXES_PER_TABLE) throw invalidParameter(`More than ${INDEXES_PER_TABLE} indexes`);
  return { id: table * INDEXES_PER_TABLE + at, name, key: keyShape(schema, definitions) };
}

/** The TableDescription of a table. Source: DynamoDB API Reference "TableDescription". */
export function describe({ name, created, key, indexes }: Table): object {
  return {
    TableName: name,
    TableArn: `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`,
    TableStatus: 'ACTIVE',
    CreationDateTime: created / 1000,
    AttributeDefinitions: definitionsOf({ key, indexes }),
    KeySchema: schemaOf(key),
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        IndexStatus: 'ACTIVE',
        KeySchema: schemaOf(index.key),
        Projection: { ProjectionType: 'ALL' },
      })),
    }),
  };
}

/** The types of all key attributes of a table and its indexes. */
export function definitionsOf({ key, indexes }: Pick<Table, 'key' | 'indexes'>): AttributeDefinitions {
  const types = new Map(
    [{ key }, ...indexes].flatMap((each) => each.key).map(({ name, type }) => [name, type]),
  );
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

function schemaOf(key: KeyShape): KeySchema {
  return key.map(({ name }, at) => ({ AttributeName: name, KeyType: at === 0 ? 'HASH' : 'RANGE' }));
}
