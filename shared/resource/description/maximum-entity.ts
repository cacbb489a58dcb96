/** Maximum bytes of the JSON text of an item: DynamoDB stores at most 400 KB. Source: Specification 10.10. */
export const MAXIMUM_ENTITY = 256 * 1024;
