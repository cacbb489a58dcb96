import { Fault } from '../../fault.ts';
import {
  type AttributeDefinition,
  type IndexDefinition,
  indexOf,
  type KeySchema,
  keyShape,
} from '../definition.ts';
import { describe } from '../describe.ts';
import { operation } from '../dynamodb.ts';
import { invalid, invalidParameter } from '../faults.ts';
import { parts } from '../key.ts';

interface CreateTableRequest {
  TableName?: string;
  AttributeDefinitions?: AttributeDefinition[];
  KeySchema?: KeySchema;
  GlobalSecondaryIndexes?: IndexDefinition[];
  BillingMode?: 'PAY_PER_REQUEST' | 'PROVISIONED';
  DeletionProtectionEnabled?: boolean;
  ProvisionedThroughput?: unknown;
  SSESpecification?: unknown;
  TableClass?: string;
  Tags?: unknown;
}

/** Creates a table, active at once. Source: DynamoDB API Reference "CreateTable". */
export const createTable = operation<CreateTableRequest>(
  [
    'TableName',
    'AttributeDefinitions',
    'KeySchema',
    'GlobalSecondaryIndexes',
    'BillingMode',
    'DeletionProtectionEnabled',
    // Accepted without effect: nothing in this engine is provisioned, encrypted or billed.
    'ProvisionedThroughput',
    'SSESpecification',
    'TableClass',
    'Tags',
  ],
  (database, request) => {
    const { TableName: name = '', AttributeDefinitions: definitions = [] } = request;
    if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name)) {
      throw invalid(
        'TableName must be at least 3 characters long and at most 255 characters long, of a-z, A-Z, 0-9, _, - and .',
      );
    }
    if (database.tables.find(name)) {
      throw new Fault('ResourceInUseException', `Table already exists: ${name}`);
    }
    const indexes = (request.GlobalSecondaryIndexes ?? []).map((definition, at) =>
      indexOf(definition, definitions, at),
    );
    const shape = keyShape(request.KeySchema, definitions);
    const used = new Set([shape, ...indexes].flatMap(parts).map((part) => part.name));
    if (used.size !== definitions.length) {
      throw invalidParameter(
        'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
      );
    }
    const table = database.tables.add({
      ...shape,
      name,
      indexes,
      uuid: crypto.randomUUID(),
      created: database.clock(),
      billing: request.BillingMode ?? 'PROVISIONED',
      deletionProtection: request.DeletionProtectionEnabled ?? false,
      nextIndex: indexes.length,
    });
    return { TableDescription: describe(database, table) };
  },
);
