import { writeOperation } from '../write-operation.ts';

/** Deletes an item; one that does not exist, too. Source: DynamoDB API Reference "DeleteItem". */
export const deleteItem = writeOperation('Delete', 'Key', ['NONE', 'ALL_OLD']);
