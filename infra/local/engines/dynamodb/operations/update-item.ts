import { planUpdate } from '../write.ts';
import { writeOperation } from '../write-operation.ts';

/** Changes attributes of an item, or creates it. Source: DynamoDB API Reference "UpdateItem". */
export const updateItem = writeOperation('Key UpdateExpression', 'NONE ALL_OLD ALL_NEW', planUpdate);
