import type { StreamFacts } from '../streams/specification.ts';

/** One key attribute; `limit` in bytes. */
export interface KeyPart {
  name: string;
  type: 'S' | 'N' | 'B';
  limit: number;
}

/** A hash key and, optionally, a range key. */
export type KeyShape = readonly KeyPart[];

/** A global secondary index. `id` is unique among the indexes of all tables. */
export interface Index {
  id: number;
  name: string;
  key: KeyShape;
}

/** A stored table, with its DescribeTable response. */
export interface Table {
  id: number;
  key: KeyShape;
  indexes: readonly Index[];
  description: Description;
  /** The attribute with the time, in seconds, after which the engine can remove an item. */
  timeToLive?: string;
}

/** The type of an attribute on the wire. */
export type AttributeDefinition = { AttributeName: string; AttributeType: KeyPart['type'] };

/** A key schema on the wire. */
export type KeySchema = readonly { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[];

/** A global secondary index on the wire. */
export interface IndexDefinition {
  IndexName: string;
  KeySchema: KeySchema;
  Projection?: { ProjectionType?: string };
}

/** The stored parts of a CreateTable request and of later UpdateTable requests. */
export interface Definition extends StreamFacts {
  TableName: string;
  AttributeDefinitions: readonly AttributeDefinition[];
  KeySchema: KeySchema;
  GlobalSecondaryIndexes?: readonly IndexDefinition[];
  DeletionProtectionEnabled?: boolean;
}

/** The TableDescription of a table. Source: DynamoDB API Reference "TableDescription". */
export type Description = Definition & { TableStatus: string; CreationDateTime: number };
