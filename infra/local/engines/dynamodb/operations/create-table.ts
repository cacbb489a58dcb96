import { Fault } from '../../fault.ts';
import { jsonOperation } from '../../json-protocol.ts';
import { invalid, invalidParameter } from '../faults.ts';
import {
  type AttributeDefinitions,
  definitionsOf,
  describe,
  type IndexDefinition,
  indexOf,
  type KeySchema,
  keyShape,
} from '../schema.ts';
import type { DynamoDb } from '../tables.ts';

interface CreateTableRequest {
  TableName?: string;
  AttributeDefinitions?: AttributeDefinitions;
  KeySchema?: KeySchema;
  GlobalSecondaryIndexes?: IndexDefinition[];
}

/** Creates a table, active at once; nothing is provisioned or billed. Source: DynamoDB API Reference "CreateTable". */
export const createTable = jsonOperation(
  'TableName AttributeDefinitions KeySchema GlobalSecondaryIndexes BillingMode',
  ({ tables, clock }: DynamoDb, request: CreateTableRequest) => {
    const { TableName: name = '', AttributeDefinitions: definitions = [] } = request;
    if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name))
      throw invalid('TableName must be 3 to 255 of a-z A-Z 0-9 _ - .');
    if (tables.find(name)) throw new Fault('ResourceInUseException', `Table already exists: ${name}`);
    const id = tables.nextId;
    const key = keyShape(request.KeySchema, definitions);
    const indexes = (request.GlobalSecondaryIndexes ?? []).map((index, at) =>
      indexOf(index, definitions, id, at),
    );
    if (definitionsOf({ key, indexes }).length !== definitions.length) {
      throw invalidParameter(
        'AttributeDefinitions must have the attributes of the key schemas and no others',
      );
    }
    const table = { id, name, created: clock(), key, indexes };
    tables.save(table);
    return { TableDescription: describe(table) };
  },
);
