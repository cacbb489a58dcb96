import { planDelete } from '../write.ts';
import { writeOperation } from '../write-operation.ts';

/** Deletes an item; one that does not exist, too. Source: DynamoDB API Reference "DeleteItem". */
export const deleteItem = writeOperation('Key', 'NONE ALL_OLD', planDelete);
