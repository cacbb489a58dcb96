import { writeOperation } from '../write-operation.ts';

/** Creates or replaces an item. Source: DynamoDB API Reference "PutItem". */
export const putItem = writeOperation('Put', 'Item', ['NONE', 'ALL_OLD']);
