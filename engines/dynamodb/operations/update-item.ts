import { writeOperation } from '../write-operation.ts';

const RETURNS = ['NONE', 'ALL_OLD', 'ALL_NEW'];

/** Changes attributes of an item, or creates it. Source: DynamoDB API Reference "UpdateItem". */
export const updateItem = writeOperation('Update', 'Key UpdateExpression', RETURNS);
