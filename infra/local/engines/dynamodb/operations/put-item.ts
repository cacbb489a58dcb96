import { planPut } from '../write.ts';
import { writeOperation } from '../write-operation.ts';

/** Creates or replaces an item. Source: DynamoDB API Reference "PutItem". */
export const putItem = writeOperation('Item', 'NONE ALL_OLD', planPut);
