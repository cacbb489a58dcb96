import { invalid, notImplemented } from '../../fault.ts';
import type { AttributeDefinition, Definition, Index, KeySchema, KeyShape, Table } from './table.ts';

/**
 * Maximum size of each part of a key in bytes. Source: DynamoDB Developer Guide "Quotas", partition and sort keys.
 */
const LIMITS = { HASH: 2048, RANGE: 1024 };
const INDEXES_PER_TABLE = 20;

/** Reads a definition. @throws ValidationException; NotImplemented for a projection other than ALL */
export function tableOf(id: number, definition: Definition, created: number): Table {
  const { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: given = [] } = definition;
  const { StreamSpecification, LatestStreamArn, LatestStreamLabel } = definition;
  const types = new Map(AttributeDefinitions.map((each) => [each.AttributeName, each]));
  const key = keyShape(KeySchema, types);
  if (given.length > INDEXES_PER_TABLE) throw invalid(`More than ${INDEXES_PER_TABLE} indexes`);
  const indexes = given.map((index, at): Index => {
    if (index.Projection?.ProjectionType !== 'ALL') throw notImplemented('DynamoDB index projection but ALL');
    return { id: id * INDEXES_PER_TABLE + at, name: index.IndexName, key: keyShape(index.KeySchema, types) };
  });
  const used = new Set([{ key }, ...indexes].flatMap((each) => each.key.map(({ name }) => name)));
  if (used.size !== types.size) {
    throw invalid('AttributeDefinitions must have the attributes of the key schemas and no others');
  }
  const description = {
    TableName,
    TableStatus: 'ACTIVE',
    CreationDateTime: created,
    AttributeDefinitions: [...types.values()],
    KeySchema,
    GlobalSecondaryIndexes: given.map((index) => ({ ...index, IndexStatus: 'ACTIVE' })),
    ...(LatestStreamArn !== undefined && { StreamSpecification, LatestStreamArn, LatestStreamLabel }),
  };
  return { id, key, indexes, description };
}

function keyShape(schema: KeySchema, types: ReadonlyMap<string, AttributeDefinition>): KeyShape {
  const kinds = schema.map(({ KeyType: kind }) => kind).join();
  if (kinds !== 'HASH' && kinds !== 'HASH,RANGE') throw invalid(`Invalid KeySchema: ${kinds}`);
  return schema.map(({ AttributeName: name, KeyType: kind }) => {
    const type = types.get(name)?.AttributeType;
    if (!type) throw invalid(`${name} is not defined in AttributeDefinitions`);
    return { name, type, limit: LIMITS[kind] };
  });
}
