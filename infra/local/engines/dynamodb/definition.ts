import { notImplemented } from '../fault.ts';
import { invalid, invalidParameter } from './faults.ts';
import type { Index, KeyPart, KeyShape } from './tables.ts';

/** `{ AttributeName, AttributeType }`, as CreateTable and UpdateTable take it. */
export interface AttributeDefinition {
  AttributeName: string;
  AttributeType: string;
}

/** A key schema on the wire. */
export type KeySchema = { AttributeName: string; KeyType: string }[];

/** A global secondary index on the wire. */
export interface IndexDefinition {
  IndexName: string;
  KeySchema: KeySchema;
  Projection?: { ProjectionType?: string; NonKeyAttributes?: string[] };
}

/**
 * Reads a key schema with the types of its attributes.
 *
 * @throws ValidationException for a schema without a hash key or with an undefined attribute
 */
export function keyShape(
  schema: KeySchema | undefined,
  definitions: readonly AttributeDefinition[],
): KeyShape {
  const part = (keyType: string): KeyPart | undefined => {
    const name = schema?.find((element) => element.KeyType === keyType)?.AttributeName;
    if (name === undefined) return undefined;
    const type = definitions.find((definition) => definition.AttributeName === name)?.AttributeType;
    if (type !== 'S' && type !== 'N' && type !== 'B') {
      throw invalidParameter(
        `Some index key attributes are not defined in AttributeDefinitions. Keys: [${name}], AttributeDefinitions: [${definitions.map((each) => each.AttributeName).join(', ')}]`,
      );
    }
    return { name, type };
  };
  const hash = part('HASH');
  if (!hash) throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  return { hash, range: part('RANGE') };
}

/** Reads an index definition. */
export function indexOf(
  definition: IndexDefinition,
  definitions: readonly AttributeDefinition[],
  id: number,
): Index {
  const { ProjectionType: projection } = definition.Projection ?? {};
  if (projection === 'INCLUDE') throw notImplemented('DynamoDB index projection INCLUDE');
  if (projection !== 'ALL' && projection !== 'KEYS_ONLY') {
    throw invalidParameter(`Unknown ProjectionType: ${projection}`);
  }
  return { id, name: definition.IndexName, projection, ...keyShape(definition.KeySchema, definitions) };
}
