import { writeOperation } from '../write-operation.ts';

/** Deletes an item. A missing item causes no error. Source: DynamoDB API Reference "DeleteItem". */
export const deleteItem = writeOperation('Delete', 'Key', ['NONE', 'ALL_OLD']);
