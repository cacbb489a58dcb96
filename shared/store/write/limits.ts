/**
 * The limits of DynamoDB that the service keeps, in bytes or numbers. It counts a kilobyte as 1,024 bytes.
 *
 * Source: Amazon DynamoDB Developer Guide, "Quotas in Amazon DynamoDB"; API Reference, TransactWriteItems and
 * BatchGetItem.
 */

/** Parts of one transaction. */
export const MAXIMUM_PARTS = 100;
/** Bytes of all items of one transaction, each at the larger of its sizes before and after. */
export const MAXIMUM_TRANSACTION = 4 * 1024 * 1024;
/** Bytes of one expression. */
export const MAXIMUM_EXPRESSION = 4 * 1024;
/** Keys of one BatchGetItem. It returns at most 16 MB, and names the keys that it has not read. */
export const MAXIMUM_KEYS = 100;

/**
 * The most parts that the constraints of an item can add to its transaction. The item has one part, and so does the
 * checkpoint of an operation.
 */
export const MAXIMUM_CONSTRAINT_PARTS = MAXIMUM_PARTS - 2;
/** The largest count of `atMost`: the row of a group names its items, and a refusal reads them. */
export const MAXIMUM_AGREEING = 100;
/** The items that the row of a group names at most. Items that were stored before the limit can be more than it. */
export const MAXIMUM_HOLDERS = 2 * MAXIMUM_AGREEING;
/** The most undeclared properties under which a write removes bytes unseen: an expression has room for them. */
export const MAXIMUM_UNSEEN = 100;
